import {
  FeeDiscriminants,
  getGenesisAccountV2AccountDataSerializer,
  type SwapBondingCurveV2InstructionAccounts,
  type SwapDirection,
  swapBondingCurveV2,
} from '@metaplex-foundation/genesis'
import type { TransactionBuilder } from '@metaplex-foundation/umi'
import { WRAPPED_NATIVE_MINT as WRAPPED_SOL } from '@slipway/launch-model/programs'
import type { ChainAccount } from '../ledger/account.ts'
import { bondingCurve, withoutExtensions } from '../programs/genesis/buckets.ts'
import { GENESIS } from '../programs/genesis/checks.ts'
import { startLaunchPool } from './launch-pool.ts'
import { CURVE_NUMBERS, timeAt } from './launches.ts'
import { readGenesis } from './real-programs.ts'
import { buildTokenAccount } from './token-accounts.ts'
import { asAddress } from './umi-wallet.ts'

export type World = ReturnType<typeof startLaunchPool>
export type Order = {
  readonly direction: SwapDirection
  readonly amount: bigint
  readonly minimum?: bigint
  /** The number of the trader's wallet. */
  readonly by?: number
  readonly accounts?: Partial<SwapBondingCurveV2InstructionAccounts>
}
export type CurveMarket = World & { swap(order: Order): TransactionBuilder }
export type Curve = ReturnType<typeof bondingCurve.blank>
type Times = { readonly start: number; readonly end: number }

/** A chain with a launch that has no bucket yet; `writeCurve` gives it one. */
export async function startWrittenMarket(version: 'stand-in' | 'March'): Promise<CurveMarket> {
  const world = startLaunchPool(version === 'March' ? readGenesis() : undefined)
  const { err } = await world.send(world.launch.initialize())
  if (err !== null) throw new Error(`the launch was not created: ${JSON.stringify(err)}`)
  const swap = (order: Order) => swapBondingCurveV2(world.umi, swapInput(world, order))
  return { ...world, swap: version === 'March' ? order => withoutBaseTokenOwner(swap(order)) : swap }
}

export function swapInput(world: World, { direction, amount, minimum = 0n, by = 3, accounts }: Order) {
  const owner = world.depositor(by)
  return {
    genesisAccount: world.launch.genesisAccount,
    bucket: world.launch.curve,
    baseMint: world.launch.mint,
    baseTokenAccount: world.tokenAccount(owner.publicKey, world.launch.mint),
    quoteTokenAccount: world.tokenAccount(owner.publicKey),
    quoteTokenOwner: owner,
    baseTokenOwner: owner,
    swapDirection: direction,
    amount,
    minAmountOutScaled: minimum,
    ...accounts,
  }
}

/** Until client 0.23, one wallet owned both token accounts of a swap, so the instruction had one account fewer. */
const withoutBaseTokenOwner = (builder: TransactionBuilder): TransactionBuilder =>
  builder.mapInstructions(item => ({
    ...item,
    instruction: {
      ...item.instruction,
      keys: item.instruction.keys.filter((_, index) => index !== BASE_TOKEN_OWNER),
    },
  }))
const BASE_TOKEN_OWNER = 10

/** The official SDK's curve without a creator fee, with the 2 % that the older programs charge. */
export function oldCurve({ launch }: World, { start, end }: Times): Curve {
  const blank = bondingCurve.blank()
  const data = bondingCurve.serialize({
    ...blank,
    depositFeeType: FeeDiscriminants.BasisPoints,
    depositFee: 200n,
    withdrawFeeType: FeeDiscriminants.BasisPoints,
    withdrawFee: 200n,
    bucket: {
      ...blank.bucket,
      bump: bondingCurve.pda(launch.genesisAccount, 0)[1],
      feeType: FeeDiscriminants.BasisPoints,
      genesis: launch.genesisAccount,
      baseTokenAllocation: CURVE_NUMBERS.onCurve,
      baseTokenBalance: CURVE_NUMBERS.onCurve,
      baseMint: null,
      quoteMint: null,
    },
    swapStartCondition: timeAt(start),
    swapEndCondition: timeAt(end),
    extensions: withoutExtensions(blank.extensions),
    constantProductParams: {
      virtualSol: CURVE_NUMBERS.virtualSol,
      virtualTokens: CURVE_NUMBERS.virtualTokens,
    },
  })
  return bondingCurve.deserialize(data)[0]
}

/** Makes this the curve of the finalized launch, with the quote tokens that it has taken in. */
export function writeCurve({ chain, launch, tokenAccount }: World, curve: Curve): void {
  const rent = chain.vm.rentExemptMinimum
  const own = (data: Uint8Array): ChainAccount => ({
    lamports: rent(data.length),
    owner: GENESIS,
    data,
    executable: false,
  })
  const serializer = getGenesisAccountV2AccountDataSerializer()
  const genesis = chain.account(asAddress(launch.genesisAccount))?.data
  if (!genesis) throw new Error('there is no launch')
  const [bucket, held] = [asAddress(launch.curve), curve.quoteTokenDepositTotal]
  chain.writeAccounts(
    new Map([
      [bucket, own(bondingCurve.serialize(curve))],
      [asAddress(tokenAccount(launch.curve)), buildTokenAccount(WRAPPED_SOL, bucket, held, rent)],
      [
        asAddress(launch.genesisAccount),
        own(serializer.serialize({ ...serializer.deserialize(genesis)[0], finalized: true, bucketCount: 1 })),
      ],
    ]),
  )
}

/** Gives a trader exactly these tokens. */
export function writeHoldings(
  { chain, launch, depositor, tokenAccount }: World,
  trader: number,
  { quote, base }: { quote: bigint; base: bigint },
): void {
  const owner = depositor(trader).publicKey
  const rent = chain.vm.rentExemptMinimum
  const [address, mint] = [asAddress(owner), asAddress(launch.mint)]
  chain.writeAccounts(
    new Map([
      [asAddress(tokenAccount(owner)), buildTokenAccount(WRAPPED_SOL, address, quote, rent)],
      [asAddress(tokenAccount(owner, launch.mint)), buildTokenAccount(mint, address, base, rent)],
    ]),
  )
}

/** The curve's numbers. Older programs number conditions differently, but agree on the rest of the account. */
export function readCurve({ account, launch }: World): Curve {
  const data = account(launch.curve)?.data
  if (!data) throw new Error('there is no curve')
  return bondingCurve.deserialize(data)[0]
}

/** Everything that a trade moves. */
export function holdings(world: World, trader = 3) {
  const { launch, account, tokens, depositor, feeAccount } = world
  const { quoteTokenDepositTotal, bucket } = readCurve(world)
  const owner = depositor(trader).publicKey
  return {
    quoteTokenDepositTotal,
    balances: [bucket.baseTokenBalance, bucket.quoteTokenBalance],
    trader: [tokens(owner), tokens(owner, launch.mint)],
    held: [tokens(launch.curve), tokens(launch.genesisAccount, launch.mint)],
    fees: account(feeAccount)?.lamports ?? 0n,
  }
}
