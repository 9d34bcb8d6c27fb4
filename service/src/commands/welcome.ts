import { NETWORKS } from '@slipway/schema/network'
import type { Config } from '../config.ts'
import type { LaunchSnapshots } from '../launches/launch-snapshots.ts'

/** What a newcomer reads after the start: what runs, and commands to paste. */
export function welcome({
  config: { publicUrl },
  place,
  snapshots,
}: {
  config: Config
  place: string
  snapshots: LaunchSnapshots
}): string {
  const counts = NETWORKS.map(network => `${snapshots.of(network).size} on ${network}`).join(', ')
  const launches = snapshots.of('chain-mainnet')
  const example = [...launches.addresses()].find(address => launches.launch(address)?.spotlight === false)
  return `
  Slipway is running.

    API        ${publicUrl}/v1
    Reference  ${publicUrl}/docs
    Store      ${place}
    Launches   ${counts}

  Try:

    curl '${publicUrl}/v1/launches?spotlight=true'
    curl '${publicUrl}/v1/launches?status=upcoming&network=chain-devnet'
    curl -i --compressed '${publicUrl}/v1/launches'
${example ? `    curl ${publicUrl}/v1/launches/${example}\n    npx slipway spotlight add ${example}\n` : ''}    curl ${publicUrl}/readyz

  Ctrl-C stops it; what it knows is kept.

`
}
