import { formatAmount, type Slipway, type SlipwayError, type TradeQuote } from '@slipway/client'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Action } from '../../../actions/action.ts'
import { Tabs } from '../../../components/choices.tsx'
import { Field } from '../../../components/fields.tsx'
import { Amount, Price } from '../../../components/figures.tsx'
import { Facts } from '../../../components/layout.tsx'
import { formatFee, formatSaid, formatShare } from '../../../lib/format.ts'
import { titleOf } from '../../../lib/launches.ts'
import { HIGH_IMPACT_BPS } from '../../../lib/price-impact.ts'
import { quoteQuery } from '../../../lib/queries.ts'
import { useSite } from '../../../lib/site-context.ts'
import { useTerms } from '../launch-terms.tsx'
import { explainBuild, Submit, TypedAmount, useAmountForm, useFunds } from './amount-form.tsx'
import { PAY_PRESETS, partPresets, payableOf } from './amounts.ts'
import { parseSlippage, SLIPPAGE, SLIPPAGES, type Slippage, say, type TakePartContext } from './context.ts'
import { describeTradeFee } from './fees.ts'
import styles from './take-part.module.css'

const QUOTE_MS = 300
type Side = 'buy' | 'sell'

/** Buys and sells on the launch's curve or in its pool. */
export function TradeForm({
  context,
  canPay,
  isPrimary,
}: {
  context: TakePartContext
  /** Whether tokens can be bought. Otherwise they can be sold. */
  canPay: boolean
  isPrimary: boolean
}) {
  const [chosen, setSide] = useState<Side>('buy')
  const [slippage, setSlippage] = useState(SLIPPAGE)
  const side = canPay ? chosen : 'sell'
  return (
    <>
      {canPay && (
        <Tabs
          label="What to do"
          choices={[
            { value: 'buy', text: 'Buy' },
            { value: 'sell', text: 'Sell' },
          ]}
          current={side}
          onChoose={chosen => {
            context.onBegin()
            setSide(chosen)
          }}
        />
      )}
      <OrderForm key={side} {...{ context, side, slippage, setSlippage, isPrimary }} />
    </>
  )
}

