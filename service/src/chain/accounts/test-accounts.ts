import type { Address } from '@slipway/schema/address'
import type { ChainAccount } from '../account-reader.ts'

export { accepted, anyAddress, damaged, i64, u64 } from '@slipway/launch-model/testing/samples'

/** The address of the account under test. */
export const HERE = 'Here111111111111111111111111111111111111111' as Address

export const accountOf = (owner: Address, data: Uint8Array, address: Address = HERE): ChainAccount => ({
  exists: true,
  address,
  owner,
  lamports: 1_000_000n,
  data,
})
