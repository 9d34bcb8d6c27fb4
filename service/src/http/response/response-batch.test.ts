import { expect, test } from 'vitest'
import { createResponseBatch } from './response-batch.ts'

const ignore = () => {}

test('responses are sent once each and in order, at the end of the turn or when there are many', async () => {
  const sent: number[] = []
  const batch = createResponseBatch<number>(response => sent.push(response), ignore)
  const responses = Array.from({ length: 200 }, (_, at) => at)
  for (const response of responses.slice(0, 63)) batch.add(response)
  expect(sent).toEqual([])
  for (const response of responses.slice(63)) batch.add(response)
  expect(sent).toEqual(responses.slice(0, 192))
  await new Promise(setImmediate)
  expect(sent).toEqual(responses)
  batch.add(200)
  await new Promise(setImmediate)
  expect(sent.at(-1)).toBe(200)
})

test('a response that is added while others are sent waits for the next turn', async () => {
  const sent: string[] = []
  const batch = createResponseBatch<string>(response => {
    sent.push(response)
    if (response === 'first') batch.add('second')
  }, ignore)
  batch.add('first')
  batch.flush()
  expect(sent).toEqual(['first'])
  await new Promise(setImmediate)
  expect(sent).toEqual(['first', 'second'])
})

test('the callback runs right after the last response of a turn', async () => {
  const happened: string[] = []
  const batch = createResponseBatch<string>(
    response => happened.push(response),
    () => happened.push('all'),
  )
  batch.add('first')
  batch.add('second')
  await new Promise(setImmediate)
  expect(happened).toEqual(['first', 'second', 'all'])
})
