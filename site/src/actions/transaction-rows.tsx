import type { Network } from '@slipway/client'
import { Check, CircleAlert, Clock, LoaderCircle } from 'lucide-react'
import { Facts } from '../components/layout.tsx'
import { ExternalLink } from '../components/text.tsx'
import { toSol } from '../lib/format.ts'
import { explorerUrl } from '../lib/links.ts'
import { describeImpact, EXTREME_IMPACT_BPS } from '../lib/price-impact.ts'
import { useSite } from '../lib/site-context.ts'
import type { Step } from '../transactions/intent.ts'
import type { Income } from './action.ts'
import type { ActionState, Row } from './action-state.ts'
import { checkIncome, findContradiction, formatIncome, listParts, most, sumCosts, toSigned } from './costs.ts'
import styles from './transaction-rows.module.css'

interface RowsProps {
  rows: readonly Row[]
  /** What all of them pay. */
  income?: readonly Income[] | undefined
  network: Network
  wallet: string
}

/** Each transaction with what it does, and its outcome. One alone is short: the payment above says most of it. */
export function TransactionRows({ rows, income, network, wallet }: RowsProps) {
  if (rows.every(({ group }) => group)) return <GroupedRows {...{ rows, income, network, wallet }} />
  const [only, ...others] = rows
  if (others.length === 0 && only && !stateOf(only) && only.review.steps.every(step => step.isMinor))
    return null
  return (
    <ol className="stack gap-4">
      {rows.map((row, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: their order never changes
        <li key={at} className={styles.row}>
          {rows.length > 1 && (
            <h3 className={styles.number}>
              Transaction {at + 1} of {rows.length}
            </h3>
          )}
          <Steps
            steps={rows.length > 1 ? row.review.steps : row.review.steps.filter(step => !step.isMinor)}
          />
          <RowState row={row} network={network} />
        </li>
      ))}
    </ol>
  )
}

/**
 * One line for each thing that the transactions are about. Its steps are in the details, if the simulation confirms
 * what it pays.
 */
function GroupedRows({ rows, income, network, wallet }: RowsProps) {
  const groups = new Map<string | undefined, Row[]>()
  for (const row of rows) groups.set(row.group?.key, [...(groups.get(row.group?.key) ?? []), row])
  return (
    <ul className={styles.groups}>
      {[...groups].map(([key, ofGroup]) => {
        const amount = findChecked(ofGroup, wallet)
        const isShort = income !== undefined && amount !== undefined
        return (
          <li key={key}>
            <p className={styles.group}>
              <bdi>{ofGroup[0]?.group?.name}</bdi> <bdi>{amount}</bdi>
            </p>
            {ofGroup.map((row, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: their order never changes
              <div key={at}>
                <Steps steps={isShort ? row.review.steps.filter(isTold) : row.review.steps} />
                <RowState row={row} network={network} />
              </div>
            ))}
          </li>
        )
      })}
    </ul>
  )
}

/** What a group pays, if its own simulations show it too. */
function findChecked(rows: readonly Row[], wallet: string): string | undefined {
  const income = rows[0]?.group?.income
  return income && checkIncome(rows, income, wallet)?.isChecked ? formatIncome(income) : undefined
}

/** Whether a step is always shown. All others may be in the details only. */
const isTold = ({ done }: Step): boolean => done !== undefined

const Steps = ({ steps }: { steps: readonly Step[] }) =>
  steps.length > 0 && (
    <ul className="stack breakable gap-1">
      {steps.map(({ text, detail }) => (
        <li key={`${text} ${detail}`}>
          <bdi>{text}</bdi>
        </li>
      ))}
    </ul>
  )

const STATES = {
  ready: undefined,
  signed: { Icon: LoaderCircle, text: 'Signed. Sending it…' },
  sent: { Icon: LoaderCircle, text: 'Sent, not confirmed yet' },
  confirmed: { Icon: Check, text: 'Confirmed' },
  rejected: { Icon: CircleAlert, text: 'Refused by the network' },
  failed: { Icon: CircleAlert, text: 'Failed' },
  expired: { Icon: Clock, text: 'Expired' },
  unknown: { Icon: Clock, text: 'Not known' },
}

/** What the wallet refused is said once, for all transactions. */
const stateOf = ({ state, signature }: Row) =>
  state === 'rejected' && !signature ? undefined : STATES[state]

function RowState({ row, network }: { row: Row; network: Network }) {
  const { settings } = useSite()
  const state = stateOf(row)
  if (!state) return null
  const { Icon, text } = state
  return (
    <p className={styles.state} data-state={row.state}>
      <Icon size={16} strokeWidth={1.5} aria-hidden="true" />
      <span>
        {text}
        {row.reason && <bdi className={styles.reason}>{row.reason}</bdi>}
        {row.signature && row.state !== 'rejected' && (
          <span className={styles.link}>
            <ExternalLink
              url={explorerUrl(`tx/${row.signature}`, network, settings)}
              text="View transaction"
            />
          </span>
        )}
      </span>
    </p>
  )
}

type Reviewed = Pick<
  Extract<ActionState, { kind: 'review' }>,
  'rows' | 'income' | 'estimate' | 'expiry' | 'impact' | 'balanceLamports'
>

