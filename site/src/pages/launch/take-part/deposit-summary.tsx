import type { BuiltDeposit, BuiltWithdrawal } from '@slipway/client'
import { wordsOf } from '@slipway/launch-model/kinds/words'
import { Amount } from '../../../components/amount.tsx'
import { Facts } from '../../../components/facts.tsx'
import { Price } from '../../../components/price.tsx'
import { formatExactly, formatFee, formatSaid, nameFee } from '../../../lib/format.ts'
import type { Figures } from '../../../lib/launches.ts'
import type { Outlook } from '../../../transactions/intent.ts'
import { useTerms } from '../terms/launch-terms.tsx'
import { mostOf } from './amounts.ts'
import { describeKept } from './describe-fee.ts'
import styles from './take-part.module.css'
import { addressOf, symbolsOf, type Taking } from './taking.ts'

/** What a deposit costs, and what it is for, as the sheet says it too. */
export function DepositSummary({
  taking,
  built: { cost, partial, position },
  outlook,
  isStale,
}: {
  taking: Taking
  built: BuiltDeposit
  /** Undefined if the chain can't be read. */
  outlook: Outlook | undefined
  isStale: boolean
}) {
  const { quote: symbol } = symbolsOf(taking)
  const decimals = taking.tokens.quoteDecimals
  const quote = (amount: string) => <Amount units={amount} {...{ decimals, symbol }} format={formatSaid} />
  const isShared = wordsOf(taking.data.launch.mechanic).isShared
  return (
    <div className={styles.summary} data-stale={isStale ? 'yes' : undefined}>
      {outlook && (
        <p className={styles.gets} role="status">
          <span>{outlook.expects.label}</span> <bdi>{outlook.expects.amount}</bdi>
        </p>
      )}
      {partial && <p className={styles.note}>Only this much is left. You pay {quote(cost.paid)}.</p>}
      <Facts
        facts={[
          ['Deposit afterwards', quote(position.deposited)],
          [
            `${nameFee(Number(cost.fee) / Number(BigInt(cost.paid) - BigInt(cost.penalty)))}, included`,
            cost.fee !== '0' && quote(cost.fee),
          ],
          ['Penalty, on top', cost.penalty !== '0' && quote(cost.penalty)],
          [
            'You pay at most',
            cost.penalty !== '0' && (
              <Amount
                key="most"
                units={`${mostOf(cost)}`}
                decimals={decimals}
                symbol={symbol}
                format={formatExactly}
              />
            ),
          ],
        ]}
      />
      <p className={styles.small}>
        {outlook ? outlook.expects.note : 'The chain can’t be read right now, so your share is not known.'}
        {isShared && <Leaving taking={taking} />} You also pay the network fee, and rent if you need a new
        account.
      </p>
    </div>
  )
}

/** What arrives, and what stays. */
export function WithdrawSummary({
  taking,
  built: { receives, receivesAtLeast, position },
  units,
  hasPenalty,
  isStale,
}: {
  taking: Taking
  built: BuiltWithdrawal
  units: bigint
  hasPenalty: boolean
  isStale: boolean
}) {
  const symbols = symbolsOf(taking)
  const { quoteDecimals, baseDecimals } = taking.tokens
  const quote = (amount: string) => (
    <Amount units={amount} decimals={quoteDecimals} symbol={symbols.quote} format={formatSaid} />
  )
  // An earlier answer is about another amount.
  const kept = isStale ? undefined : describeKept(taking, units, BigInt(receives), hasPenalty)
  return (
    <div className={styles.summary} data-stale={isStale ? 'yes' : undefined}>
      <p className={styles.gets} role="status">
        <span>You get</span> {quote(receives)}
      </p>
      <Facts
        facts={[
          [kept?.label ?? '', kept && <bdi>{kept.amount}</bdi>],
          [
            'At least, if a penalty begins or grows first',
            !isStale && receivesAtLeast !== receives && quote(receivesAtLeast),
          ],
          ['Deposit afterwards', quote(position.deposited)],
          [
            'Yours, if it ended now',
            <Amount key="base" units={position.entitled} decimals={baseDecimals} symbol={symbols.base} />,
          ],
        ]}
      />
    </div>
  )
}

/** What a deposit is, before an amount is typed. */
export function DepositTerms({ taking, figures }: { taking: Taking; figures: Figures | undefined }) {
  const { quote, base } = symbolsOf(taking)
  const { fees = [] } = useTerms(taking.network, addressOf(taking)).data ?? {}
  const fee = fees.find(({ on }) => on === 'paying')
  const cost = fee && `A deposit costs ${formatFee(fee.share)}.`
  if (wordsOf(taking.data.launch.mechanic).isShared)
    return (
      <p className={styles.note}>
        {figures && (
          <>
            Depositors share <Amount units={figures.supply} decimals={figures.baseDecimals} symbol={base} />.
          </>
        )}{' '}
        {cost}
        <Leaving taking={taking} />
      </p>
    )
  return (
    <p className={styles.note}>
      {figures && figures.price !== null && (
        <>
          One {base} costs <Price price={figures.price} symbol={quote} />, before fees.
        </>
      )}{' '}
      {cost} <b>A presale gives no refunds.</b>
    </p>
  )
}

/** Until when a deposit can be withdrawn, and what that costs. */
function Leaving({ taking }: { taking: Taking }) {
  const terms = useTerms(taking.network, addressOf(taking)).data
  const fee = terms?.fees.find(({ on }) => on === 'leaving')
  const costs = [fee?.share !== undefined && formatFee(fee.share), terms?.hasPenalty && 'at times a penalty']
  const cost = costs.filter(Boolean).join(', and ')
  const price = cost ? `A withdrawal costs ${cost}.` : terms ? '' : 'A fee may apply.'
  return ` You can withdraw until the launch closes. ${price}`
}

/** Without a wallet, roughly what a deposit would be entitled to. */
export function DepositEstimate({
  taking,
  figures,
  units,
}: {
  taking: Taking
  figures: Figures
  units: bigint
}) {
  const symbols = symbolsOf(taking)
  const { raised, supply, goal, baseDecimals } = figures
  const isShared = wordsOf(taking.data.launch.mechanic).isShared
  const whole = isShared ? BigInt(raised) + units : BigInt(goal ?? 0)
  if (whole === 0n) return null
  return (
    <p className={styles.gets} role="status">
      <span>{isShared ? 'Yours before fees, if it ended now' : 'Yours, before fees'}</span>{' '}
      <Amount units={`${(BigInt(supply) * units) / whole}`} decimals={baseDecimals} symbol={symbols.base} />
    </p>
  )
}
