import { SlipwayError } from '@slipway/client'
import { WRAPPED_NATIVE_MINT } from '@slipway/launch-model/programs'
import {
  type FetchQueryOptions,
  keepPreviousData,
  type QueryKey,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import type { Action } from '../../../actions/action.ts'
import { AmountField, type Preset } from '../../../components/amount-field.tsx'
import { Button } from '../../../components/button.tsx'
import { focusFirstFault } from '../../../components/fields.tsx'
import { Amount } from '../../../components/figures.tsx'
import { explainDetail } from '../../../lib/explain-detail.ts'
import { formatSaid } from '../../../lib/format.ts'
import { useDebounced } from '../../../lib/hooks.ts'
import { parseUnits } from '../../../lib/parse-units.ts'
import { balanceQuery } from '../../../lib/queries.ts'
import { useSite } from '../../../lib/site-context.ts'
import { useDraft } from '../../../lib/use-draft.ts'
import { openWalletDialog } from '../../../wallet/wallet-store.ts'
import { findFault } from './amounts.ts'
import { reasonFor, type TakePartContext, type Token } from './context.ts'
import styles from './take-part.module.css'

const EMPTY = { amount: '' }

interface AmountFormOptions<Answer, Key extends QueryKey> {
  context: TakePartContext
  action: 'buy' | 'sell' | 'deposit' | 'withdraw'
  /** What the amount is in. */
  token: Token
  /** What the wallet has of it, as far as that is known. */
  most: string | undefined
  /** For how long nothing is typed before the service is asked. */
  pauseMs: number
  /** Asks what an amount would do. Without an amount, a form may ask about a small one. */
  questionOf(units: bigint | undefined): FetchQueryOptions<Answer, Error, Answer, Key>
  /** Whether an amount is worth asking about. */
  isAskable(units: bigint | undefined): boolean
  /** What is wrong with an amount besides what is wrong with any. */
  checkUnits?(units: bigint): string | undefined
}

/** An amount that is typed, what the service says that it would do, and what keeps it from being signed. */
export function useAmountForm<Answer, Key extends QueryKey>({
  context,
  action,
  token,
  most,
  pauseMs,
  questionOf,
  isAskable,
  checkUnits,
}: AmountFormOptions<Answer, Key>) {
  const queryClient = useQueryClient()
  const key = `${action}:${context.network}:${context.address}`
  const { draft, change } = useDraft(key, EMPTY, {}, 'sessionStorage')
  const [isSubmitted, setSubmitted] = useState(false)
  const [refusal, setRefusal] = useState<string>()
  const [isFetching, setFetching] = useState(false)
  const units = parseUnits(draft.amount, token.decimals)
  const asked = useDebounced(units, pauseMs)
  const typedFault =
    findFault({ text: draft.amount, units, ...token, most, isSubmitted }) ??
    (units === undefined ? undefined : checkUnits?.(units))
  const why = reasonFor(context.position, action)
  const answer = useQuery({
    ...questionOf(asked),
    placeholderData: keepPreviousData,
    enabled: isAskable(asked) && (asked === undefined || (asked === units && !typedFault && !why)),
  })
  const refused = explainRefusal(answer.error)
  const isAbout = asked === units
  const fault = typedFault ?? (units !== undefined && isAbout ? refused.fault : undefined)
  const reason = (why && `${why}.`) ?? (isAbout && !typedFault ? refused.reason : undefined)
  const isStale = answer.isPlaceholderData || !isAbout

  /** Makes sure that what is signed is what was shown: an answer about this very amount. */
  async function readExactly(): Promise<Answer | undefined> {
    if (!isStale && answer.data !== undefined) return answer.data
    setFetching(true)
    const fetched = await queryClient.fetchQuery(questionOf(units)).catch(() => undefined)
    setFetching(false)
    return fetched
  }

  /** `create` says what is signed. `isReady` is false while something else than the amount is missing or wrong. */
  async function submit(
    event: FormEvent<HTMLFormElement>,
    create: (wallet: string, units: bigint, shown: Answer) => Action,
    { canSubmit = true, isReady = true, explain = explainBuild } = {},
  ) {
    event.preventDefault()
    const form = event.currentTarget
    if (!context.account) return openWalletDialog()
    if (reason || !canSubmit || isFetching) return
    setSubmitted(true)
    setRefusal(undefined)
    if (units === undefined || !isReady || fault) return focusFirstFault(form)
    const shown = await readExactly()
    if (!shown) return
    context.open({
      ...create(context.account.address, units, shown),
      draft: key,
      onConfirmed() {
        setSubmitted(false)
        context.onConfirmed()
      },
      async onInvalid(error) {
        await answer.refetch()
        setRefusal(explain(error))
        focusFirstFault(form)
      },
    })
  }

  return {
    ...{ context, key, token, most, text: draft.amount, units, isSubmitted },
    ...{
      shown: answer.data,
      isStale,
      isRefused: refused.reason !== undefined,
      isFetching,
      fault,
      error: fault ?? refusal,
      reason,
      submit,
    },
    type(amount: string) {
      context.onBegin()
      setRefusal(undefined)
      change({ amount })
    },
    forgetRefusal: () => setRefusal(undefined),
  }
}

type Form = Pick<
  ReturnType<typeof useAmountForm>,
  'context' | 'key' | 'token' | 'most' | 'text' | 'error' | 'reason' | 'type'
>

/** Its field. */
export const TypedAmount = ({
  form: { context, token, most, text, error, type },
  label,
  heldWhere = '',
  presets,
  findMost,
}: {
  form: Form
  label: string
  heldWhere?: string
  presets: readonly Preset[]
  findMost: (() => Promise<bigint>) | undefined
}) => (
  <AmountField
    key={context.account?.address}
    {...{ label, amount: text, ...token, error, presets, findMost }}
    held={
      context.account &&
      most !== undefined && (
        <>
          You have <Amount units={most} {...token} format={formatSaid} />
          {heldWhere}
        </>
      )
    }
    onChange={type}
  />
)

/** Its button, with the reason if nothing is possible now. It stays in view while the form is longer than the window. */
export function Submit({
  form: { context, key, reason },
  lack,
  isPrimary,
  children,
}: {
  form: Form
  /** What the wallet has too little of. It is no warning: selling everything ends like this. */
  lack?: string | undefined
  isPrimary: boolean
  children: ReactNode
}) {
  const why = reason ?? lack
  const id = `${key}-reason`
  return (
    <>
      {why && (
        <p id={id} className={reason ? styles.reason : styles.note} role="status">
          {why}
        </p>
      )}
      <div className={styles.submit}>
        <Button
          kind={isPrimary && !lack ? 'primary' : 'quiet'}
          type="submit"
          aria-disabled={context.account !== undefined && why !== undefined}
          aria-describedby={why ? id : undefined}
        >
          {context.account ? children : context.connect}
        </Button>
      </div>
    </>
  )
}

/** Native currency in the connected wallet, if that is what the launch is paid in. Undefined while it is not known. */
export function useFunds({ account, network, tokens, position }: TakePartContext): string | undefined {
  const { settings } = useSite()
  const rpcUrl = settings.rpc[network]?.url
  const isNative = tokens.quoteMint === WRAPPED_NATIVE_MINT
  const isEnabled = isNative && rpcUrl !== undefined && account !== undefined
  const { data, refetch } = useQuery({
    ...balanceQuery(rpcUrl ?? '', network, account?.address ?? ''),
    enabled: isEnabled,
  })
  // Events have the position read again. If it has changed, this wallet has paid or was paid, perhaps in another tab.
  const held = position && [position.wallet, position.balance, position.deposited, position.claimed].join()
  const known = useRef(held)
  useEffect(() => {
    if (held === known.current) return
    const isFirst = known.current === undefined
    known.current = held
    if (isEnabled && !isFirst) void refetch()
  }, [held, isEnabled, refetch])
  return data
}

/** A refusal of the service in words: what is wrong with the amount, or why nothing is possible now. */
function explainRefusal(error: unknown): { fault?: string; reason?: string } {
  if (!(error instanceof SlipwayError)) return {}
  const [detail] = error.details ?? []
  if (detail?.path.startsWith('amount')) return { fault: explainDetail(detail.message) }
  if (error.status === 400) return { fault: explainDetail(error.message.replace(/^✖ /, '')) }
  if (error.status === 409)
    return { reason: detail ? `${error.message}: ${detail.message}.` : `${error.message}.` }
  if (error.status === 429) return { reason: 'Too many questions at once. The figures follow in a moment.' }
  return { reason: 'The service can’t read the chain right now. Nothing you typed is lost.' }
}

export function explainBuild(error: SlipwayError): string {
  const { fault, reason } = explainRefusal(error)
  return fault ?? reason ?? `The service says: ${error.message}.`
}
