import { wordsOf } from '@slipway/launch-model/kinds/words'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Tabs } from '../../../components/choices.tsx'
import { Amount, Price } from '../../../components/figures.tsx'
import { Facts } from '../../../components/layout.tsx'
import { formatExactly, formatFee, formatSaid, nameFee } from '../../../lib/format.ts'
import { useSite } from '../../../lib/site-context.ts'
import { useTerms } from '../launch-terms.tsx'
import { Submit, TypedAmount, useAmountForm, useFunds } from './amount-form.tsx'
import { findMostToDeposit, mostOf, PAY_PRESETS, partPresets, payableOf, roomIn } from './amounts.ts'
import type { TakePartContext } from './context.ts'
import { createDepositAction, type DepositAction, type Preview, usePreviews } from './deposit-action.ts'
import { describeKept } from './fees.ts'
import styles from './take-part.module.css'

const PREVIEW_MS = 500

/** Pays into a launch pool or a presale, or takes it out of a pool again. */
export function DepositForm({
  context,
  canPay,
  isPrimary,
}: {
  context: TakePartContext
  /** Whether it takes deposits. Otherwise they can be withdrawn. */
  canPay: boolean
  isPrimary: boolean
}) {
  const [chosen, choose] = useState<DepositAction>('deposit')
  const action = canPay ? chosen : 'withdraw'
  return (
    <>
      {/* A presale gives no refunds. */}
      {canPay && wordsOf(context.data.launch.mechanic).isShared && (
        <Tabs
          label="What to do"
          choices={[
            { value: 'deposit', text: 'Deposit' },
            { value: 'withdraw', text: 'Withdraw' },
          ]}
          current={action}
          onChoose={chosen => {
            context.onBegin()
            choose(chosen)
          }}
        />
      )}
      <DepositAmountForm key={action} {...{ context, action, isPrimary }} />
    </>
  )
}

function DepositAmountForm({
  context,
  action,
  isPrimary,
}: {
  context: TakePartContext
  action: DepositAction
  isPrimary: boolean
}) {
  const { slipway } = useSite()
  const queryClient = useQueryClient()
  const { account, position, quote: token } = context
  const isDeposit = action === 'deposit'
  const terms = useTerms(context.network, context.address).data
  const hasPenalty = terms === undefined || terms.hasPenalty === true
  const funds = useFunds(context)
  const payable = isDeposit ? payableOf(funds) : undefined
  const previewOf = usePreviews(context, action)
  const form = useAmountForm({
    ...{ context, action, pauseMs: PREVIEW_MS, questionOf: previewOf },
    token,
    most: isDeposit ? funds : position?.deposited,
    isAskable: units => account !== undefined && units !== undefined,
  })
  const { units, fault, reason, shown, isStale } = form
  // With nothing deposited, there is no amount to type. The reason says so.
  const hasNothing = !isDeposit && reason !== undefined && position?.deposited === '0'
  const room = roomIn(terms?.limits, position?.deposited)
  const findMost = (payable: bigint) =>
    findMostToDeposit(payable, units => queryClient.fetchQuery(previewOf(units)), room)

  return (
    <form
      className={styles.form}
      onSubmit={event =>
        void form.submit(event, (wallet, units, shown) =>
          createDepositAction(slipway, context, { action, wallet, units, shown, hasPenalty }),
        )
      }
      noValidate
    >
      {!hasNothing && (
        <TypedAmount
          form={form}
          label={isDeposit ? 'You deposit' : 'You withdraw'}
          heldWhere={isDeposit ? '' : ' in it'}
          presets={isDeposit ? PAY_PRESETS : partPresets(position?.deposited, token.decimals)}
          findMost={payable === undefined || room === 0n ? undefined : () => findMost(payable)}
        />
      )}
      {units === undefined && !reason && isDeposit && <DepositTerms context={context} />}
      {units !== undefined && !fault && !reason && (
        <>
          {!account && isDeposit && <DepositEstimate {...{ context, units }} />}
          {account && shown?.cost && <DepositSummary {...{ context, built: shown, isStale }} />}
          {account && shown?.receives && (
            <WithdrawSummary {...{ context, built: shown, units, hasPenalty, isStale }} />
          )}
        </>
      )}
      <Submit {...{ form, isPrimary }}>
        {form.isFetching ? 'Reading the launch…' : isDeposit ? 'Review deposit' : 'Review withdrawal'}
      </Submit>
    </form>
  )
}

