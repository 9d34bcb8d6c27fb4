import { resolve } from 'node:path'
import { NETWORKS } from '@slipway/schema/network'
import type { Config } from '../config.ts'
import type { LaunchSnapshots } from '../launches/launch-snapshots.ts'
import type { LocalChains } from './start-local-chains.ts'

/** What a newcomer reads after the start: what runs, and commands to paste. */
export function welcome({
  config: { publicUrl, dataDir, databaseUrl, social },
  place,
  snapshots,
  chains,
}: {
  config: Config
  place: string
  snapshots: LaunchSnapshots
  /** Absent when the service works with real ones. */
  chains: LocalChains | undefined
}): string {
  const counts = NETWORKS.map(network => `${snapshots.of(network).size} on ${network}`).join(', ')
  const launches = snapshots.of('chain-mainnet')
  const example = [...launches.addresses()].find(address => launches.launch(address)?.spotlight === false)
  // A command in another terminal must find this very store.
  const sameStore =
    databaseUrl !== undefined ? 'DATABASE_URL=… ' : dataDir === resolve('data') ? '' : `DATA_DIR=${dataDir} `
  // The stand-in knows this token; a network that the operator has named does not.
  const verify =
    social.apiUrl === undefined
      ? `    curl ${publicUrl}/v1/social/verify -H 'Content-Type: application/json' -d '{"accessToken":"demo-token-harbourmaster"}'\n`
      : ''
  return `
  Slipway is running.

    API        ${publicUrl}/v1
    Reference  ${publicUrl}/docs
    Store      ${place}
    Launches   ${counts}
${chains ? describeChains(chains) : ''}
  Try:

    curl '${publicUrl}/v1/launches?spotlight=true'
    curl '${publicUrl}/v1/launches?status=upcoming&network=chain-devnet'
    curl -i --compressed '${publicUrl}/v1/launches'
${example ? `    curl ${publicUrl}/v1/launches/${example}\n    ${sameStore}npx slipway spotlight add ${example}\n` : ''}    curl ${publicUrl}/readyz
${chains ? verify + commandsForChains(chains) : ''}
  Ctrl-C stops it; what it knows is kept.

`
}

const describeChains = ({ networks, socialUrl, demoFile }: LocalChains) => `
  Embedded, on this machine only, with throw-away keys and money that is not real:

${networks.map(({ network, rpcUrl, wsUrl }) => `    ${network.padEnd(14)}${rpcUrl}  ${wsUrl}\n`).join('')}    social network stand-in  ${socialUrl}
    agents, launches, rewards and their keys  ${demoFile}
`

function commandsForChains({ networks: [chain], example }: LocalChains): string {
  if (!chain || !example) return ''
  const call = (method: string, ...params: unknown[]) =>
    `    curl ${chain.rpcUrl} -H 'Content-Type: application/json' -d '${JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })}'\n`
  return `
  The chain answers what a Solana node answers; here an agent, and an airdrop to its owner:

${call('getSlot')}${call('getAccountInfo', example.agent, { encoding: 'base64', commitment: 'confirmed' })}${call('requestAirdrop', example.owner, 1_000_000_000)}${call('getBalance', example.owner, { commitment: 'confirmed' })}
  Point a wallet or a command line at it:

    solana config set --url ${chain.rpcUrl} --ws ${chain.wsUrl}
`
}
