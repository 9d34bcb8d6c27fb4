import type { LaunchData } from '@slipway/schema/launch'
import type { LaunchRecord } from '../store/launches.ts'
import { launchPageUrl } from './launch-page.ts'
import { launchStatus } from './launch-status.ts'

/** A launch as the listings show it at this instant; the fields stand in the contract's order. `launchPage` is a pattern. */
export function launchData(record: LaunchRecord, launchPage: string, nowMs: number): LaunchData {
  return {
    launch: {
      launchPage: launchPageUrl(launchPage, record.network, record.genesisAddress),
      mechanic: record.mechanic,
      genesisAddress: record.genesisAddress,
      spotlight: record.spotlight,
      startTime: record.startsAt.toISOString(),
      endTime: record.endsAt.toISOString(),
      status: launchStatus(record, nowMs),
      heroUrl: record.heroUrl,
      graduatedAt: record.graduatedAt?.toISOString() ?? null,
      lastActivityAt: record.lastActivityAt.toISOString(),
      // A bonding curve is of the open-ended kind.
      type: record.mechanic === 'presaleV2' ? 'presale' : 'launchpool',
    },
    baseToken: record.token,
    website: record.website,
    socials: record.socials,
  }
}
