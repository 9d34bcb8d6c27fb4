import { findAssociatedTokenPda } from '@metaplex-foundation/mpl-toolbox'
import type { Address } from '@solana/kit'
import { type ChainAccount, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../ledger/account.ts'
import type { Chain } from '../ledger/create-chain.ts'
import type { Keypair } from '../ledger/keypair.ts'
import { asKey, GENESIS } from '../programs/genesis/checks.ts'
import { encodePoolFees, newPool } from '../programs/genesis/pool-state.ts'
import { umi } from '../programs/umi-context.ts'
import { poolKeys, type RaydiumEnvironment } from './keys.ts'
import { buildLaunchAccounts, type LaunchPlan, WRAPPED_SOL } from './launch-accounts.ts'
import { launchAddresses } from './launch-addresses.ts'
import { submit } from './submit.ts'
import { associatedToken, buildMetadata, buildTokenAccount } from './token-accounts.ts'
import { createMint, createMintWithMetadata, mintSupply } from './token-instructions.ts'

export type LaunchOptions = {
  readonly plan: LaunchPlan
  readonly maker: Keypair
  readonly mint: Keypair
  readonly metadata: { readonly name: string; readonly symbol: string; readonly uri: string }
  readonly token2022: boolean
  readonly environment: RaydiumEnvironment
  /** Uncollected creator fees in the pool, in lamports. */
  readonly poolFees?: bigint
}

export const DECIMALS = 6

/**
 * Creates a launch in one transaction. Its instructions create the token; the Genesis accounts are written along with
 * it.
 */
export function writeLaunch(chain: Chain, options: LaunchOptions): void {
  const { plan, maker, mint, metadata, token2022 } = options
  const at = launchAddresses(plan.mint, plan.mechanic)
  const rent = chain.vm.rentExemptMinimum
  const program = token2022 ? TOKEN_2022_PROGRAM : TOKEN_PROGRAM
  const mintPlan = { payer: maker.address, mint: mint.address, decimals: DECIMALS, rent }
  // The launch itself holds the tokens of all its buckets.
  const [account] = findAssociatedTokenPda(umi, {
    mint: asKey(mint.address),
    owner: asKey(at.genesis),
    tokenProgramId: asKey(program),
  })
  const [first, ...rest] = token2022 ? createMintWithMetadata(mintPlan, metadata) : createMint(mintPlan)
  if (!first) return
  const supply = mintSupply({
    program,
    payer: maker.address,
    mint: mint.address,
    owner: at.genesis,
    account: account as string as Address,
    supply: plan.supply,
  })

  const also = buildLaunchAccounts(plan, rent)
  const unclaimed = (plan.creatorFee?.accrued ?? 0n) - (plan.creatorFee?.claimed ?? 0n)
  also.set(
    associatedToken(WRAPPED_SOL, at.primary),
    buildTokenAccount(WRAPPED_SOL, at.primary, plan.depositedLamports + unclaimed, rent),
  )
  if (!token2022) also.set(...buildMetadata(mint.address, maker.address, metadata, rent))
  if (plan.amm?.graduatedAt !== undefined) addPool(also, chain, options)
  submit(chain, [maker, mint], [first, ...rest, ...supply], { also, named: [GENESIS] })
}

const QUOTE_DECIMALS = 9

/** The pool of a launch in the demo, as graduation creates it. */
export const worldPool = (
  keys: ReturnType<typeof poolKeys>,
  { creatorWallet, amm }: LaunchPlan,
): Uint8Array =>
  newPool(keys, {
    decimals: { base: DECIMALS, quote: QUOTE_DECIMALS },
    tokenPrograms: { base: TOKEN_PROGRAM, quote: TOKEN_PROGRAM },
    lpSupply: 1_000_000_000n,
    openTime: BigInt(amm?.graduatedAt ?? 0),
    hasCreatorFee: creatorWallet !== undefined,
  })

/** Adds the pool that a graduated launch trades in, with its creator fees. */
function addPool(
  accounts: Map<Address, ChainAccount>,
  chain: Chain,
  { plan, environment, poolFees = 0n }: LaunchOptions,
): void {
  const rent = chain.vm.rentExemptMinimum
  const at = launchAddresses(plan.mint, plan.mechanic)
  const pool = poolKeys(plan.mint, at.amm, environment)
  const [fees0, fees1] = pool.isProjectMintToken0 ? [0n, poolFees] : [poolFees, 0n]
  const data = encodePoolFees(worldPool(pool, plan), fees0, fees1)
  accounts.set(at.pool, {
    lamports: rent(data.length),
    owner: pool.raydiumProgram,
    data,
    executable: false,
  })
  const authority = pool.poolAuthority
  accounts.set(
    pool.quoteVault,
    buildTokenAccount(WRAPPED_SOL, authority, plan.depositedLamports + poolFees, rent),
  )
  accounts.set(pool.baseVault, buildTokenAccount(plan.mint, authority, plan.supply / 5n, rent))
  const collected = (plan.amm?.accrued ?? 0n) - (plan.amm?.claimed ?? 0n)
  accounts.set(
    associatedToken(WRAPPED_SOL, at.ammSigner),
    buildTokenAccount(WRAPPED_SOL, at.ammSigner, collected, rent),
  )
}
