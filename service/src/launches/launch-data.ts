import { cleanToken } from '@slipway/schema/clean-text'
import type { LaunchData, LaunchStatus } from '@slipway/schema/launch'
import type { LaunchRecord } from '../store/launches.ts'
import { launchPageUrl } from './launch-page.ts'

/** A launch as listings show it at this instant, its fields in the order of the contract. `launchPage` is a pattern. */
export function buildLaunchData(record: LaunchRecord, launchPage: string, nowMs: number): LaunchData {
  return {
    launch: {
      launchPage: launchPageUrl(launchPage, record.network, record.genesisAddress),
      mechanic: record.mechanic,
      genesisAddress: record.genesisAddress,
      spotlight: record.spotlight,
      startTime: record.startsAt.toISOString(),
      endTime: record.endsAt.toISOString(),
      status: statusOf(record, nowMs),
      heroUrl: record.heroUrl,
      graduatedAt: record.graduatedAt?.toISOString() ?? null,
      lastActivityAt: record.lastActivityAt.toISOString(),
      // The contract has two types; a bonding curve is open-ended like a launch pool.
      type: record.mechanic === 'presaleV2' ? 'presale' : 'launchpool',
    },
    baseToken: cleanToken(record.token),
    website: record.website,
    socials: record.socials,
  }
}

/** Derived, never stored: it changes with the clock, without a write. */
function statusOf({ graduatedAt, startsAt }: LaunchRecord, nowMs: number): LaunchStatus {
  if (graduatedAt) return 'graduated'
  return nowMs < startsAt.getTime() ? 'upcoming' : 'live'
}