/** What a deposit costs, and what it is for, as the sheet says it too. */
function DepositSummary({
  context,
  built: { cost, partial, position, outlook },
  isStale,
}: {
  context: TakePartContext
  built: Preview
  isStale: boolean
}) {
  const quote = (units: string, format = formatSaid) => (
    <Amount units={units} {...context.quote} format={format} />
  )
  if (!cost) return null
  const hasPenalty = cost.penalty !== '0'
  return (
    <div className={styles.summary} data-stale={isStale ? 'yes' : undefined}>
      {outlook && (
        <p className={styles.gets} role="status">
          <span>{outlook.expects.label}</span> <bdi>{outlook.expects.amount}</bdi>
        </p>
      )}
      {partial && <p className={styles.note}>Only this much is left. You pay {quote(cost.paid)}.</p>}
      <Facts
        facts={{
          'Deposit afterwards': quote(position?.deposited ?? '0'),
          [`${nameFee(Number(cost.fee) / Number(BigInt(cost.paid) - BigInt(cost.penalty)))}, included`]:
            cost.fee !== '0' && quote(cost.fee),
          'Penalty, on top': hasPenalty && quote(cost.penalty),
          'You pay at most': hasPenalty && quote(`${mostOf(cost)}`, formatExactly),
        }}
      />
      <p className="small faint">
        {outlook ? outlook.expects.note : 'The chain can’t be read right now, so your share is not known.'}
        {wordsOf(context.data.launch.mechanic).isShared && <Leaving context={context} />} You also pay the
        network fee, and rent if you need a new account.
      </p>
    </div>
  )
}

/** What arrives, and what stays. */
function WithdrawSummary({
  context,
  built: { receives = '0', receivesAtLeast = receives, position },
  units,
  hasPenalty,
  isStale,
}: {
  context: TakePartContext
  built: Preview
  units: bigint
  hasPenalty: boolean
  isStale: boolean
}) {
  const quote = (units: string, format = formatSaid) => (
    <Amount units={units} {...context.quote} format={format} />
  )
  // An earlier answer is about another amount.
  const kept = isStale ? undefined : describeKept(context, units, BigInt(receives), hasPenalty)
  return (
    <div className={styles.summary} data-stale={isStale ? 'yes' : undefined}>
      <p className={styles.gets} role="status">
        <span>You get</span> {quote(receives)}
      </p>
      <Facts
        facts={{
          [kept?.label ?? '']: kept && <bdi>{kept.amount}</bdi>,
          'At least, if a penalty begins or grows first':
            !isStale && receivesAtLeast !== receives && quote(receivesAtLeast),
          'Deposit afterwards': quote(position?.deposited ?? '0'),
          'Yours, if it ended now': <Amount units={position?.entitled ?? '0'} {...context.base} />,
        }}
      />
    </div>
  )
}

/** What a deposit is, before an amount is typed. */
function DepositTerms({ context }: { context: TakePartContext }) {
  const { figures, quote, base } = context
  const { fees = [] } = useTerms(context.network, context.address).data ?? {}
  const fee = fees.find(({ on }) => on === 'paying')
  const cost = fee && `A deposit costs ${formatFee(fee.share)}.`
  if (wordsOf(context.data.launch.mechanic).isShared)
    return (
      <p className={styles.note}>
        {figures && (
          <>
            Depositors share <Amount units={figures.supply} {...base} />.
          </>
        )}{' '}
        {cost}
        <Leaving context={context} />
      </p>
    )
  return (
    <p className={styles.note}>
      {figures && figures.price !== null && (
        <>
          One {base.symbol} costs <Price price={figures.price} symbol={quote.symbol} />, before fees.
        </>
      )}{' '}
      {cost} <b>A presale gives no refunds.</b>
    </p>
  )
}

/** Until when a deposit can be withdrawn, and what that costs. */
function Leaving({ context }: { context: TakePartContext }) {
  const terms = useTerms(context.network, context.address).data
  const fee = terms?.fees.find(({ on }) => on === 'leaving')
  const costs = [fee?.share !== undefined && formatFee(fee.share), terms?.hasPenalty && 'at times a penalty']
  const cost = costs.filter(Boolean).join(', and ')
  const price = cost ? `A withdrawal costs ${cost}.` : terms ? '' : 'A fee may apply.'
  return ` You can withdraw until the launch closes. ${price}`
}

/** Without a wallet, roughly what a deposit would be entitled to. */
function DepositEstimate({ context, units }: { context: TakePartContext; units: bigint }) {
  const { data, figures } = context
  if (!figures) return null
  const { raised, supply, goal } = figures
  const isShared = wordsOf(data.launch.mechanic).isShared
  const whole = isShared ? BigInt(raised) + units : BigInt(goal ?? 0)
  if (whole === 0n) return null
  return (
    <p className={styles.gets} role="status">
      <span>{isShared ? 'Yours before fees, if it ended now' : 'Yours, before fees'}</span>{' '}
      <Amount units={`${(BigInt(supply) * units) / whole}`} {...context.base} />
    </p>
  )
}
