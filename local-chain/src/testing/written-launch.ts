import {
  createTimeAbsoluteCondition,
  createTriggeredCondition,
  deriveRaydiumPDAsV2,
  FeeDiscriminants,
  findGenesisAccountV2Pda,
  findRaydiumBucketSignerPda,
  getGenesisAccountV2AccountDataSerializer,
  Key,
} from '@metaplex-foundation/genesis'
import { associatedTokenAddress } from '@slipway/launch-model/addresses'
import { decode, encode } from '@slipway/launch-model/bytes/codec'
import { emptyPool, poolLayout } from '@slipway/launch-model/pool-state'
import { TOKEN_PROGRAM, WRAPPED_NATIVE_MINT } from '@slipway/launch-model/programs'
import type { Address } from '@solana/kit'
import type { ChainAccount } from '../ledger/account.ts'
import { blank, bondingCurve, raydiumCpmm, withoutExtensions } from '../programs/genesis/buckets.ts'
import { asKey, GENESIS } from '../programs/genesis/checks.ts'
import { CREATOR_FEE_BPS } from '../programs/genesis/launch/add-bucket.ts'
import { PROTOCOL_FEE_BPS } from '../programs/genesis/launch/bonding-curve.ts'
import { umi } from '../programs/umi-context.ts'
import { launchAddresses } from '../world/launch-addresses.ts'
import { buildMint, buildTokenAccount } from './token-accounts.ts'

export type WrittenLaunch = {
  readonly mint: Address
  readonly authority: Address
  readonly creator?: Address
  readonly supply?: bigint
  readonly depositedLamports?: bigint
  readonly quote?: { readonly mint: Address; readonly program: Address }
  /** An old bucket names no mints. */
  readonly withoutMints?: boolean
  readonly curve?: { readonly accrued: bigint; readonly claimed: bigint }
  readonly amm?: { readonly accrued: bigint; readonly claimed: bigint; readonly graduatedAt?: number }
  /** The creator's fees in the pool. A bare pool does not name its token programs. */
  readonly pool?: { readonly quote: bigint; readonly base: bigint; readonly isBare?: boolean }
}

const genesisSerializer = getGenesisAccountV2AccountDataSerializer()

/**
 * The accounts of a curve, of its AMM bucket and of its pool, with the tokens that they hold. They are for tests that need
 * hundreds of launches, or amounts of fees that would take thousands of trades. All other launches of tests are created
 * by instructions.
 */
export function writeLaunchAccounts(
  launch: WrittenLaunch,
  rent: (size: number) => bigint,
): Map<Address, ChainAccount> {
  const { mint, authority, curve, amm, pool, depositedLamports = 0n } = launch
  const { supply = 1_000_000_000_000_000n, quote = { mint: WRAPPED_NATIVE_MINT, program: TOKEN_PROGRAM } } =
    launch
  const at = launchAddresses(mint, 'bondingCurveV2')
  const accounts = new Map<Address, ChainAccount>()
  const own = (address: Address, data: Uint8Array, owner = GENESIS) =>
    accounts.set(address, { lamports: rent(data.length), owner, data, executable: false })
  const hold = (owner: Address, amount: bigint, address?: Address) =>
    accounts.set(address ?? associatedTokenAddress(quote.mint, owner, quote.program), {
      ...buildTokenAccount(quote.mint, owner, amount, rent),
      owner: quote.program,
    })
  accounts.set(mint, buildMint(undefined, supply, 6, rent))
  own(
    at.genesis,
    genesisSerializer.serialize({
      ...blank(genesisSerializer, Key.GenesisAccountV2),
      bump: findGenesisAccountV2Pda(umi, { baseMint: asKey(mint), genesisIndex: 0 })[1],
      finalized: true,
      authority: asKey(authority),
      baseMint: asKey(mint),
      quoteMint: asKey(quote.mint),
      totalSupplyBaseToken: supply,
      totalAllocatedSupplyBaseToken: supply,
      bucketCount: amm ? 2 : 1,
    }),
  )
  own(at.primary, curveData({ ...launch, supply, quote }))
  if (curve) hold(at.primary, depositedLamports + curve.accrued - curve.claimed)
  if (amm) {
    own(at.amm, ammData({ ...launch, supply, quote, amm }))
    hold(at.ammSigner, amm.accrued - amm.claimed)
  }
  if (pool) {
    const keys = deriveRaydiumPDAsV2(umi, asKey(mint), asKey(at.amm), {
      creatorFee: true,
      env: 'mainnet',
      quoteMint: asKey(quote.mint),
    })
    const inOrder = <T>(base: T, other: T): [T, T] =>
      keys.isProjectMintToken0 ? [base, other] : [other, base]
    const [creatorFees0, creatorFees1] = inOrder(pool.base, pool.quote)
    const [tokenProgram0, tokenProgram1] = inOrder(TOKEN_PROGRAM, quote.program)
    const [mint0, mint1] = inOrder(mint, quote.mint)
    const data = encode(poolLayout, {
      ...decode(poolLayout, emptyPool(mint0, mint1)),
      ...(!pool.isBare && { tokenProgram0, tokenProgram1 }),
      creatorFees0,
      creatorFees1,
    })
    const [program, holder, quoteVault, baseVault] = [
      keys.raydiumProgram,
      keys.poolAuthority,
      keys.quoteVault,
      keys.baseVault,
    ].map(key => key as string as Address) as [Address, Address, Address, Address]
    own(at.pool, data, program)
    hold(holder, pool.quote + 1_000n, quoteVault)
    accounts.set(baseVault, buildTokenAccount(mint, holder, pool.base + 1_000n, rent))
  }
  return accounts
}

