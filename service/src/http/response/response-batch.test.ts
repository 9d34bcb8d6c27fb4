import { expect, test } from 'vitest'
import { createOutbox } from './response-batch.ts'

const ignore = () => {}

test('answers are sent once each and in order, at the end of the turn or when there are many', async () => {
  const sent: number[] = []
  const outbox = createOutbox<number>(answer => sent.push(answer), ignore)
  const answers = Array.from({ length: 200 }, (_, at) => at)
  for (const answer of answers.slice(0, 63)) outbox.add(answer)
  expect(sent).toEqual([])
  for (const answer of answers.slice(63)) outbox.add(answer)
  expect(sent).toEqual(answers.slice(0, 192))
  await new Promise(setImmediate)
  expect(sent).toEqual(answers)
  outbox.add(200)
  await new Promise(setImmediate)
  expect(sent.at(-1)).toBe(200)
})

test('an answer that becomes ready while others are sent waits for the next turn', async () => {
  const sent: string[] = []
  const outbox = createOutbox<string>(answer => {
    sent.push(answer)
    if (answer === 'first') outbox.add('second')
  }, ignore)
  outbox.add('first')
  outbox.empty()
  expect(sent).toEqual(['first'])
  await new Promise(setImmediate)
  expect(sent).toEqual(['first', 'second'])
})

test('when those of a turn are sent, that is told at once', async () => {
  const happened: string[] = []
  const outbox = createOutbox<string>(
    answer => happened.push(answer),
    () => happened.push('all'),
  )
  outbox.add('first')
  outbox.add('second')
  await new Promise(setImmediate)
  expect(happened).toEqual(['first', 'second', 'all'])
})
