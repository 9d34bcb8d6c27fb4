import type { Network } from '@slipway/schema/network'
import type { DecodedBucket } from '../../chain/accounts/bucket.ts'
import type { LaunchTimes } from '../../chain/launch-facts.ts'
import type { NewBucket } from '../../store/buckets.ts'
import type { NewLaunch } from '../../store/launches.ts'

/** The end of a launch that has none. */
const OPEN_END = new Date('9999-12-31T23:59:59.999Z')

/** The times that listings show. Without a start on the chain it is the registration; without an end, the graduation. */
export function timesToRow(
  { mechanic, startTime, endTime }: LaunchTimes,
  { registeredAt, graduatedAt }: { registeredAt: Date; graduatedAt: Date | undefined },
): Required<Pick<NewLaunch, 'mechanic' | 'startsAt' | 'endsAt' | 'graduatedAt'>> {
  return {
    mechanic,
    startsAt: startTime === undefined ? registeredAt : toDate(startTime),
    endsAt: endTime === undefined ? (graduatedAt ?? OPEN_END) : toDate(endTime),
    graduatedAt: graduatedAt ?? null,
  }
}

export function bucketsToRows(
  network: Network,
  slot: number,
  buckets: readonly DecodedBucket[],
): NewBucket[] {
  return buckets.map(({ address, genesis, kind, creatorFee }) => ({
    network,
    address,
    genesisAddress: genesis,
    kind,
    creatorFeeWallet: creatorFee?.wallet ?? null,
    slot,
  }))
}

const toDate = (seconds: number) => new Date(seconds * 1_000)
