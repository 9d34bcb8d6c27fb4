import type { BuiltDeposit, BuiltWithdrawal, SlipwayError } from '@slipway/client'
import { wordsOf } from '@slipway/launch-model/kinds/words'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Amount } from '../../../components/amount.tsx'
import { AmountField } from '../../../components/amount-field.tsx'
import { focusFirstFault } from '../../../components/form-layout.tsx'
import { Tabs } from '../../../components/tabs.tsx'
import { formatSaid } from '../../../lib/format.ts'
import type { Figures } from '../../../lib/launches.ts'
import { parseUnits } from '../../../lib/parse-units.ts'
import { useSite } from '../../../lib/site-context.ts'
import { useDebounced } from '../../../lib/use-debounced.ts'
import { useDraft } from '../../../lib/use-draft.ts'
import { openWalletDialog } from '../../../wallet/wallet-store.ts'
import { useTerms } from '../terms/launch-terms.tsx'
import { findFault, findMostToDeposit, PAY_PRESETS, partPresets, payableOf, roomIn } from './amounts.ts'
import { createDepositAction } from './create-deposit-action.ts'
import { DepositEstimate, DepositSummary, DepositTerms, WithdrawSummary } from './deposit-summary.tsx'
import type { Way } from './fit-preview.ts'
import { SubmitPart } from './submit-part.tsx'
import styles from './take-part.module.css'
import { addressOf, explainRefusal, reasonFor, symbolsOf, type Taking } from './taking.ts'
import { useExactAnswer } from './use-exact-answer.ts'
import { useFunds } from './use-funds.ts'
import { usePreviews } from './use-previews.ts'

/** Pays into a launch pool or a presale, or takes it out of a pool again. */
export function DepositForm({
  taking,
  figures,
  canPay,
  isPrimary,
}: {
  taking: Taking
  figures: Figures | undefined
  /** Whether it takes deposits. Otherwise they can be withdrawn. */
  canPay: boolean
  isPrimary: boolean
}) {
  const [chosen, setWay] = useState<Way>('deposit')
  const way = canPay ? chosen : 'withdraw'
  return (
    <>
      {/* A presale gives no refunds. */}
      {canPay && wordsOf(taking.data.launch.mechanic).isShared && (
        <Tabs
          label="What to do"
          choices={[
            { value: 'deposit', text: 'Deposit' },
            { value: 'withdraw', text: 'Withdraw' },
          ]}
          current={way}
          onChoose={chosen => {
            taking.onBegin()
            setWay(chosen)
          }}
        />
      )}
      <AmountForm key={way} {...{ taking, figures, way, isPrimary }} />
    </>
  )
}

const PREVIEW_MS = 500
const EMPTY = { amount: '' }

function AmountForm({
  taking,
  figures,
  way,
  isPrimary,
}: {
  taking: Taking
  figures: Figures | undefined
  way: Way
  isPrimary: boolean
}) {
  const { slipway } = useSite()
  const queryClient = useQueryClient()
  const { network, account, position, tokens } = taking
  const address = addressOf(taking)
  const symbol = symbolsOf(taking).quote
  const decimals = tokens.quoteDecimals
  const isDeposit = way === 'deposit'
  const terms = useTerms(network, address).data
  const hasPenalty = terms === undefined || terms.hasPenalty === true
  const key = `${way}:${network}:${address}`
  const { draft, change } = useDraft(key, EMPTY, {}, 'sessionStorage')
  const [isSubmitted, setSubmitted] = useState(false)
  const [refusal, setRefusal] = useState<string>()
  const funds = useFunds(taking)
  const most = isDeposit ? funds : position?.deposited
  const payable = isDeposit ? payableOf(funds) : undefined
  const units = parseUnits(draft.amount, decimals)
  const typedFault = findFault({ text: draft.amount, units, decimals, most, symbol, isSubmitted })
  const why = reasonFor(position, way)
  const asked = useDebounced(units, PREVIEW_MS)
  const previewOf = usePreviews(taking, way)
  const preview = useQuery({
    ...previewOf(asked),
    placeholderData: keepPreviousData,
    enabled: account !== undefined && asked !== undefined && asked === units && !typedFault && !why,
  })
  const refused = units === undefined || asked !== units ? {} : explainRefusal(preview.error)
  const fault = typedFault ?? refused.fault
  // With nothing deposited, there is no amount to type. The reason says so.
  const hasNothing = !isDeposit && why !== undefined && position?.deposited === '0'
  const reason = (why && `${why}.`) ?? refused.reason

  const isStale = preview.isPlaceholderData || asked !== units

  const exact = useExactAnswer(isStale ? undefined : preview.data, previewOf(units))

  const room = roomIn(terms?.limits, position?.deposited)
  const findMost = (payable: bigint) =>
    findMostToDeposit(payable, units => queryClient.fetchQuery(previewOf(units)), room)

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    if (!account) return openWalletDialog()
    if (reason || exact.isFetching) return
    setSubmitted(true)
    setRefusal(undefined)
    if (units === undefined || fault) return focusFirstFault(form)
    const shown = await exact.read()
    if (!shown) return
    taking.open({
      ...createDepositAction(slipway, taking, {
        ...{ way, wallet: account.address, units, shown, hasPenalty },
      }),
      draft: key,
      onConfirmed() {
        setSubmitted(false)
        taking.onConfirmed()
      },
      async onInvalid(error: SlipwayError) {
        await preview.refetch()
        const { fault, reason } = explainRefusal(error)
        setRefusal(fault ?? reason ?? `The service says: ${error.message}.`)
        focusFirstFault(form)
      },
    })
  }

  return (
    <form className={styles.form} onSubmit={event => void submit(event)} noValidate>
      {!hasNothing && (
        <AmountField
          key={account?.address}
          label={isDeposit ? 'You deposit' : 'You withdraw'}
          held={
            account &&
            most !== undefined && (
              <>
                You have <Amount units={most} decimals={decimals} symbol={symbol} format={formatSaid} />
                {!isDeposit && ' in it'}
              </>
            )
          }
          amount={draft.amount}
          decimals={decimals}
          symbol={symbol}
          error={fault ?? refusal}
          presets={isDeposit ? PAY_PRESETS : partPresets(position?.deposited, decimals)}
          findMost={payable === undefined || room === 0n ? undefined : () => findMost(payable)}
          onChange={amount => {
            taking.onBegin()
            setRefusal(undefined)
            change({ amount })
          }}
        />
      )}
      {units === undefined && !reason && isDeposit && <DepositTerms {...{ taking, figures }} />}
      {units !== undefined && !fault && !reason && (
        <>
          {!account && isDeposit && figures && <DepositEstimate {...{ taking, figures, units }} />}
          {account && preview.data?.cost && (
            <DepositSummary
              taking={taking}
              built={preview.data as BuiltDeposit}
              outlook={preview.data.outlook}
              isStale={isStale}
            />
          )}
          {account && preview.data?.receives && (
            <WithdrawSummary
              taking={taking}
              built={preview.data as BuiltWithdrawal}
              {...{ units, hasPenalty, isStale }}
            />
          )}
        </>
      )}
      <SubmitPart id={`${key}-reason`} {...{ taking, reason, isPrimary }}>
        {exact.isFetching ? 'Reading the launch…' : isDeposit ? 'Review deposit' : 'Review withdrawal'}
      </SubmitPart>
    </form>
  )
}
