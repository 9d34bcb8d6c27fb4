import type { LaunchStatus } from '@slipway/schema/launch'

/** Derived, never stored: it turns with the clock, without a write. */
export function launchStatus(
  launch: { startsAt: Date; graduatedAt: Date | null },
  nowMs: number,
): LaunchStatus {
  if (launch.graduatedAt) return 'graduated'
  return nowMs < launch.startsAt.getTime() ? 'upcoming' : 'live'
}
