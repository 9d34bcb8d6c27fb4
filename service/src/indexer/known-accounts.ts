import type { Address } from '@slipway/schema/address'

/** Which launches are registered and which agents there are, so that nobody asks the store about every change in the world. */
export interface KnownAccounts {
  launches: Set<Address>
  agents: Set<Address>
}