/** What it costs besides the payment. With the payment, the lines add up to the change of the wallet's balance. */
export function Costs({
  rows,
  income,
  estimate,
  expiry,
  isSent,
}: Pick<Reviewed, 'rows' | 'income' | 'estimate' | 'expiry'> & {
  /** The outcome of each transaction then says more than its simulation. */
  isSent: boolean
}) {
  const simulated = rows.filter(({ simulation }) => simulation)
  const runs = simulated.every(({ simulation }) => simulation?.outcome === 'ok')
  const all = sumCosts(rows)
  return (
    <div className={styles.costs}>
      <Facts
        facts={{
          'Network fee': toSol(all.fee),
          'Rent and program fees': !all.parts && estimate && `About ${toSol(estimate.rentLamports)}`,
          ...(all.parts ? listParts(all.parts, most(rows)) : {}),
          'Change in your balance': describeChange({ rows, income, estimate }),
          'Expires after': expiry,
        }}
      />
      {runs && !isSent && (
        <p className={styles.simulated}>
          <Check size={16} strokeWidth={1.5} aria-hidden="true" />
          {describeSimulated(simulated.length < rows.length)}
        </p>
      )}
    </div>
  )
}

/** Shown right above the button: why the transactions can't run, and what is bad about them. */
export function Warnings({ wallet, ...reviewed }: Reviewed & { wallet: string }) {
  const { impact } = reviewed
  const texts = [
    findProblem(reviewed),
    findContradiction(reviewed, wallet)?.text,
    impact && describeImpact(impact),
  ].filter(text => text !== undefined)
  return texts.map(text => (
    <p key={text} role="alert" className="failure">
      {text}
    </p>
  ))
}

function findProblem({ rows, estimate, balanceLamports }: Reviewed): string | undefined {
  const simulations = rows.flatMap(({ simulation }) => simulation ?? [])
  const failure = simulations.find(({ outcome }) => outcome === 'fails')
  if (failure?.outcome === 'fails') return `It would fail: ${failure.reason}`
  const shortage = describeShortage({ rows, estimate, balanceLamports })
  if (shortage) return shortage
  const doubt = simulations.find(({ outcome }) => outcome === 'unknown')
  return doubt?.outcome === 'unknown' ? `It could not be simulated: ${doubt.reason}` : undefined
}

/** Whether a trade or a payout is so bad that the button must say so. */
export const isExtreme = (reviewed: Reviewed, wallet: string): boolean =>
  (reviewed.impact?.bps ?? 0) >= EXTREME_IMPACT_BPS || findContradiction(reviewed, wallet)?.isLess === true

function describeChange({
  rows,
  income,
  estimate,
}: Pick<Reviewed, 'rows' | 'income' | 'estimate'>): string | undefined {
  const { change, fee } = sumCosts(rows)
  // The lines above say the same, and a minus beside what arrives would look like a loss.
  if (change === -fee || (income && change !== undefined && change < 0n)) return undefined
  if (change === undefined) return estimate && `About ${toSigned(-estimate.totalLamports)}`
  // Transactions that are simulated alone may each count the same rent.
  return `${rows.length > 1 ? 'About ' : ''}${toSigned(change)}`
}

/** Whether signing makes sense: nothing is known to fail, and the wallet can pay for all transactions. */
export const canSign = (reviewed: Reviewed): boolean =>
  reviewed.rows.every(({ simulation }) => simulation?.outcome !== 'fails') && !describeShortage(reviewed)

/**
 * What the wallet has and what it needs, if it has too little. Otherwise the first transactions of several would be
 * executed, and a later one, such as the first buy of a finalized launch, would fail.
 */
function describeShortage({ rows, estimate, balanceLamports }: Reviewed): string | undefined {
  const { neededMin } = sumCosts(rows)
  const total = estimate?.totalLamports ?? 0n
  const needed = total > neededMin ? total : neededMin
  if (balanceLamports === undefined || needed <= balanceLamports) return undefined
  const amount = `${needed === total ? 'about' : 'at least'} ${toSol(needed)}`
  return `You have ${toSol(balanceLamports)}. This takes ${amount}.`
}

const describeSimulated = (isPartial: boolean): string =>
  isPartial
    ? 'The first transaction passed a simulation. The rest can’t be simulated until the first is confirmed.'
    : 'Passed a simulation without errors.'

/** Everything that most people skip, in one place: the steps around a payment, full addresses, and partial costs. */
export function SheetDetails({ rows }: { rows: readonly Row[] }) {
  const first = rows.filter(({ simulation }) => simulation)
  const { moved, fee, parts, change } = sumCosts(first)
  return (
    <details className={styles.detail}>
      <summary>Details</summary>
      {rows.map(({ review, group }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: their order never changes
        <section key={at}>
          {rows.length > 1 && <h3 className={styles.number}>Transaction {at + 1}</h3>}
          <StepDetails
            steps={review.steps}
            isShown={step => (group ? isTold(step) : rows.length > 1 || !step.isMinor)}
          />
        </section>
      ))}
      {first.length < rows.length && change !== undefined && parts && (
        <section>
          <h3 className={styles.number}>The first transaction alone</h3>
          <Facts
            facts={{
              'You send': moved > 0n && toSol(moved),
              'Network fee': toSol(fee),
              ...listParts(parts),
              'Change in your balance': toSigned(change),
            }}
          />
        </section>
      )}
    </details>
  )
}

/** The text of a step that the sheet shows above is not repeated. */
const StepDetails = ({ steps, isShown }: { steps: readonly Step[]; isShown(step: Step): boolean }) => (
  <ol>
    {steps.map(step => (
      <li key={`${step.text} ${step.detail}`}>
        {!isShown(step) && <bdi className={styles.minor}>{step.text}</bdi>}
        {step.detail && <bdi>{markAddresses(step.detail)}</bdi>}
      </li>
    ))}
  </ol>
)

const ADDRESS = /(?<![\w/-])([1-9A-HJ-NP-Za-km-z]{32,44})(?![\w-])/

/** Every second part is what the expression matches. */
const markAddresses = (text: string) =>
  // biome-ignore lint/suspicious/noArrayIndexKey: their order never changes
  text.split(ADDRESS).map((part, at) => (at % 2 === 1 ? <code key={at}>{part}</code> : part))
