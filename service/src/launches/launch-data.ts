import type { Address } from '@slipway/schema/address'
import { cleanToken } from '@slipway/schema/clean-text'
import type { LaunchData, LaunchStatus } from '@slipway/schema/launch'
import { DEFAULT_NETWORK, type Network } from '@slipway/schema/network'
import type { LaunchRecord } from '../store/launches.ts'

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

/**
 * The URL of a launch's page: fills `{genesisAddress}` and `{network}` into the deployment's pattern. If the pattern has
 * no `{network}`, any network except the default is added as a query parameter.
 */
export function launchPageUrl(pattern: string, network: Network, address: Address): string {
  const page = pattern.replaceAll('{genesisAddress}', address)
  if (page.includes('{network}')) return page.replaceAll('{network}', network)
  if (network === DEFAULT_NETWORK) return page
  const [place = '', ...fragment] = page.split('#')
  const withNetwork = `${place}${place.includes('?') ? '&' : '?'}network=${network}`
  return [withNetwork, ...fragment].join('#')
}
