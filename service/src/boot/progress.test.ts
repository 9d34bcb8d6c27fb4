import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createProgress } from './progress.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function collect(isTTY: boolean, options: Parameters<typeof createProgress>[1] = {}) {
  const written: string[] = []
  const stream = { isTTY, columns: 60, write: (text: string | Uint8Array) => written.push(`${text}`) }
  return { written, progress: createProgress(stream, options) }
}

test('in a terminal, one line is updated in place, cut to the width, and cleared at the end', () => {
  const { written, progress } = collect(true)
  progress.show('Reading', 0.5)
  vi.advanceTimersByTime(1_000)
  progress.show('x'.repeat(80))
  progress.clear()
  vi.advanceTimersByTime(1_000)
  expect(written[0]).toBe('\r\u001b[KReading [###############...............] 50 %, 0 s')
  expect(written).toContain('\r\u001b[KReading [###############...............] 50 %, 1 s')
  expect(written.slice(-2)).toEqual([`\r\u001b[K${'x'.repeat(59)}`, '\r\u001b[K'])
})

test('elsewhere, a line is written every five seconds, and none for short work', () => {
  const { written, progress } = collect(false)
  progress.show('Starting')
  vi.advanceTimersByTime(4_900)
  expect(written).toEqual([])
  vi.advanceTimersByTime(5_200)
  progress.clear()
  expect(written).toEqual(['Starting (5 s)\n', 'Starting (10 s)\n'])
})

test('the first line can be written at once', () => {
  const { written, progress } = collect(false, { quietMs: 0 })
  for (const share of [0, 0.1, 0.2]) progress.show('Reading', share)
  progress.clear()
  expect(written).toEqual(['Reading (0 %, 0 s)\n'])
})

test('elsewhere, a line can go to the log instead', () => {
  const lines: unknown[] = []
  const { written, progress } = collect(false, { onLine: (...line) => lines.push(line) })
  progress.show('Starting')
  vi.advanceTimersByTime(5_100)
  progress.clear()
  expect([written, lines]).toEqual([[], [['Starting', 5]]])
})
