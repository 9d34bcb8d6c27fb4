import type { Endpoint } from '../endpoint/endpoint.ts'
import { getLaunchEndpoint } from '../launches/get-launch.route.ts'
import { getTokenEndpoint } from '../launches/get-token.route.ts'
import type { LaunchSnapshots } from '../launches/launch-snapshots.ts'
import { listLaunchesEndpoint } from '../launches/list-launches.route.ts'
import type { Social } from '../social/social.ts'
import { verifySocialEndpoint } from '../social/verify-social.route.ts'

/** Every endpoint of the interface. */
export function listEndpoints({
  snapshots,
  social,
}: {
  snapshots: LaunchSnapshots
  social: Social
}): Endpoint[] {
  return [
    listLaunchesEndpoint(snapshots),
    getLaunchEndpoint(snapshots),
    getTokenEndpoint(snapshots),
    verifySocialEndpoint(social),
  ]
}
