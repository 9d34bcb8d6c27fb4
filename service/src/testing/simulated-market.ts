import { getBondingCurveBucketV2AccountDataSerializer } from '@metaplex-foundation/genesis'
import { WRAPPED_NATIVE_MINT } from '@slipway/launch-model/programs'
import { buildLaunchAccounts } from '@slipway/local-chain/world/launch-accounts'
import { launchAddresses } from '@slipway/local-chain/world/launch-addresses'
import type { Address } from '@slipway/schema/address'
import type { SimulatedChain } from './simulated-chain.ts'

/** A bonding curve of a simulated market, with every state that the chain has had. */
export interface MarketCurve {
  name: string
  mint: Address
  genesisAddress: Address
  bucket: Address
  states: CurveState[]
}

export interface CurveState {
  atMs: number
  quote: bigint
  base: bigint
  fees: bigint
}

const SUPPLY = 1_000_000_000_000_000n
export const ALLOCATION = (SUPPLY * 4n) / 5n
export const VIRTUAL = { quote: 30_000_000_000n, base: 250_000_000_000_000n }
const DECIMALS = { base: 6, quote: 9 }

const serializer = getBondingCurveBucketV2AccountDataSerializer()

/** Creates this many curves on the chain. `trade` changes a curve at random; the caller decides when it is written. */
export function createMarket(
  chain: SimulatedChain,
  count: number,
  startMs: number,
  mintOf: (name: string) => Address,
) {
  const curves: MarketCurve[] = []
  const blanks = new Map<Address, ReturnType<typeof serializer.deserialize>[0]>()
  const first = new Map<Address, Uint8Array>([[WRAPPED_NATIVE_MINT, mintData(DECIMALS.quote)]])
  for (let at = 0; at < count; at += 1) {
    const name = `curve ${at}`
    const mint = mintOf(name)
    const { genesis, primary } = launchAddresses(mint as never, 'bondingCurveV2')
    const bucket = primary as string as Address
    const accounts = buildLaunchAccounts(
      {
        mechanic: 'bondingCurveV2',
        mint: mint as never,
        authority: mint as never,
        startTime: 0,
        endTime: 0,
        supply: SUPPLY,
        depositedLamports: 0n,
        creatorWallet: mint as never,
        creatorFee: { accrued: 0n, claimed: 0n },
      },
      () => 1n,
    )
    blanks.set(bucket, serializer.deserialize(accounts.get(primary)?.data as Uint8Array)[0])
    const curve = { name, mint, genesisAddress: genesis as string as Address, bucket, states: [] }
    curves.push(curve)
    first.set(mint, mintData(DECIMALS.base))
    first.set(bucket, encode(curve, { atMs: startMs, quote: 0n, base: ALLOCATION, fees: 0n }))
  }
  chain.write(first, startMs)

  /** Records a state and returns its bytes. */
  function encode(curve: MarketCurve, state: CurveState): Uint8Array {
    const blank = blanks.get(curve.bucket)
    if (!blank) throw new Error('no such curve')
    curve.states.push(state)
    return serializer.serialize({
      ...blank,
      quoteTokenDepositTotal: state.quote,
      creatorFeeAccrued: state.fees,
      constantProductParams: { virtualSol: VIRTUAL.quote, virtualTokens: VIRTUAL.base },
      bucket: { ...blank.bucket, baseTokenBalance: state.base },
    })
  }

  return {
    curves,
    /** Buys from or sells to these curves in one slot. */
    trade(traded: readonly MarketCurve[], atMs: number, random: () => number) {
      const seconds = Math.floor(atMs / 1_000) * 1_000
      chain.write(
        new Map(
          traded.map(curve => {
            const { quote, base, fees } = curve.states.at(-1) as CurveState
            const paid = BigInt(Math.floor(random() * 1e9)) + 1n
            const isSale = random() < 0.4 && quote > paid
            const next = isSale ? quote - paid : quote + paid
            const reserve = ((VIRTUAL.quote + quote) * (VIRTUAL.base + base)) / (VIRTUAL.quote + next)
            const left = reserve > VIRTUAL.base ? reserve - VIRTUAL.base : 0n
            const state = {
              atMs: seconds,
              quote: next,
              base: left < ALLOCATION ? left : ALLOCATION,
              fees: fees + paid / 100n,
            }
            return [curve.bucket, encode(curve, state)] as const
          }),
        ),
        seconds,
      )
    },
  }
}

function mintData(decimals: number): Uint8Array {
  const data = new Uint8Array(82)
  data[44] = decimals
  data[45] = 1
  return data
}
