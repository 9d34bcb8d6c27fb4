import type { BuiltDeposit, BuiltWithdrawal, SlipwayError } from '@slipway/client'
import { wordsOf } from '@slipway/launch-model/kinds/words'
import { WRAPPED_NATIVE_MINT } from '@slipway/launch-model/programs'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { Action } from '../../../actions/action.ts'
import { Amount } from '../../../components/amount.tsx'
import { focusFirstFault } from '../../../components/form-layout.tsx'
import { Tabs } from '../../../components/tabs.tsx'
import { type Figures, titleOf } from '../../../lib/launches.ts'
import { parseUnits } from '../../../lib/parse-units.ts'
import { queryKeys } from '../../../lib/query-keys.ts'
import { useSite } from '../../../lib/site-context.ts'
import { useDebounced } from '../../../lib/use-debounced.ts'
import { useDraft } from '../../../lib/use-draft.ts'
import type { Intent } from '../../../transactions/intent.ts'
import { openWalletDialog } from '../../../wallet/wallet-store.ts'
import { AmountField } from './amount-field.tsx'
import { findFault, findMostToDeposit, mostOf, PAY_PRESETS, partPresets, payableOf } from './amounts.ts'
import { DepositEstimate, DepositSummary, DepositTerms, WithdrawSummary } from './deposit-summary.tsx'
import { fitPreview, type Preview, type Way } from './fit-preview.ts'
import { SubmitPart } from './submit-part.tsx'
import styles from './take-part.module.css'
import {
  addressOf,
  explainRefusal,
  launchTokensOf,
  reasonFor,
  sayer,
  symbolsOf,
  type Taking,
} from './taking.ts'
import { useExactAnswer } from './use-exact-answer.ts'
import { useFunds } from './use-funds.ts'

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
          onChoose={setWay}
        />
      )}
      <AmountForm key={way} {...{ taking, figures, way, isPrimary }} />
    </>
  )
}

