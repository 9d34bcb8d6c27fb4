import type { Network } from '@slipway/client'
import { Check, CircleAlert, Clock, LoaderCircle } from 'lucide-react'
import { ExternalLink } from '../components/external-link.tsx'
import { explorerUrl } from '../lib/explorer.ts'
import { useSite } from '../lib/site-context.ts'
import type { Step } from '../transactions/intent.ts'
import type { Income } from './action.ts'
import type { Row } from './action-state.ts'
import { checkIncome, formatIncome } from './check-income.ts'
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
    <ol className={styles.rows}>
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
export const isTold = ({ done }: Step): boolean => done !== undefined

const Steps = ({ steps }: { steps: readonly Step[] }) =>
  steps.length > 0 && (
    <ul className={styles.steps}>
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
