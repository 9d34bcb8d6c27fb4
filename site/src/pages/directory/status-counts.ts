import type { Standing } from '../../lib/launches.ts'

export type StatusCounts = Record<Standing, number>

export const sumOf = ({ upcoming, live, closed, graduated }: StatusCounts): number =>
  upcoming + live + closed + graduated