const PREVIEW_MS = 500
/** The accounts of a deposit have less rent than this, in lamports. */
const RENT_END = 10_000_000n
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
  const { data, network, account, position, tokens } = taking
  const address = addressOf(taking)
  const symbol = symbolsOf(taking).quote
  const decimals = tokens.quoteDecimals
  const isDeposit = way === 'deposit'
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
  // The service says what it would do by building it. Nothing is signed.
  const previewOf = (amount: bigint | undefined) => {
    const request = { wallet: account?.address ?? '', amount: `${amount}`, network }
    return {
      queryKey: queryKeys.preview(network, address, { way, ...request }),
      queryFn: async ({ signal }: { signal: AbortSignal }): Promise<Preview> =>
        fitPreview(await slipway.launches[way](address, request, { signal }), way),
      staleTime: 10_000,
      refetchInterval: 30_000,
    }
  }
  const preview = useQuery({
    ...previewOf(asked),
    placeholderData: keepPreviousData,
    enabled: account !== undefined && asked !== undefined && asked === units && !typedFault && !why,
  })
  const refused = units === undefined || asked !== units ? {} : explainRefusal(preview.error)
  const fault = typedFault ?? refused.fault
  const reason = (why && `${why}.`) ?? refused.reason

  const isStale = preview.isPlaceholderData || asked !== units

  const exact = useExactAnswer(isStale ? undefined : preview.data, previewOf(units))

  const findMost = (payable: bigint) =>
    findMostToDeposit(payable, units => queryClient.fetchQuery(previewOf(units)))

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
    const maxCost = shown.cost ? mostOf(shown.cost, units) : units
    const request = { wallet: account.address, amount: `${units}`, network }
    const launch = launchTokensOf(taking)
    const say = sayer(taking)
    // Until it is built, what the form has shown.
    let built = shown
    const isAll = units === BigInt(position?.deposited ?? 0)
    // Others may take a part of what is left of a presale first.
    const about = wordsOf(data.launch.mechanic).isShared ? '' : 'about '
    const isNative = tokens.quoteMint === WRAPPED_NATIVE_MINT
    const intent: Intent = isDeposit
      ? { kind: 'deposit', ...launch, amount: units, maxCost, isPartial: shown.partial === true }
      : { kind: 'withdraw-deposit', ...launch, amount: units }
    const action: Action = {
      key: `deposit:${network}:${address}`,
      draft: key,
      title: isDeposit ? `Deposit in ${titleOf(data)}` : `Withdraw from ${titleOf(data)}`,
      network,
      async build(signal) {
        const answer = isDeposit
          ? await slipway.launches.deposit(address, { ...request, maxCost: `${maxCost}` }, { signal })
          : await slipway.launches.withdraw(address, request, { signal })
        const { tx, blockhash } = answer
        built = fitPreview(answer, way)
        const got = { units: BigInt(built.receives ?? 0), decimals, symbol }
        return {
          ...{ transactions: [tx], blockhash, intent },
          ...(!isDeposit && { income: [isNative ? got : { ...got, mint: tokens.quoteMint }] }),
        }
      },
      note: () =>
        built.receivesAtLeast && built.receivesAtLeast !== built.receives
          ? `The service expects at least ${say.quote(built.receivesAtLeast)}, even if a penalty begins or grows first.`
          : undefined,
      done: () =>
        isDeposit
          ? `You deposited ${about}${describePaid(built, units, say)}.`
          : `You got about ${say.quote(built.receives ?? '0')}.`,
      ...(!isDeposit && {
        result(changes) {
          const got = changes.get(tokens.quoteMint) ?? 0n
          // Withdrawing everything also returns the rent of accounts, which is not a part of the deposit.
          const rent = isAll && isNative ? got - BigInt(built.receives ?? 0) : 0n
          if (rent > 0n && rent < RENT_END)
            return `You got ${say.quote(built.receives ?? '0')}, and ${say.quote(rent)} of account deposits back.`
          return got > 0n ? `You got ${say.quote(got)}.` : undefined
        },
      }),
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
    }
    taking.open(action)
  }

  return (
    <form className={styles.form} onSubmit={event => void submit(event)} noValidate>
      <AmountField
        label={isDeposit ? 'You deposit' : 'You withdraw'}
        held={
          account &&
          most !== undefined && (
            <>
              You have <Amount units={most} decimals={decimals} symbol={symbol} />
              {!isDeposit && ' in it'}
            </>
          )
        }
        amount={draft.amount}
        decimals={decimals}
        symbol={symbol}
        error={fault ?? refusal}
        presets={isDeposit ? PAY_PRESETS : partPresets(position?.deposited, decimals)}
        findMost={payable === undefined ? undefined : () => findMost(payable)}
        onChange={amount => {
          setRefusal(undefined)
          change({ amount })
        }}
      />
      {units === undefined && !reason && isDeposit && <DepositTerms {...{ taking, figures }} />}
      {units !== undefined && !fault && !reason && (
        <>
          {!account && isDeposit && figures && <DepositEstimate {...{ taking, figures, units }} />}
          {account && preview.data?.cost && (
            <DepositSummary taking={taking} built={preview.data as BuiltDeposit} {...{ units, isStale }} />
          )}
          {account && preview.data?.receives && (
            <WithdrawSummary
              taking={taking}
              built={preview.data as BuiltWithdrawal}
              {...{ units, isStale }}
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

/** What was paid, and what is left of it after fees. */
function describePaid({ cost }: Preview, units: bigint, say: ReturnType<typeof sayer>): string {
  if (!cost || cost.credited === `${units}`) return say.quote(cost?.paid ?? units)
  const charges = cost.penalty === '0' ? 'the fee' : 'fee and penalty'
  return `${say.quote(cost.paid)}, ${say.quote(cost.credited)} after ${charges}`
}
