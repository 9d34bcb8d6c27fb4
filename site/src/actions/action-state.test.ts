import { expect, test } from 'vitest'
import {
  type ActionEvent,
  type ActionState,
  BUILDING,
  type Row,
  reduceAction,
  rowsOf,
} from './action-state.ts'

const ROW = { review: { steps: [] }, state: 'ready' } as unknown as Row
const REVIEW: ActionEvent = { type: 'built', review: { rows: [ROW, ROW], balanceLamports: 1n } }

const follow = (...events: ActionEvent[]): ActionState => events.reduce(reduceAction, BUILDING)
const statesOf = (state: ActionState) => rowsOf(state).map(row => row.state)

test('an action is sending as soon as a transaction is signed, and remembers whether the chain can be reached', () => {
  const signed: ActionEvent = { type: 'row-changed', index: 0, change: { state: 'signed', signature: 'a' } }
  const state = follow(REVIEW, { type: 'asked-wallet' }, signed, { type: 'reachable', isReachable: false })
  expect(state).toMatchObject({ kind: 'sending', isReachable: false })
  const later = reduceAction(state, { type: 'row-changed', index: 0, change: { state: 'sent' } })
  expect(later).toMatchObject({ kind: 'sending', isReachable: false })
  expect(statesOf(later)).toEqual(['sent', 'ready'])
  expect(rowsOf(later)[0]?.signature).toBe('a')
})

test('the costs stay known while the wallet signs and the transaction is sent', () => {
  const estimate = { totalLamports: 2n, rentLamports: 1n }
  const built: ActionEvent = { type: 'built', review: { rows: [ROW], estimate, balanceLamports: 1n } }
  const signing = follow(built, { type: 'asked-wallet' })
  expect(signing).toMatchObject({ kind: 'signing', estimate })
  expect(reduceAction(signing, { type: 'row-changed', index: 0, change: { state: 'sent' } })).toMatchObject({
    kind: 'sending',
    estimate,
  })
})

test('when the wallet refuses, no transaction is signed, and its words are shown once', () => {
  const state = follow(REVIEW, { type: 'asked-wallet' }, { type: 'not-signed', reason: 'No' })
  expect(statesOf(state)).toEqual(['rejected', 'rejected'])
  expect(rowsOf(state).map(({ reason }) => reason)).toEqual(['No', undefined])
  expect(state.kind).toBe('finished')
})

test('a new start forgets the earlier state', () => {
  expect(follow(REVIEW, { type: 'finished' }, { type: 'started' })).toEqual(BUILDING)
  expect(follow(REVIEW, { type: 'blocked', cause: 'busy' })).toEqual({
    kind: 'blocked',
    cause: 'busy',
    text: '',
  })
})