function OrderForm({
  context,
  side,
  slippage,
  setSlippage,
  isPrimary,
}: {
  context: TakePartContext
  side: Side
  slippage: Slippage
  setSlippage(slippage: Slippage): void
  isPrimary: boolean
}) {
  const { slipway } = useSite()
  const queryClient = useQueryClient()
  const { network, account, position, quote: inQuote, base } = context
  const isBuy = side === 'buy'
  const token = isBuy ? inQuote : base
  const slippageBps = parseSlippage(slippage)
  const firstBuy = useFirstBuy(context, side)
  // Without an amount, a small one shows the price and whether trading is possible.
  const orderOf = (amount = firstBuy ?? 10n ** BigInt(token.decimals) / (isBuy ? 10n : 1n)) =>
    quoteQuery(slipway, network, context.address, {
      side,
      amount: `${amount}`,
      slippageBps: slippageBps ?? 0,
      wallet: account?.address,
    })
  const funds = useFunds(context)
  const form = useAmountForm({
    ...{ context, action: side, token, pauseMs: QUOTE_MS },
    most: isBuy ? funds : position?.balance,
    questionOf: orderOf,
    isAskable: () => slippageBps !== undefined,
    checkUnits: units =>
      firstBuy !== undefined && units !== firstBuy
        ? `The first buy is for exactly ${say(firstBuy, inQuote)}.`
        : undefined,
  })
  const { shown: quote, units, fault, isStale } = form
  const payable = isBuy && firstBuy === undefined ? payableOf(funds) : undefined
  const lack = !isBuy && position?.balance === '0' ? `You have no ${base.symbol} to sell.` : undefined

  /** A curve that has less left takes less. */
  const findMost = (payable: bigint) =>
    queryClient.fetchQuery(orderOf(payable)).then(
      ({ amountIn }) => BigInt(amountIn),
      () => payable,
    )

  return (
    <form
      className={styles.form}
      onSubmit={event =>
        void form.submit(
          event,
          (wallet, units, shown) =>
            createSwapAction(slipway, context, { side, wallet, units, slippageBps: slippageBps ?? 0 }, shown),
          { isReady: slippageBps !== undefined, canSubmit: !lack, explain: explainSwap },
        )
      }
      noValidate
    >
      <TypedAmount
        form={form}
        label={isBuy ? 'You pay' : 'You sell'}
        presets={
          firstBuy !== undefined
            ? [{ text: say(firstBuy, inQuote), amount: formatAmount(firstBuy, token.decimals) }]
            : isBuy
              ? PAY_PRESETS
              : partPresets(position?.balance, token.decimals)
        }
        findMost={payable === undefined ? undefined : () => findMost(payable)}
      />
      {firstBuy !== undefined && (
        <p className={styles.note}>
          The first buy, {say(firstBuy, inQuote)}, is reserved for you. It costs no fees, and trading opens to
          everyone after it.
        </p>
      )}
      {quote && !form.isRefused && !fault && units !== undefined ? (
        <TradeSummary {...{ context, quote, isStale }} />
      ) : (
        quote &&
        !form.isRefused && (
          <p className={styles.note}>
            One {base.symbol} {isBuy ? 'costs' : 'sells for'}{' '}
            <Price price={quote.price} symbol={inQuote.symbol} /> now
            {sayFee(describeTradeFee(context, quote), isBuy)}.
          </p>
        )
      )}
      <SlippageField
        value={slippage}
        isSubmitted={form.isSubmitted}
        onChange={value => {
          form.forgetRefusal()
          setSlippage(value)
        }}
      />
      <Submit {...{ form, lack, isPrimary }}>
        {form.isFetching ? 'Getting the price…' : isBuy ? 'Review purchase' : 'Review sale'}
      </Submit>
    </form>
  )
}

/** What is not in the price. For a very small sale, its percentage would not be exact. */
const sayFee = (fee: ReturnType<typeof describeTradeFee>, isExact: boolean): string =>
  fee
    ? isExact && fee.share !== undefined
      ? `, before a fee of ${formatFee(fee.share)}`
      : ', before fees'
    : ''

/** The amount of the first buy, if it is reserved for the connected wallet. */
function useFirstBuy({ network, address, account }: TakePartContext, side: Side): bigint | undefined {
  const firstBuy = useTerms(network, address).data?.firstBuy
  const isOwn = side === 'buy' && account !== undefined && firstBuy?.buyer === account.address
  return isOwn ? BigInt(firstBuy.amount) : undefined
}

function explainSwap(error: SlipwayError): string {
  // The page itself found it, by the chain's own figures.
  if (error.code === 'PRICE_MOVED' && error.status === 0) return `${error.message}.`
  if (error.code === 'PRICE_MOVED')
    return 'The price has moved beyond your limit. The figures below are the new ones.'
  return explainBuild(error)
}

/** How much less than quoted a trade may give. */
function SlippageField({
  value,
  isSubmitted,
  onChange,
}: {
  value: Slippage
  isSubmitted: boolean
  onChange(value: Slippage): void
}) {
  const isInvalid = value.choice === 'own' && parseSlippage(value) === undefined
  return (
    <div className="stack gap-3">
      <div className="row wrap spread small faint gap-2">
        <span aria-hidden="true">Slippage</span>
        <Tabs
          label="Slippage: how much less than quoted you accept"
          choices={SLIPPAGES}
          current={value.choice}
          onChoose={choice => onChange({ ...value, choice })}
        />
      </div>
      {value.choice === 'own' && (
        <Field
          label="Your slippage"
          inputMode="decimal"
          value={value.own}
          onChange={event => onChange({ ...value, own: event.target.value })}
          error={
            isInvalid && (isSubmitted || value.own !== '')
              ? 'Enter a percentage from 0 to 50, such as 2.5.'
              : undefined
          }
          suffix="%"
        />
      )}
    </div>
  )
}

