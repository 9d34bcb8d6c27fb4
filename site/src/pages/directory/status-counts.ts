import type { LaunchStatus } from '@slipway/client'

export type StatusCounts = Record<LaunchStatus, number>

export const sumOf = ({ upcoming, live, graduated }: StatusCounts): number => upcoming + live + graduated
