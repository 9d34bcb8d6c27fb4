import { SlipwayError } from '@slipway/client'
import { afterDeposit } from '@slipway/launch-model/after-deposit'
import type { Deposit, Deposits } from '@slipway/launch-model/kinds/bucket-kind'
import { kindOf } from '@slipway/launch-model/kinds/kinds'
import { wordsOf } from '@slipway/launch-model/kinds/words'
import { resolveLaunchTimes } from '@slipway/launch-model/launch-times'
import type { PlacedBucket } from '@slipway/launch-model/position-accounts'
import type { Address } from '@slipway/launch-model/programs'
import { priceOrder } from '@slipway/launch-model/trade/market'
import { applySlippage, priceImpactBps } from '@slipway/launch-model/trade/trade'
import { formatShare, nameFee } from '../lib/format.ts'
import type { PriceImpact } from '../lib/price-impact.ts'
import type { Facts } from './facts.ts'
import type { Intent, Outlook } from './intent.ts'
import { sayBase, sayQuote } from './words.ts'

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
 * Returns how far a trade moves the price.
 */
export function assertPrice({ launch }: Facts, intent: Intent): PriceImpact | undefined {
  if (intent.kind !== 'swap' || !launch) return undefined
  const { side, amountIn: amount, amountOut, minAmountOut, slippageBps } = intent
  const { buckets, wallet } = launch.accounts
  const market = { buckets, pool: launch.pool?.traded }
  const quoted = priceOrder(market, { side, mode: 'in', amount }, wallet)
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

/**
 * What a deposit is for. The bytes don't name it, and the API could promise anything. So the page computes it from the
 * launch's accounts. A bonus that is due but not recorded on the chain yet is left out: it would only add to it.
 */
export function findOutlook({ launch }: Facts, given: Intent): Outlook | undefined {
  const intent = given as Intent<Address>
  if (intent.kind !== 'deposit' || !launch) return undefined
  const { accounts } = launch
  const bucket = resolveLaunchTimes(accounts.buckets)?.primary as PlacedBucket | undefined
  const deposits = bucket && (kindOf(bucket.kind).deposits as unknown as Deposits<PlacedBucket> | undefined)
  if (!deposits) return undefined
  const { credited, weighted, fee } = deposits.cost(bucket, intent.amount, BigInt(accounts.nowSeconds))
  const after = afterDeposit(accounts, bucket, { credited, weighted })
  const then = after.buckets.find(({ address }) => address === bucket.address) as PlacedBucket
  const deposit = accounts.deposits.get(bucket.address)
  const own = after.deposits.get(bucket.address) as Deposit
  const total = deposits.entitled(then, own)
  const held = deposit ? deposits.entitled(bucket, deposit) : 0n
  const adds = held > 0n && held < total
  const { part, whole } = deposits.share(then, own)
  const share = `${formatShare(whole === 0n ? 0 : Number(part) / Number(whole))} of what depositors share`
  const amount = sayBase(adds ? total - held : total, intent)
  const inTotal = `${sayBase(total, intent)} in total`
  return {
    expects: wordsOf(bucket.kind).isShared
      ? {
          label: adds ? 'Added to your share, if it ended now' : 'Your share, if it ended now',
          amount,
          note: `${adds ? `${inTotal}, which is ${share}` : share}. Later deposits make it smaller.`,
        }
      : {
          label: adds ? 'Added, at the fixed price' : 'Yours, at the fixed price',
          amount,
          note: `${adds ? `${inTotal}. ` : ''}A presale gives no refunds.`,
        },
    ...(fee > 0n && {
      fee: {
        label: `${nameFee(Number(fee) / Number(fee + credited))}, included`,
        amount: sayQuote(fee, intent),
      },
    }),
  }
}
