import type { Review } from '../transactions/review.ts'
import type { Simulation } from '../transactions/simulate.ts'
import type { BuiltAction, TransactionState } from './action.ts'

/** One transaction of an action, and its progress. */
export interface Row {
  review: Review
  /** Absent if it can be simulated only after the previous transaction is confirmed. */
  simulation?: Simulation
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

type InReview = {
  kind: 'review'
  rows: Row[]
  income?: string | undefined
  estimate?: BuiltAction['estimate']
  /** The wallet's balance. Undefined if it can't be read. */
  balanceLamports: bigint | undefined
}

export type ActionState =
  | { kind: 'building' }
  /** Nothing can be signed. */
  | Blocked
  | InReview
  | { kind: 'signing'; rows: Row[] }
  | { kind: 'sending'; rows: Row[]; isReachable: boolean }
  | { kind: 'finished'; rows: Row[] }

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
  | { type: 'finished' }

export const BUILDING: ActionState = { kind: 'building' }

export const rowsOf = (state: ActionState): Row[] => ('rows' in state ? state.rows : [])

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
      return { kind: 'signing', rows: rowsOf(state) }
    case 'row-changed': {
      const rows = rowsOf(state).map((row, at) => (at === event.index ? { ...row, ...event.change } : row))
      return { kind: 'sending', rows, isReachable: state.kind === 'sending' ? state.isReachable : true }
    }
    case 'reachable':
      return { kind: 'sending', rows: rowsOf(state), isReachable: event.isReachable }
    case 'not-signed':
      return {
        kind: 'finished',
        // The wallet's words are the same for all transactions.
        rows: rowsOf(state).map((row, at) => ({
          ...row,
          state: 'rejected',
          ...(at === 0 && { reason: event.reason }),
        })),
      }
    case 'finished':
      return { kind: 'finished', rows: rowsOf(state) }
  }
}
