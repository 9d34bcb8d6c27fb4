import type { Address } from '@slipway/schema/address'
import type { Network } from '@slipway/schema/network'
import type { AccountReader, ChainAccount } from '../../chain/account-reader.ts'
import { decodePoolState } from '../../chain/accounts/pool-state.ts'
import { decodeTokenAccount } from '../../chain/accounts/token-account.ts'
import { poolStateAddress, poolVaultAddress } from '../../chain/addresses/addresses.ts'
import type { RaydiumEnvironment } from '../../chain/addresses/programs.ts'
import type { PoolReserves } from '../../chain/launch-figures.ts'
import type { KnownBucket } from '../../store/buckets.ts'

/** The pool that a launch graduated into. */
export interface LaunchPool {
  /** Undefined if it can't be read: the launch has no AMM bucket, or the pool is not where that says. */
  reserves: PoolReserves | undefined
}

const ENVIRONMENTS: Record<Network, RaydiumEnvironment> = {
  'chain-mainnet': 'mainnet',
  'chain-devnet': 'devnet',
}

/** Reads the pools of the graduated launches among these. The accounts of a pool are always read at the same slot. */
export async function readPools(
  reader: AccountReader,
  network: Network,
  known: readonly KnownBucket[],
): Promise<Map<Address, LaunchPool>> {
  // A launch whose mints are not known is read for the first time, and its pool the next time.
  const graduated = known.filter(({ graduatedAt, source }) => graduatedAt !== null && source !== null)
  const pools = new Map(
    graduated.map(({ genesisAddress }) => [genesisAddress, { reserves: undefined } as LaunchPool]),
  )
  await Promise.all(
    graduated.map(async ({ kind, address, genesisAddress, mint: baseMint, source }) => {
      const quoteMint = source?.quoteMint
      if (kind !== 'raydiumCpmmV2' || !quoteMint) return
      const state = poolStateAddress(address)
      const vaults = [baseMint, quoteMint].map(mint => poolVaultAddress(ENVIRONMENTS[network], state, mint))
      // Concurrent reads share calls, and one read of up to a hundred accounts is never split.
      const { accounts } = await reader.fetchAccounts([state, ...vaults])
      const reserves = decodeReserves(accounts, { baseMint, quoteMint })
      if (reserves) pools.set(genesisAddress, { reserves })
    }),
  )
  return pools
}

/** What the vaults hold apart from fees. */
function decodeReserves(
  accounts: readonly ChainAccount[],
  mints: { baseMint: Address; quoteMint: Address },
): PoolReserves | undefined {
  const [state, baseVault, quoteVault] = accounts as [ChainAccount, ChainAccount, ChainAccount]
  const pool = decodePoolState(state, mints)
  const base = decodeTokenAccount(baseVault)
  const quote = decodeTokenAccount(quoteVault)
  if (!pool.exists || !base.exists || !quote.exists) return undefined
  if (base.mint !== mints.baseMint || quote.mint !== mints.quoteMint) return undefined
  const { heldFees, creatorFees } = pool
  return {
    base: withoutFees(base.amount, heldFees.base),
    quote: withoutFees(quote.amount, heldFees.quote),
    creatorFees: creatorFees.quote,
  }
}

const withoutFees = (amount: bigint, fees: bigint) => (amount > fees ? amount - fees : 0n)
