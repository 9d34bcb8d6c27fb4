import { isIPv6 } from 'node:net'
import { resolve } from 'node:path'
import { NETWORKS } from '@slipway/schema/network'
import type { Config } from '../config.ts'
import type { LaunchSnapshots } from '../launches/launch-snapshots.ts'
import { EXAMPLES, SLIPWAY } from '../lib/find-installed.ts'
import type { LocalChains } from './start-local-chains.ts'

/** What runs where, and commands to paste. A terminal shows it as a screen, and the log has it as one line. */
export interface StartReport {
  site: string | undefined
  api: string
  reference: string
  store: string
  launches: Record<string, number>
  metrics: string | undefined
  /** Undefined unless the chains are embedded. */
  chains:
    | { rpc: Record<string, string>; ws: Record<string, string>; social: string; keys: string }
    | undefined
  commands: { title: string; lines: string[] }[]
}

export function reportStart({
  config,
  place,
  snapshots,
  chains,
}: {
  config: Config
  place: string
  snapshots: LaunchSnapshots
  /** Absent unless the chains are embedded. */
  chains: LocalChains | undefined
}): StartReport {
  const { publicUrl, metrics } = config
  const launches = snapshots.of('chain-mainnet')
  const example = [...launches.addresses()].find(address => launches.launch(address)?.spotlight === false)
  const perNetwork = (pick: (chain: LocalChains['networks'][number]) => string) =>
    Object.fromEntries((chains?.networks ?? []).map(chain => [chain.network, pick(chain)]))
  return {
    site: config.site ? publicUrl : undefined,
    api: `${publicUrl}/v1`,
    reference: `${publicUrl}/docs`,
    store: place,
    launches: Object.fromEntries(NETWORKS.map(network => [network, snapshots.of(network).size])),
    metrics:
      metrics.port === undefined
        ? undefined
        : `http://${isIPv6(metrics.host) ? `[${metrics.host}]` : metrics.host}:${metrics.port}/metrics`,
    chains: chains && {
      rpc: perNetwork(({ rpcUrl }) => rpcUrl),
      ws: perNetwork(({ wsUrl }) => wsUrl),
      social: chains.socialUrl,
      keys: chains.demoFile,
    },
    commands: [
      {
        title: 'Try:',
        lines: [
          `curl '${publicUrl}/v1/launches?spotlight=true'`,
          `curl '${publicUrl}/v1/launches?status=upcoming&network=chain-devnet'`,
          `curl -i --compressed '${publicUrl}/v1/launches'`,
          ...(example
            ? [
                `curl ${publicUrl}/v1/launches/${example}`,
                `${storeVariable(config)}${urlVariable(config)}${SLIPWAY} spotlight add ${example}${embeddedFlag(config)}`,
              ]
            : []),
          `curl ${publicUrl}/readyz`,
        ],
      },
      ...(chains ? listDemoCommands(config, chains) : []),
    ],
  }
}

/** The start-up screen of a terminal. */
export function formatStartScreen({ site, chains, commands, ...report }: StartReport): string {
  const counts = Object.entries(report.launches)
    .map(([network, count]) => `${count} on ${network}`)
    .join(', ')
  const sections = [
    section('Slipway is running.', [
      ...(site ? [`Site       ${site}`] : []),
      `API        ${report.api}`,
      `Reference  ${report.reference}`,
      `Store      ${report.store}`,
      `Launches   ${counts}`,
      ...(report.metrics ? [`Metrics    ${report.metrics}`] : []),
    ]),
    ...(chains
      ? [
          section('Embedded chains, on this machine only, with play money and throw-away keys:', [
            ...Object.entries(chains.rpc).map(
              ([network, url]) => `${network.padEnd(16)}${url}  ${chains.ws[network]}`,
            ),
            `Social network  ${chains.social} (stand-in)`,
            `Demo keys       ${chains.keys}`,
          ]),
        ]
      : []),
    ...commands.map(({ title, lines }) => section(title, lines)),
  ]
  return `\n${sections.join('\n')}\n  Press Ctrl-C to stop. Everything is kept for the next start.\n\n`
}

const section = (title: string, lines: string[]) =>
  `  ${title}\n\n${lines.map(line => `    ${line}\n`).join('')}`

/** The same for the log. The commands are for the demo, so a deployment's line has none. */
export const formatStartFields = ({ chains, commands, ...report }: StartReport): object => ({
  ...report,
  ...(chains && { chains, commands: commands.flatMap(({ lines }) => lines) }),
})

function listDemoCommands(
  config: Config,
  { networks: [chain], agent: example }: LocalChains,
): StartReport['commands'] {
  if (!chain || !example) return []
  const { publicUrl, social } = config
  const { address: agent, owner } = example
  const post = (url: string, body: object) =>
    `curl ${url} -H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`
  const call = (method: string, ...params: unknown[]) =>
    post(chain.rpcUrl, { jsonrpc: '2.0', id: 1, method, params })
  const service = publicUrl === DEFAULT_URL ? '' : `SLIPWAY_URL=${publicUrl} `
  const runExample = (command: string) => `${folderVariable(config)}${service}node ${EXAMPLES}/${command}`
  return [
    {
      title: 'Look at an agent and its card, build a withdrawal, then sign and submit one:',
      lines: [
        `curl ${publicUrl}/v1/agents/${agent}`,
        `curl -i ${publicUrl}/v1/agents/${agent}/agent-card.json`,
        post(`${publicUrl}/v1/agents/${agent}/withdraw`, { sender: owner, amount: 0.01 }),
        runExample('withdraw.js 0.01'),
      ],
    },
    { title: 'Buy tokens of a launch, then sell half of them:', lines: [runExample('buy.js')] },
    { title: "Claim a creator's rewards from five buckets:", lines: [runExample('claim.js 5')] },
    // Only the stand-in social network accepts demo tokens.
    ...(social.apiUrl === undefined
      ? [
          {
            title: 'Verify a social account, then register the one launch that is not listed yet:',
            lines: [
              post(`${publicUrl}/v1/social/verify`, { accessToken: 'demo-token-harbourmaster' }),
              runExample('register.js'),
            ],
          },
        ]
      : []),
    {
      title: 'Use the chain like any Solana node:',
      lines: [
        call('getAccountInfo', agent, { encoding: 'base64', commitment: 'confirmed' }),
        call('requestAirdrop', owner, 1_000_000_000),
        `solana balance ${owner} --url ${chain.rpcUrl}`,
      ],
    },
  ]
}

/** What a command in another terminal needs to find the same store. */
const storeVariable = (config: Config): string =>
  config.databaseUrl === undefined ? folderVariable(config) : 'DATABASE_URL=… '

/** What an example needs to find `demo.json`, which is in DATA_DIR whatever the store is. */
const folderVariable = ({ dataDir }: Config): string =>
  dataDir === resolve('data') ? '' : `DATA_DIR=${dataDir} `

/** What a command needs to recognise the service's own URLs, such as those of hosted documents. */
function urlVariable({ publicUrl, port }: Config): string {
  if (publicUrl === DEFAULT_URL) return ''
  return publicUrl === `http://localhost:${port}` ? `PORT=${port} ` : `PUBLIC_URL=${publicUrl} `
}

const DEFAULT_URL = 'http://localhost:8080'

/** Commands don't change the embedded store unasked if the environment looks like a deployment. */
const embeddedFlag = ({ databaseUrl, deploymentVariables }: Config) =>
  databaseUrl === undefined && deploymentVariables.length > 0 ? ' --embedded' : ''