/** What a trade gives, what it costs, and what can go wrong. */
function TradeSummary({
  context,
  quote,
  isStale,
}: {
  context: TakePartContext
  quote: TradeQuote
  /** Whether it is about an earlier amount. */
  isStale: boolean
}) {
  const { quote: inQuote, base } = context
  const isBuy = quote.side === 'buy'
  const [paid, received] = isBuy ? [inQuote, base] : [base, inQuote]
  const impact = quote.priceImpactBps
  const fee = describeTradeFee(context, quote)
  const isHigh = impact >= HIGH_IMPACT_BPS
  const [money, tokens] = isBuy ? [quote.amountIn, quote.amountOut] : [quote.amountOut, quote.amountIn]
  const ownPrice = Number(money) / 10 ** inQuote.decimals / (Number(tokens) / 10 ** base.decimals)
  return (
    <div className={styles.summary} data-stale={isStale ? 'yes' : undefined}>
      <p className={styles.gets} role="status">
        <span>You get about</span> <Amount units={quote.amountOut} {...received} format={formatSaid} />
      </p>
      {quote.partial && (
        <p className={styles.note}>
          Only this much is left. You pay <Amount units={quote.amountIn} {...paid} />.
        </p>
      )}
      <Facts
        facts={{
          // Never rounded up.
          'At least': <Amount units={quote.minAmountOut} {...received} format={formatSaid} />,
          'Your price, with fees':
            ownPrice > 0 && Number.isFinite(ownPrice) ? (
              <Price price={ownPrice} symbol={inQuote.symbol} />
            ) : (
              'unknown'
            ),
          'Price impact': (
            <span className={isHigh ? styles.high : undefined}>
              {`${formatShare(impact / 10_000)}${isHigh ? ', high' : ''}`}
            </span>
          ),
          [fee?.label ?? 'Fee']: fee && <bdi>{fee.amount}</bdi>,
        }}
      />
      <p className="small faint">
        If the price moves and you would get less than this minimum, nothing is traded and you pay only the
        network fee.{isBuy && ' A purchase also costs rent if you need a new token account.'}
      </p>
    </div>
  )
}

/** A trade as the form has shown it. */
function createSwapAction(
  slipway: Slipway,
  context: TakePartContext,
  order: { side: Side; wallet: string; units: bigint; slippageBps: number },
  shown: TradeQuote,
): Action {
  const { data, network, address, tokens } = context
  const { amountOut, minAmountOut } = shown
  const { side, wallet, units, slippageBps } = order
  const isBuy = side === 'buy'
  const [inPaid, inReceived] = isBuy ? [context.quote, context.base] : [context.base, context.quote]
  // What the transaction pays, which is less than asked if less is left.
  let paid = units
  const describe = (got: string) =>
    isBuy ? `You got ${got} for ${say(paid, inPaid)}.` : `You sold ${say(paid, inPaid)} for ${got}.`
  return {
    key: `swap:${network}:${address}`,
    title: `${isBuy ? 'Buy' : 'Sell'} ${titleOf(data)}`,
    network,
    async build(signal) {
      const request = { wallet, side, amount: `${units}`, minAmountOut, network }
      const { tx, blockhash, quote } = await slipway.launches.swap(address, request, { signal })
      paid = BigInt(quote.amountIn)
      const amounts = { amountIn: units, amountOut: BigInt(amountOut), minAmountOut: BigInt(minAmountOut) }
      return {
        transactions: [tx],
        blockhash,
        intent: { kind: 'swap', ...tokens, side, ...amounts, slippageBps },
        fee: describeTradeFee(context, shown),
      }
    },
    expects: { label: 'You get about', amount: say(amountOut, inReceived) },
    done: () => describe(`about ${say(amountOut, inReceived)}`),
    result(changes) {
      const got = changes.get(isBuy ? data.baseToken.address : tokens.quoteMint) ?? 0n
      return got > 0n ? describe(say(got, inReceived)) : undefined
    },
  }
}
