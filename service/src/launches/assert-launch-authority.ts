import type { Address } from '@slipway/schema/address'
import { ServiceError } from '@slipway/schema/errors'
import type { ChainAccount, CheckedReader } from '../chain/account-reader.ts'
import { decodeGenesisAccount } from '../chain/accounts/genesis-account.ts'

/** Reads the chain and throws unless the wallet is the authority of this registered launch there. */
export async function assertLaunchAuthority(
  reader: CheckedReader,
  address: Address,
  wallet: Address,
): Promise<void> {
  const sinceMs = performance.now()
  const { accounts } = await reader.fetchAccounts([address])
  const genesis = decodeGenesisAccount(accounts[0] as ChainAccount)
  // It is registered, so an endpoint that lacks it is wrong or behind.
  if (!genesis.exists)
    throw new ServiceError('SERVICE_UNAVAILABLE', {
      cause: new Error(`the endpoint does not have ${address}, but the store does`),
    })
  await reader.confirmCluster(sinceMs)
  if (genesis.authority !== wallet) throw new ServiceError('NOT_AUTHORIZED')
}
