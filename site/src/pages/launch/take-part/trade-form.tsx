import { formatAmount, type SlipwayError } from '@slipway/client'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Amount } from '../../../components/amount.tsx'
import { AmountField } from '../../../components/amount-field.tsx'
import { focusFirstFault } from '../../../components/form-layout.tsx'
import { Price } from '../../../components/price.tsx'
import { Tabs } from '../../../components/tabs.tsx'
import { formatFee, formatSaid } from '../../../lib/format.ts'
import { parseUnits } from '../../../lib/parse-units.ts'
import { quoteQuery } from '../../../lib/queries.ts'
import { useSite } from '../../../lib/site-context.ts'
import { useDebounced } from '../../../lib/use-debounced.ts'
import { useDraft } from '../../../lib/use-draft.ts'
import { openWalletDialog } from '../../../wallet/wallet-store.ts'
import { useTerms } from '../terms/launch-terms.tsx'
import { findFault, PAY_PRESETS, partPresets, payableOf } from './amounts.ts'
import { createSwapAction } from './create-swap-action.ts'
import { describeTradeFee } from './describe-fee.ts'
import { parseSlippage, SLIPPAGE, type Slippage } from './parse-slippage.ts'
import { SlippageField } from './slippage.tsx'
import { SubmitPart } from './submit-part.tsx'
import styles from './take-part.module.css'
import { addressOf, explainRefusal, reasonFor, sayer, symbolsOf, type Taking } from './taking.ts'
import { TradeSummary } from './trade-summary.tsx'
import { useExactAnswer } from './use-exact-answer.ts'
import { useFunds } from './use-funds.ts'

const QUOTE_MS = 300
const EMPTY = { amount: '' }
type Side = 'buy' | 'sell'

/** Buys and sells on the launch's curve or in its pool. */
export function TradeForm({
  taking,
  canPay,
  isPrimary,
}: {
  taking: Taking
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
            taking.onBegin()
            setSide(chosen)
          }}
        />
      )}
      <OrderForm key={side} {...{ taking, side, slippage, setSlippage, isPrimary }} />
    </>
  )
}

