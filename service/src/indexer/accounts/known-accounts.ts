import type { Address } from '@slipway/schema/address'

/** Which launches are registered and which agents exist, so that a reported change costs no query. */
export interface KnownAccounts {
  launches: Set<Address>
  agents: Set<Address>
}
