import { isIPv6 } from 'node:net'
import { resolve } from 'node:path'
import { NETWORKS } from '@slipway/schema/network'
import type { Config } from '../config.ts'
import type { LaunchSnapshots } from '../launches/launch-snapshots.ts'
import type { LocalChains } from './start-local-chains.ts'

/** The start-up screen: what runs where, and commands to paste. */
export function welcome({
  config,
  hasSite,
  place,
  snapshots,
  chains,
}: {
  config: Config
  hasSite: boolean
  place: string
  snapshots: LaunchSnapshots
  /** Absent unless the chains are embedded. */
  chains: LocalChains | undefined
}): string {
  const { publicUrl, metrics } = config
  const counts = NETWORKS.map(network => `${snapshots.of(network).size} on ${network}`).join(', ')
  const launches = snapshots.of('chain-mainnet')
  const example = [...launches.addresses()].find(address => launches.launch(address)?.spotlight === false)
  const sections = [
    section('Slipway is running.', [
      ...(hasSite ? [`Site       ${publicUrl}`] : []),
      `API        ${publicUrl}/v1`,
      `Reference  ${publicUrl}/docs`,
      `Store      ${place}`,
      `Launches   ${counts}`,
      ...(metrics.port === undefined
        ? []
        : [
            `Metrics    http://${isIPv6(metrics.host) ? `[${metrics.host}]` : metrics.host}:${metrics.port}/metrics`,
          ]),
    ]),
    ...(chains ? [describeChains(chains)] : []),
    section('Try:', [
      `curl '${publicUrl}/v1/launches?spotlight=true'`,
      `curl '${publicUrl}/v1/launches?status=upcoming&network=chain-devnet'`,
      `curl -i --compressed '${publicUrl}/v1/launches'`,
      ...(example
        ? [
            `curl ${publicUrl}/v1/launches/${example}`,
            `${storeVariable(config)}npx slipway spotlight add ${example}${embeddedFlag(config)}`,
          ]
        : []),
      `curl ${publicUrl}/readyz`,
    ]),
    ...(chains ? demoSections(config, chains) : []),
  ]
  return `\n${sections.join('\n')}\n  Press Ctrl-C to stop. Everything is kept for the next start.\n\n`
}

const section = (title: string, lines: string[]) =>
  `  ${title}\n\n${lines.map(line => `    ${line}\n`).join('')}`

const describeChains = ({ networks, socialUrl, demoFile }: LocalChains) =>
  section('Embedded chains, on this machine only, with play money and throw-away keys:', [
    ...networks.map(({ network, rpcUrl, wsUrl }) => `${network.padEnd(16)}${rpcUrl}  ${wsUrl}`),
    `Social network  ${socialUrl} (stand-in)`,
    `Demo keys       ${demoFile}`,
  ])

function demoSections(config: Config, { networks: [chain], example }: LocalChains): string[] {
  if (!chain || !example) return []
  const { publicUrl, social } = config
  const { agent, owner } = example
  const post = (url: string, body: object) =>
    `curl ${url} -H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`
  const call = (method: string, ...params: unknown[]) =>
    post(chain.rpcUrl, { jsonrpc: '2.0', id: 1, method, params })
  const service = publicUrl === 'http://localhost:8080' ? '' : `SLIPWAY_URL=${publicUrl} `
  const runExample = (command: string) => `${storeVariable(config)}${service}node examples/${command}`
  return [
    section('Look at an agent and its card, build a withdrawal, then sign and submit one:', [
      `curl ${publicUrl}/v1/agents/${agent}`,
      `curl -i ${publicUrl}/v1/agents/${agent}/agent-card.json`,
      post(`${publicUrl}/v1/agents/${agent}/withdraw`, { sender: owner, amount: 0.01 }),
      runExample('withdraw.js 0.01'),
    ]),
    section("Claim a creator's rewards from five buckets:", [runExample('claim.js 5')]),
    // Only the stand-in social network accepts demo tokens.
    ...(social.apiUrl === undefined
      ? [
          section('Verify a social account, then register the one launch that is not listed yet:', [
            post(`${publicUrl}/v1/social/verify`, { accessToken: 'demo-token-harbourmaster' }),
            runExample('register.js'),
          ]),
        ]
      : []),
    section('Use the chain like any Solana node:', [
      call('getAccountInfo', agent, { encoding: 'base64', commitment: 'confirmed' }),
      call('requestAirdrop', owner, 1_000_000_000),
      `solana balance ${owner} --url ${chain.rpcUrl}`,
    ]),
  ]
}

/** What a command in another terminal needs to find the same store. */
function storeVariable({ databaseUrl, dataDir }: Config): string {
  if (databaseUrl !== undefined) return 'DATABASE_URL=… '
  return dataDir === resolve('data') ? '' : `DATA_DIR=${dataDir} `
}

/** Commands don't change the embedded store unasked if the environment looks like a deployment. */
const embeddedFlag = ({ databaseUrl, deploymentVariables }: Config) =>
  databaseUrl === undefined && deploymentVariables.length > 0 ? ' --embedded' : ''
