import type { ReleaseSchedule } from '@slipway/launch-model/kinds/bucket-parts'

/** How something is let go of over time: `paid out over 6 months, 10 % at once`. */
export function describeRelease(
  { start, duration, cliffAmountBps }: ReleaseSchedule,
  word: 'locked' | 'paid out',
): string {
  if (start.kind === 'Never') return word === 'locked' ? 'locked for good' : 'never paid out'
  const first = cliffAmountBps > 0 ? `, ${cliffAmountBps / 100}% of it at first` : ''
  return word === 'locked'
    ? `locked, and released over ${formatSpan(Number(duration))}${first}`
    : `paid out over ${formatSpan(Number(duration))}${first}`
}

const DAY = 86_400
const SPANS: [seconds: number, name: string][] = [
  [365 * DAY, 'year'],
  [30 * DAY, 'month'],
  [DAY, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
]

/** 364 days are called a year. */
const ALMOST = 0.97

/** `1 year`, `6 months`, `10 days`: the largest unit of which there is at least one, rounded. */
export function formatSpan(seconds: number): string {
  const [unit, name] = SPANS.find(([size]) => seconds >= ALMOST * size) ?? [1, 'second']
  const count = Math.round((seconds / unit) * 10) / 10
  return `${count} ${name}${count === 1 ? '' : 's'}`
}