type Whole = WrittenLaunch & Required<Pick<WrittenLaunch, 'supply' | 'quote'>>

function curveData(launch: Whole): Uint8Array {
  const { supply, depositedLamports: deposited = 0n, curve, amm, mint } = launch
  const at = launchAddresses(mint, 'bondingCurveV2')
  const isFull = amm?.graduatedAt !== undefined
  const empty = bondingCurve.blank()
  const [virtualSol, virtualTokens] = [85_000_000_000n / 3n, (supply * 4n) / 15n]
  const left = (virtualSol * (virtualTokens + (supply * 4n) / 5n)) / (virtualSol + deposited) - virtualTokens
  return bondingCurve.serialize({
    ...empty,
    depositFeeType: FeeDiscriminants.BasisPoints,
    depositFee: PROTOCOL_FEE_BPS,
    withdrawFeeType: FeeDiscriminants.BasisPoints,
    withdrawFee: PROTOCOL_FEE_BPS,
    quoteTokenDepositTotal: deposited,
    bucket: {
      ...empty.bucket,
      ...base(launch, bondingCurve, (supply * 4n) / 5n),
      baseTokenBalance: isFull ? 0n : left,
      quoteTokenBalance: deposited,
    },
    swapStartCondition: isFull
      ? { ...createTimeAbsoluteCondition(0n), triggeredTimestamp: 0n }
      : { __kind: 'Always', padding: Array(55).fill(0), triggeredTimestamp: null },
    swapEndCondition: triggered(amm?.graduatedAt),
    creatorFeeAccrued: curve?.accrued ?? 0n,
    creatorFeeClaimed: curve?.claimed ?? 0n,
    extensions: { ...withoutExtensions(empty.extensions), creatorFee: creatorFee(launch) },
    constantProductParams: { virtualSol, virtualTokens },
    endBehaviors: [
      {
        __kind: 'SendQuoteTokenPercentage',
        processed: isFull,
        percentageBps: 10_000,
        padding: [0, 0, 0, 0],
        destinationBucket: asKey(amm ? at.amm : at.primary),
      },
    ],
  })
}

function ammData(launch: Whole & Required<Pick<WrittenLaunch, 'amm'>>): Uint8Array {
  const { supply, amm, mint } = launch
  const at = launchAddresses(mint, 'bondingCurveV2')
  const empty = raydiumCpmm.blank()
  const isGraduated = amm.graduatedAt !== undefined
  return raydiumCpmm.serialize({
    ...empty,
    bucketSignerBump: findRaydiumBucketSignerPda(umi, { bucket: asKey(at.amm) })[1],
    bucket: { ...empty.bucket, ...base(launch, raydiumCpmm, supply / 5n) },
    bucketSigner: asKey(at.ammSigner),
    graduatedBaseTokenAmount: isGraduated ? supply / 5n : 0n,
    lpTokenBalance: isGraduated ? 1_000_000_000n : 0n,
    lpClaimAuthority: null,
    startCondition: triggered(amm.graduatedAt),
    graduateCondition: triggered(amm.graduatedAt),
    ...(isGraduated && { poolState: asKey(at.pool) }),
    creatorFeeAccrued: amm.accrued,
    creatorFeeClaimed: amm.claimed,
    extensions: { ...withoutExtensions(empty.extensions), creatorFee: creatorFee(launch) },
  })
}

const base = (
  { mint, quote, withoutMints }: Whole,
  kind: typeof bondingCurve | typeof raydiumCpmm,
  allocation: bigint,
) => {
  const genesis = asKey(launchAddresses(mint, 'bondingCurveV2').genesis)
  return {
    bump: kind.pda(genesis, 0)[1],
    genesis,
    baseTokenAllocation: allocation,
    baseTokenBalance: allocation,
    baseMint: withoutMints ? null : asKey(mint),
    quoteMint: withoutMints ? null : asKey(quote.mint),
  }
}
const creatorFee = ({ creator }: WrittenLaunch) =>
  creator
    ? {
        wallet: asKey(creator),
        feeType: FeeDiscriminants.BasisPoints,
        padding: Array(7).fill(0),
        fee: CREATOR_FEE_BPS,
      }
    : null
const triggered = (at: number | undefined) => ({
  ...createTriggeredCondition(),
  triggeredTimestamp: at === undefined ? null : BigInt(at),
})