function OrderForm({
  taking,
  side,
  slippage,
  setSlippage,
  isPrimary,
}: {
  taking: Taking
  side: Side
  slippage: Slippage
  setSlippage(slippage: Slippage): void
  isPrimary: boolean
}) {
  const { slipway } = useSite()
  const queryClient = useQueryClient()
  const { network, account, position, tokens } = taking
  const address = addressOf(taking)
  const symbols = symbolsOf(taking)
  const isBuy = side === 'buy'
  const decimals = isBuy ? tokens.quoteDecimals : tokens.baseDecimals
  const symbol = isBuy ? symbols.quote : symbols.base
  const key = `${side}:${network}:${address}`
  const { draft, change } = useDraft(key, EMPTY, {}, 'sessionStorage')
  const [isSubmitted, setSubmitted] = useState(false)
  const [refusal, setRefusal] = useState<string>()
  const units = parseUnits(draft.amount, decimals)
  const asked = useDebounced(units, QUOTE_MS)
  const slippageBps = parseSlippage(slippage)
  const firstBuy = useFirstBuy(taking, side)
  // Without an amount, a small one shows the price and whether trading is possible.
  const orderOf = (amount = firstBuy ?? 10n ** BigInt(decimals) / (isBuy ? 10n : 1n)) =>
    quoteQuery(slipway, network, address, {
      side,
      amount: `${amount}`,
      slippageBps: slippageBps ?? 0,
      wallet: account?.address,
    })
  const quote = useQuery({
    ...orderOf(asked),
    placeholderData: keepPreviousData,
    enabled: slippageBps !== undefined,
  })
  const refused = explainRefusal(quote.error)
  const funds = useFunds(taking)
  const most = isBuy ? funds : position?.balance
  const payable = isBuy && firstBuy === undefined ? payableOf(funds) : undefined
  const fault =
    findFault({ text: draft.amount, units, decimals, most, symbol, isSubmitted }) ??
    (firstBuy !== undefined && units !== undefined && units !== firstBuy
      ? `The first buy is for exactly ${sayer(taking).quote(firstBuy)}.`
      : undefined) ??
    (units !== undefined && asked === units ? refused.fault : undefined)
  const why = reasonFor(position, side)
  const reason =
    (why && `${why}.`) ?? (firstBuy === undefined || units === firstBuy ? refused.reason : undefined)
  const lack = !isBuy && position?.balance === '0' ? `You have no ${symbols.base} to sell.` : undefined

  const isStale = quote.isPlaceholderData || asked !== units
  const exact = useExactAnswer(isStale ? undefined : quote.data, orderOf(units))

  /** A curve that has less left takes less. */
  const findMost = (payable: bigint) =>
    queryClient.fetchQuery(orderOf(payable)).then(
      ({ amountIn }) => BigInt(amountIn),
      () => payable,
    )

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    if (!account) return openWalletDialog()
    if (reason || lack || exact.isFetching) return
    setSubmitted(true)
    setRefusal(undefined)
    if (units === undefined || slippageBps === undefined || fault) return focusFirstFault(form)
    const shown = await exact.read()
    if (!shown) return
    const order = { side, wallet: account.address, units, slippageBps }
    taking.open({
      ...createSwapAction(slipway, taking, order, shown),
      draft: key,
      onConfirmed() {
        setSubmitted(false)
        taking.onConfirmed()
      },
      async onInvalid(error) {
        await quote.refetch()
        setRefusal(explainBuild(error))
        focusFirstFault(form)
      },
    })
  }

  return (
    <form className={styles.form} onSubmit={event => void submit(event)} noValidate>
      <AmountField
        key={account?.address}
        label={isBuy ? 'You pay' : 'You sell'}
        held={
          account &&
          most !== undefined && (
            <>
              You have <Amount units={most} decimals={decimals} symbol={symbol} format={formatSaid} />
            </>
          )
        }
        amount={draft.amount}
        decimals={decimals}
        symbol={symbol}
        error={fault ?? refusal}
        presets={
          firstBuy !== undefined
            ? [{ text: sayer(taking).quote(firstBuy), amount: formatAmount(firstBuy, decimals) }]
            : isBuy
              ? PAY_PRESETS
              : partPresets(position?.balance, decimals)
        }
        findMost={payable === undefined ? undefined : () => findMost(payable)}
        onChange={amount => {
          taking.onBegin()
          setRefusal(undefined)
          change({ amount })
        }}
      />
      {firstBuy !== undefined && (
        <p className={styles.note}>
          The first buy, {sayer(taking).quote(firstBuy)}, is reserved for you. It costs no fees, and trading
          opens to everyone after it.
        </p>
      )}
      {quote.data && !refused.reason && !fault && units !== undefined ? (
        <TradeSummary taking={taking} quote={quote.data} isStale={isStale} />
      ) : (
        quote.data &&
        quote.data.price !== '' &&
        !refused.reason && (
          <p className={styles.note}>
            One {symbols.base} {isBuy ? 'costs' : 'sells for'}{' '}
            <Price price={quote.data.price} symbol={symbols.quote} /> now
            {sayFee(describeTradeFee(taking, quote.data), isBuy)}.
          </p>
        )
      )}
      <SlippageField
        value={slippage}
        isSubmitted={isSubmitted}
        onChange={value => {
          setRefusal(undefined)
          setSlippage(value)
        }}
      />
      <SubmitPart id={`${key}-reason`} {...{ taking, reason, lack, isPrimary }}>
        {exact.isFetching ? 'Getting the price…' : isBuy ? 'Review purchase' : 'Review sale'}
      </SubmitPart>
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
function useFirstBuy({ network, data, account }: Taking, side: Side): bigint | undefined {
  const firstBuy = useTerms(network, addressOf({ data })).data?.firstBuy
  const isOwn = side === 'buy' && account !== undefined && firstBuy?.buyer === account.address
  return isOwn ? BigInt(firstBuy.amount) : undefined
}

function explainBuild(error: SlipwayError): string {
  // The page itself found it, by the chain's own figures.
  if (error.code === 'PRICE_MOVED' && error.status === 0) return `${error.message}.`
  if (error.code === 'PRICE_MOVED')
    return 'The price has moved beyond your limit. The figures below are the new ones.'
  return explainRefusal(error).fault ?? explainRefusal(error).reason ?? `The service says: ${error.message}.`
}
