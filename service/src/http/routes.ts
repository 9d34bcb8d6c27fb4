import type { Endpoint } from '../endpoint/endpoint.ts'
import { getLaunchEndpoint } from '../launches/get-launch.route.ts'
import { getTokenEndpoint } from '../launches/get-token.route.ts'
import type { LaunchSnapshots } from '../launches/launch-snapshots.ts'
import { listLaunchesEndpoint } from '../launches/list-launches.route.ts'

/** Every endpoint of the interface. */
export function listEndpoints({ snapshots }: { snapshots: LaunchSnapshots }): Endpoint[] {
  return [listLaunchesEndpoint(snapshots), getLaunchEndpoint(snapshots), getTokenEndpoint(snapshots)]
}
