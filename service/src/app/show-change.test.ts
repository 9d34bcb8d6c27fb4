import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createDeadline } from '../lib/deadline.ts'
import { createShowChange } from './show-change.ts'

function prepare(showElsewhere?: () => Promise<unknown>) {
  const outcomes: unknown[] = []
  const showChange = createShowChange({
    showElsewhere,
    onShown: () => outcomes.push('shown'),
    onLate: error => outcomes.push(['late', error]),
  })
  return { outcomes, showChange }
}

test('a failure is tried again until the change is shown', async () => {
  const { outcomes, showChange } = prepare()
  let attempts = 0
  await showChange(createDeadline(60_000), async () => {
    attempts += 1
    if (attempts === 1) throw new Error('the store is busy')
  })
  expect([attempts, outcomes]).toEqual([2, ['shown']])
})

test('a stored change is confirmed shortly before the time is up, even if it cannot be shown', async () => {
  for (const [show, error] of [
    [() => new Promise(() => {}), undefined],
    [() => Promise.reject('the store is down'), 'the store is down'],
  ] as const) {
    const { outcomes, showChange } = prepare()
    const deadline = createDeadline(500)
    await showChange(deadline, show)
    expect(outcomes).toEqual([['late', error]])
  }
})

test('a change is confirmed once the other workers show it too', async () => {
  let onShownElsewhere = (_: unknown) => {}
  const { outcomes, showChange } = prepare(
    () =>
      new Promise(resolve => {
        onShownElsewhere = resolve
      }),
  )
  const confirmed = showChange(createDeadline(60_000), async () => {})
  await nextTurn()
  expect(outcomes).toEqual([])
  onShownElsewhere(undefined)
  await confirmed
  expect(outcomes).toEqual(['shown'])
})
