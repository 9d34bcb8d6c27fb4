import type { Target } from './target.ts'

export interface Attack {
  name: string
  /** The short form, for `npm run test:all`, is the same attack with less of everything. */
  run(target: Target, isShort: boolean): Promise<Figure[]>
}

/** One measured value. With a limit, the attack fails when the value exceeds it. */
export interface Figure {
  what: string
  value: number
  unit: 'ms' | 'requests' | 'answers' | 'MB' | 'times'
  atMost?: number
  /** What happened, if the number alone doesn't show it. */
  detail?: string
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
