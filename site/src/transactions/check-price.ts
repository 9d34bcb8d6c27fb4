import { SlipwayError } from '@slipway/client'
import { bucketCandidates } from '@slipway/launch-model/addresses'
import { decodeBucketData } from '@slipway/launch-model/bucket'
import { decodeGenesisData } from '@slipway/launch-model/genesis-account'
import { becomesPool } from '@slipway/launch-model/kinds/kinds'
import { showsGraduation } from '@slipway/launch-model/launch-times'
import type { Address } from '@slipway/launch-model/programs'
import { type Market, priceOrder } from '@slipway/launch-model/trade/market'
import { applySlippage, priceImpactBps } from '@slipway/launch-model/trade/trade'
import type { PriceImpact } from '../lib/price-impact.ts'
import { fetchAccounts, WrongAnswer } from '../lib/rpc.ts'
import { fetchPool, type Place } from './fetch-pool.ts'
import type { Intent, SwapIntent } from './intent.ts'
import { refuse } from './unexpected.ts'

/**
 * How far from the quote the price may have moved since the service read it, on top of the slippage. It is as
 * large as the smallest slippage that the form offers: small trades of others pass, and a service that lies gains no
 * more than this.
 */
const MOVE_MAX_BPS = 50

/**
 * The limit that people sign is derived from the API's quote. If the API quoted half the true amount, the limit would
 * let anyone take the other half. So the page computes the amount itself, from the launch's accounts.
 *
 * A price that has just improved looks the same as a wrong quote. So the message only says that the price has changed.
 *
 * Resolves with how far a trade moves the price.
 */
export async function assertPrice(
  place: Place,
  asked: Intent,
  wallet: string,
): Promise<PriceImpact | undefined> {
  if (asked.kind !== 'swap') return undefined
  const intent = asked as SwapIntent<Address>
  const { side, amountIn: amount, amountOut, minAmountOut, slippageBps } = intent
  const market = await fetchMarket(place, intent)
  const quoted = priceOrder(market, { side, mode: 'in', amount }, wallet as Address)
  if (typeof quoted === 'string') throw moved()
  const given = quoted.trade.amountOut
  if (minAmountOut < applySlippage(given, slippageBps + MOVE_MAX_BPS)) throw moved()
  // The limit still holds, but the sheet would promise too much.
  if (applySlippage(amountOut, MOVE_MAX_BPS) > given) throw moved()
  return { side, bps: priceImpactBps(quoted.trade) }
}

/** Like the service's own refusal of a limit, but without a response. */
const moved = () =>
  new SlipwayError(
    'The price has changed. Check it and try again. If this keeps happening, the figures below don’t match the chain',
    {
      code: 'PRICE_MOVED',
      details: [{ path: 'minAmountOut', message: 'is too far below what the trade gives now' }],
    },
  )

async function fetchMarket(place: Place, intent: SwapIntent<Address>): Promise<Omit<Market, 'nowSeconds'>> {
  const { rpcUrl, signal } = place
  const { genesis, baseMint, quoteMint } = intent
  const [data] = await fetchAccounts(rpcUrl, [genesis], signal)
  const launch = data && decodeGenesisData(data)
  if (typeof launch !== 'object') throw new WrongAnswer('the launch can’t be read')
  if (launch.baseMint !== baseMint || launch.quoteMint !== quoteMint)
    refuse(`On the chain, the launch ${genesis} has different tokens from those on this page.`)
  const candidates = bucketCandidates(genesis, launch.bucketCount)
  const accounts = await fetchAccounts(rpcUrl, candidates, signal)
  const buckets = candidates.flatMap((address, at) => {
    const bucket = decodeBucketData(accounts[at] ?? new Uint8Array())
    return typeof bucket === 'object' && bucket.genesis === genesis ? [{ ...bucket, address }] : []
  })
  const graduated = buckets.find(bucket => becomesPool(bucket.kind) && showsGraduation(bucket))
  return { buckets, pool: graduated && (await fetchPool(place, intent, graduated.address)) }
}
