import { getTokenAccountDataSerializer } from '@metaplex-foundation/mpl-toolbox'
import { associatedTokenAddress } from '@slipway/launch-model/addresses'
import { SYSTEM_PROGRAM, TOKEN_PROGRAM, WRAPPED_NATIVE_MINT } from '@slipway/launch-model/programs'
import type { ChainAccount, LocalChain } from '@slipway/local-chain'
import { createKeypair } from '@slipway/local-chain/ledger/keypair'
import { writeLaunchAccounts } from '@slipway/local-chain/testing/written-launch'
import { launchAddresses } from '@slipway/local-chain/world/launch-addresses'
import type { Address } from '@slipway/schema/address'

type Local = Pick<LocalChain, 'chain'>

export interface TestLaunch {
  creator: Address
  curve?: { accrued: bigint; claimed: bigint }
  /**
   * `pool` and `poolBase`: the creator's fees in the pool, in quote and base token. Without `pool`, no pool exists
   * yet.
   */
  amm?: {
    accrued: bigint
    claimed: bigint
    pool?: bigint
    poolBase?: bigint
    /** The pool does not name its token programs, like those of the demo. */
    isBarePool?: boolean
  }
  quote?: { mint: Address; program: Address }
  /** An old bucket that does not name its mints. */
  withoutMints?: boolean
}

/** Writes launches with creator fees to the chain. */
export function writeLaunches({ chain }: Local, launches: readonly TestLaunch[]) {
  const { made, accounts } = buildLaunches(launches, chain.vm.rentExemptMinimum)
  chain.writeAccounts(accounts)
  return made
}

/** Builds the accounts of launches, with the quote tokens to pay out. */
export function buildLaunches(launches: readonly TestLaunch[], rent: (size: number) => bigint) {
  const accounts = new Map<Address, ChainAccount>()
  const made = launches.map(({ amm, ...launch }) => {
    const mint = createKeypair().address
    const built = writeLaunchAccounts(
      {
        ...launch,
        mint,
        authority: SYSTEM_PROGRAM,
        ...(amm && { amm: { ...amm, ...(amm.pool !== undefined && { graduatedAt: 1 }) } }),
        ...(amm?.pool !== undefined && {
          pool: { quote: amm.pool, base: amm.poolBase ?? 0n, isBare: amm.isBarePool ?? false },
        }),
      },
      rent,
    )
    for (const [address, account] of built) accounts.set(address, account)
    return { ...launchAddresses(mint, 'bondingCurveV2'), mint }
  })
  return { made, accounts }
}

/** The owner's balance of a token; undefined without an account. */
export function tokensOf(
  { chain }: Local,
  owner: Address,
  mint = WRAPPED_NATIVE_MINT,
  program = TOKEN_PROGRAM,
): bigint | undefined {
  const account = chain.account(associatedTokenAddress(mint, owner, program))
  return account && getTokenAccountDataSerializer().deserialize(account.data)[0].amount
}
