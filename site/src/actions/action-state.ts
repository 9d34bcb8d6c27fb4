import type { PriceImpact } from '../lib/price-impact.ts'
import type { Outlook } from '../transactions/intent.ts'
import type { Review } from '../transactions/review.ts'
import type { Simulation } from '../transactions/simulate.ts'
import type { Action, BuiltAction, Group, TransactionState } from './action.ts'

/** One transaction of an action, and its progress. */
export interface Row {
  review: Review
  /** Absent if it can be simulated only after the previous transaction is confirmed. */
  simulation?: Simulation
  group?: Group
  state: TransactionState
  signature?: string
  /** Why it failed, in words. */
  reason?: string
}

type Blocked = {
  kind: 'blocked'
  /** `unexpected`: the transaction does something other than what was asked for. */
  cause: 'service' | 'unexpected' | 'busy' | 'done' | 'earlier' | 'nothing'
  text: string
}

interface Shown {
  rows: Row[]
  income?: BuiltAction['income']
  fee?: BuiltAction['fee']
  outlook?: Outlook | undefined
  estimate?: BuiltAction['estimate']
  /** After how many blocks the transactions expire, in words. */
  expiry?: string
}

type InReview = Shown & {
  kind: 'review'
  /** How far a trade moves the price. */
  impact?: PriceImpact | undefined
  /** The wallet's balance. Undefined if it can't be read. */
  balanceLamports: bigint | undefined
}

export type ActionState =
  | { kind: 'building' }
  /** Nothing can be signed. */
  | Blocked
  | InReview
  | ({ kind: 'signing' } & Shown)
  | ({ kind: 'sending'; isReachable: boolean } & Shown)
  /** `result` says in words what it brought, if the chain has told. */
  | ({ kind: 'finished'; result?: string | undefined } & Shown)

export type ActionEvent =
  | { type: 'started' }
  | { type: 'blocked'; cause: Blocked['cause']; text?: string }
  | { type: 'built'; review: Omit<InReview, 'kind'> }
  | { type: 'asked-wallet' }
  /** A transaction got further. */
  | { type: 'row-changed'; index: number; change: Partial<Row> }
  | { type: 'reachable'; isReachable: boolean }
  /** The wallet refused, with these words. */
  | { type: 'not-signed'; reason: string }
  | { type: 'finished'; result?: string | undefined }

export const BUILDING: ActionState = { kind: 'building' }

export const rowsOf = (state: ActionState): Row[] => ('rows' in state ? state.rows : [])

/** What to say about the transactions themselves, once they are confirmed. */
export const doneByItself = (rows: readonly Row[]): string | undefined =>
  rows.flatMap(({ review }) => review.steps).find(step => step.done !== undefined)?.done

/** What everything has brought, in words. */
export const describeDone = (
  { rows, result }: { rows: readonly Row[]; result?: string | undefined },
  { done }: Pick<Action, 'done'>,
): string => result ?? doneByItself(rows) ?? (typeof done === 'string' ? done : done())

const shownOf = (state: ActionState): Shown => ({
  rows: rowsOf(state),
  ...('income' in state && { income: state.income }),
  ...('fee' in state && { fee: state.fee }),
  ...('outlook' in state && { outlook: state.outlook }),
  ...('estimate' in state && { estimate: state.estimate }),
  ...('expiry' in state && { expiry: state.expiry }),
})

/** The state after an event. */
export function reduceAction(state: ActionState, event: ActionEvent): ActionState {
  switch (event.type) {
    case 'started':
      return BUILDING
    case 'blocked':
      return { kind: 'blocked', cause: event.cause, text: event.text ?? '' }
    case 'built':
      return { kind: 'review', ...event.review }
    case 'asked-wallet':
      return { kind: 'signing', ...shownOf(state) }
    case 'row-changed': {
      const rows = rowsOf(state).map((row, at) => (at === event.index ? { ...row, ...event.change } : row))
      const isReachable = state.kind === 'sending' ? state.isReachable : true
      return { kind: 'sending', ...shownOf(state), rows, isReachable }
    }
    case 'reachable':
      return { kind: 'sending', ...shownOf(state), isReachable: event.isReachable }
    case 'not-signed':
      return {
        ...shownOf(state),
        kind: 'finished',
        // The wallet's words are the same for all transactions.
        rows: rowsOf(state).map((row, at) => ({
          ...row,
          state: 'rejected',
          ...(at === 0 && { reason: event.reason }),
        })),
      }
    case 'finished':
      return { kind: 'finished', ...shownOf(state), result: event.result }
  }
}
