import { listEndpoints } from '@slipway/service/app/list-endpoints'
import { parseConfig } from '@slipway/service/config'
import { createServer } from '@slipway/service/http/server'
import { createLaunchSnapshots } from '@slipway/service/launches/launch-snapshots'
import { createSocial } from '@slipway/service/social/social'
import { SAMPLE_AGENT, sampleAgents } from '../lib/sample-agent.ts'
import { sampleLaunch } from '../lib/sample-launches.ts'
import { createServerParts, SOCIAL_SETTINGS } from '../lib/server-parts.ts'

const LAUNCH_PAGE = 'https://slipway.example/launches/{genesisAddress}'

function fail(error: unknown): never {
  throw error
}

/** The whole HTTP server of the service as in production: limits, log, metrics and all headers. */
export async function serveSlipway(launches: number): Promise<number> {
  const samples = new Map(
    Array.from({ length: launches }, (_, index) => sampleLaunch(index)).map(launch => [
      launch.genesisAddress,
      launch,
    ]),
  )
  const snapshots = createLaunchSnapshots({
    source: {
      async *readVersions() {
        yield [...samples.values()]
      },
      read: async (network, addresses) =>
        network === 'chain-mainnet' ? addresses.flatMap(address => samples.get(address) ?? []) : [],
    },
    launchPage: LAUNCH_PAGE,
    observer: {
      onUpdated: () => {},
      onFailed: fail,
      onCompressionFailed: fail,
    },
  })
  snapshots.everythingChanged()
  await snapshots.caughtUp()
  const agents = sampleAgents()
  await agents.get('chain-mainnet', SAMPLE_AGENT, 'bench')
  const social = createSocial(SOCIAL_SETTINGS, { onAnswer: () => {}, onNotAsked: () => {} })
  const app = createServer({
    ...createServerParts(),
    endpoints: listEndpoints({
      ...parseConfig({}),
      database: undefined as never,
      chains: {},
      snapshots,
      agents,
      agentList: undefined as never,
      launchList: undefined as never,
      events: undefined as never,
      rewards: {},
      markets: {},
      readPosition: undefined as never,
      social,
      register: async () => {
        throw new Error('the benchmark registers nothing')
      },
      hostDocument: async () => {
        throw new Error('the benchmark hosts nothing')
      },
      showChange: async () => {},
      launchPage: LAUNCH_PAGE,
    }),
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  return (app.server.address() as { port: number }).port
}
