import { getSolanaErrorFromJsonRpcError } from '@solana/kit'
import { expect, test } from 'vitest'
import type { TransactionState } from './action.ts'
import { describeSending } from './action-sheet.tsx'
import { explainOutcome } from './use-action.ts'

test.each([
  [true, 'signed', false],
  [true, 'sent', true],
  [false, 'signed', false],
  [false, 'sent', true],
  [true, 'confirmed signed', false],
  [true, 'confirmed sent', true],
  [true, 'sent ready', false],
] as const)(
  'the page may be left only when everything is sent (reachable: %s, %s)',
  (isReachable, states, mayLeave) => {
    const rows = states.split(' ').map(state => ({ state: state as TransactionState, review: {} as never }))
    expect(describeSending({ rows, isReachable }).includes('leave this page')).toBe(mayLeave)
  },
)

const refusal = (err: unknown) =>
  getSolanaErrorFromJsonRpcError({
    code: -32002n,
    message: 'Transaction simulation failed',
    data: { err, logs: [] },
  } as never)

test('a transaction that the RPC refuses is explained like one that fails on the chain', () => {
  const failed = { InstructionError: [0, { Custom: 1 }] }
  const onChain = explainOutcome({ reason: 'failed', cause: failed, logs: [] })
  expect(onChain).toMatch(/\.$/)
  expect(explainOutcome({ reason: 'rejected', cause: refusal(failed), logs: [] })).toBe(onChain)
  expect(explainOutcome({ reason: 'rejected', cause: refusal('AccountInUse'), logs: [] })).toMatch(
    /^The network refused it: .*in use/,
  )
})

test('an expired transaction needs no reason', () => {
  expect(explainOutcome({ reason: 'expired', cause: undefined, logs: undefined })).toBeUndefined()
})
