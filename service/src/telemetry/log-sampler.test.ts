import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createLogSampler } from './log-sampler.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('a flood of one kind is one line per second with the number of lines left out, and hides no other kind', () => {
  const written: [string, number][] = []
  const sample = createLogSampler<string>((line, leftOut) => written.push([line, leftOut]))
  for (let at = 0; at < 1_000; at += 1) sample('flood', `${at}`)
  sample('other', 'once')
  expect(written).toEqual([
    ['0', 0],
    ['once', 0],
  ])
  vi.advanceTimersByTime(1_000)
  sample('flood', 'still')
  expect(written.slice(2)).toEqual([['999', 998]])
  vi.advanceTimersByTime(1_000)
  expect(written.slice(3)).toEqual([['still', 0]])
})

test('a flood of different kinds is bounded too', () => {
  let written = 0
  const sample = createLogSampler<string>(() => {
    written += 1
  })
  for (let at = 0; at < 1_000; at += 1) sample(`kind ${at}`, 'line')
  expect(written).toBe(21)
  vi.advanceTimersByTime(1_000)
  expect(written).toBe(22)
})

test('lines more than a second apart are all written, and no timer stays behind', () => {
  const written: string[] = []
  const sample = createLogSampler<string>(line => written.push(line))
  for (const line of ['a', 'b', 'c']) {
    sample('rare', line)
    vi.advanceTimersByTime(1_001)
  }
  expect(written).toEqual(['a', 'b', 'c'])
  expect(vi.getTimerCount()).toBe(0)
})
