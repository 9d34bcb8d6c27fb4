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
${chains ? commandsForDemo(publicUrl, chains, { isStandIn: social.apiUrl === undefined, sameStore }) : ''}
  Ctrl-C stops it; what it knows is kept.

`
}

const describeChains = ({ networks, socialUrl, demoFile }: LocalChains) => `
  Embedded, on this machine only, with throw-away keys and money that is not real:

${networks.map(({ network, rpcUrl, wsUrl }) => `    ${network.padEnd(14)}${rpcUrl}  ${wsUrl}\n`).join('')}    social network stand-in  ${socialUrl}
    agents, launches, rewards and their keys  ${demoFile}
`

function commandsForDemo(
  publicUrl: string,
  { networks: [chain], example }: LocalChains,
  { isStandIn, sameStore }: { isStandIn: boolean; sameStore: string },
): string {
  if (!chain || !example) return ''
  const { agent, owner } = example
  const post = (url: string, body: object) =>
    `    curl ${url} -H 'Content-Type: application/json' -d '${JSON.stringify(body)}'\n`
  const call = (method: string, ...params: unknown[]) =>
    post(chain.rpcUrl, { jsonrpc: '2.0', id: 1, method, params })
  const service = publicUrl === 'http://localhost:8080' ? '' : `SLIPWAY_URL=${publicUrl} `
  return `
  An agent, its card, and a withdrawal for its owner to sign; the last line also signs, submits and confirms one:

    curl ${publicUrl}/v1/agents/${agent}
    curl -i ${publicUrl}/v1/agents/${agent}/agent-card.json
${post(`${publicUrl}/v1/agents/${agent}/withdraw`, { sender: owner, amount: 0.01 })}    ${sameStore}${service}node examples/withdraw.js 0.01

  What launches owe a creator with five buckets, claimed, signed, submitted and confirmed:

    ${sameStore}${service}node examples/claim.js 5
${isStandIn ? `\n  A social account, proven; a launch that nobody has registered yet, registered with such a proof:\n\n${post(`${publicUrl}/v1/social/verify`, { accessToken: 'demo-token-harbourmaster' })}    ${sameStore}${service}node examples/register.js\n` : ''}
  The chain answers what a Solana node answers:

${call('getAccountInfo', agent, { encoding: 'base64', commitment: 'confirmed' })}${call('requestAirdrop', owner, 1_000_000_000)}    solana config set --url ${chain.rpcUrl} --ws ${chain.wsUrl}
`
}
