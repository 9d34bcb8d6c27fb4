import {
  applySlippage,
  type BondingCurveBucketV2,
  getBondingCurveBucketV2AccountDataSerializer,
  getSwapResult,
  SwapDirection,
} from '@metaplex-foundation/genesis'
import { assetSignerAddress } from '@slipway/launch-model/addresses'
import { addressAt } from '@slipway/launch-model/bytes/base58'
import { bondingCurve } from '@slipway/launch-model/kinds/bonding-curve'
import { GENESIS_PROGRAM, TOKEN_PROGRAM, WRAPPED_NATIVE_MINT } from '@slipway/launch-model/programs'
import { rentFor } from '@slipway/local-chain/conditions'
import { buildLaunchAccounts } from '@slipway/local-chain/world/launch-accounts'
import { launchAddresses } from '@slipway/local-chain/world/launch-addresses'
import type { Address } from '@slipway/schema/address'
import { decodeBucket } from '@slipway/service/chain/accounts/bucket'
import type { SwapTransaction } from '@slipway/service/chain/transactions/build-swap'
import { quoteTrade } from '@slipway/service/launches/trading/build-quote'
import type { MarketReading } from '@slipway/service/launches/trading/read-market'

type Key = () => Address

/** A purchase by a wallet that has no token accounts yet: on a curve, in a pool, or by an agent. */
export function sampleSwap(kind: 'curve' | 'pool' | 'agent', owner: Address, key: Key): SwapTransaction {
  const mint = key()
  const agent = kind === 'agent' ? { asset: key() } : undefined
  return {
    side: 'buy',
    amountIn: 1_000_000_000n,
    amountOutMin: 7_890_531_103_827n,
    genesis: key(),
    tokens: {
      base: { mint, program: TOKEN_PROGRAM },
      quote: { mint: WRAPPED_NATIVE_MINT, program: TOKEN_PROGRAM },
    },
    at:
      kind === 'pool'
        ? {
            pool: {
              address: key(),
              environment: 'mainnet',
              config: key(),
              mint0: mint,
              vault0: key(),
              vault1: key(),
              observation: key(),
            },
          }
        : { curve: key() },
    trader: agent ? assetSignerAddress(agent.asset) : owner,
    payer: owner,
    isAgent: agent !== undefined,
    agent,
    holds: { hasBase: false, quote: undefined },
    accountRent: rentFor(165),
    priorityFee: 0n,
    blockhash: key(),
  }
}

const AMOUNT = 1_000_000_000n
const SLIPPAGE_BPS = 100

/** The accounts of curves that have taken in different amounts, as a node returns them. */
export function curveSampler(key: Key): () => { address: Address; data: Uint8Array } {
  const mint = key()
  const plan = {
    mechanic: 'bondingCurveV2',
    mint,
    authority: key(),
    startTime: 0,
    endTime: 0,
    supply: 1_000_000_000_000_000n,
    depositedLamports: 0n,
    creatorWallet: key(),
  } as const
  const address = launchAddresses(mint, plan.mechanic).primary
  const empty = buildLaunchAccounts(plan, () => 1n).get(address)?.data
  if (!empty) throw new Error('there is no curve')
  return () => {
    const data = Uint8Array.from(empty)
    const deposits = BigInt(Math.floor(Math.random() * 60e9))
    new DataView(data.buffer).setBigUint64(
      bondingCurve.layout.offsetOf('quoteTokenDepositTotal'),
      deposits,
      true,
    )
    return { address, data }
  }
}
type CurveAccount = ReturnType<ReturnType<typeof curveSampler>>

const token = { mint: addressAt(new Uint8Array(32)), program: TOKEN_PROGRAM, isRestricted: false }

const readings = new WeakMap<CurveAccount, MarketReading>()

/** The service decodes a curve once per slot, for all requests. */
function readingOf(account: CurveAccount): MarketReading {
  const known = readings.get(account)
  if (known) return known
  const { address, data } = account
  const bucket = decodeBucket({ exists: true, address, owner: GENESIS_PROGRAM, lamports: 1n, data })
  if (!bucket.exists) throw new Error('this is no curve')
  const reading: MarketReading = {
    slot: 1,
    shape: {
      genesis: address,
      base: { ...token, decimals: 6 },
      quote: { ...token, decimals: 9 },
      buckets: [address],
      poolBuckets: [],
      depositBuckets: [],
      unlocked: [],
      unread: 0,
    },
    market: { buckets: [bucket], nowSeconds: 1_800_000_000 },
    pool: undefined,
    others: new Map(),
  }
  readings.set(account, reading)
  return reading
}

/** From the bytes of the curve, or from a reading that is shared, to the answer of the service. */
export function quoteOurs(account: CurveAccount): string {
  const order = { side: 'buy', mode: 'in', amount: AMOUNT } as const
  const { quote } = quoteTrade(readingOf(account), order, { slippageBps: SLIPPAGE_BPS })
  return `${quote.amountIn} ${quote.amountOut} ${quote.minAmountOut} ${quote.fees.protocol} ${quote.fees.creator}`
}

/** The same with the official client, which computes no prices. */
export function quoteTheirs({ data }: CurveAccount): string {
  const [curve] = getBondingCurveBucketV2AccountDataSerializer().deserialize(data)
  const { amountIn, amountOut, fee, creatorFee } = getSwapResult(
    curve as BondingCurveBucketV2,
    AMOUNT,
    SwapDirection.Buy,
  )
  return `${amountIn} ${amountOut} ${applySlippage(amountOut, SLIPPAGE_BPS)} ${fee} ${creatorFee}`
}
