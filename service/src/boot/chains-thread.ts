/** The thread that runs the embedded chains. Building the demo and trading in it must not delay the service's answers. */
import { parentPort } from 'node:worker_threads'
import type { Demo, DemoKey, World } from '@slipway/local-chain'
import type { Address } from '@slipway/schema/address'
import type { ExampleAddresses } from '@slipway/schema/example-addresses'
import type { Network } from '@slipway/schema/network'
import type { DemoLaunch } from '../demo/seed-demo.ts'

export interface ChainsSettings {
  dataDir: string
  /** `LOCAL_CHAIN_PORT`. */
  port: number
  activity: boolean
  allowOrigins: string[]
}

export interface StartedChains {
  networks: { network: Network; rpcUrl: string; wsUrl: string; genesisHash: string; keys: DemoKey[] }[]
  socialUrl: string
  /** `host:port` of the demo's documents. It is on loopback, from which no other documents are fetched. */
  documentsHost: string
  /** Path of `demo.json`. */
  demoFile: string
  /** An agent with funds. */
  agent: { address: Address; owner: string; name: string; description: string } | undefined
  /** What the examples of the API reference are about. */
  exampleAddresses: ExampleAddresses
  /** All but the launch that users are invited to register. */
  launches: DemoLaunch[]
}

/**
 * The first message that the thread gets has its settings. At the second, it closes the chains and ends. These are the
 * messages that it sends.
 */
export type ChainsMessage =
  /** The chains run. Their demo is still being built. */
  | { kind: 'started'; chains: StartedChains }
  | { kind: 'built' }
  /** A failure without advice for the operator is a fault of ours. */
  | { kind: 'failed'; error: unknown; advice: string | undefined }
  | { kind: 'log'; level: 'info' | 'error'; fields: { error?: unknown }; message: string }

const post = (message: ChainsMessage) => parentPort?.postMessage(message)

const loading = import('@slipway/local-chain')
// `start` reports a failure to load, once the settings have arrived.
loading.catch(() => {})

async function start({ dataDir, ...settings }: ChainsSettings): Promise<void> {
  const { startDemo, StartError, registrationOf, listDemoKeys } = await loading
  const describe = (demo: Demo): StartedChains => {
    const world = demo.networks[0]?.world
    // The agent that the examples describe. It has funds and a token, and the launch of that token is live.
    const agent = world?.agents.find(({ entry }) => entry.name === 'Patchbot')
    return {
      networks: demo.networks.map(({ local: { network, rpcUrl, wsUrl, chain }, world }) => ({
        network: network as Network,
        rpcUrl,
        wsUrl,
        genesisHash: chain.genesisHash(),
        keys: listDemoKeys(world),
      })),
      socialUrl: demo.socialUrl,
      documentsHost: demo.documentsHost,
      demoFile: demo.demoFile,
      agent: agent && {
        address: agent.address as string as Address,
        owner: agent.owner.address,
        name: agent.entry.name,
        description: agent.entry.description,
      },
      exampleAddresses: findExampleAddresses(world, agent),
      launches: demo.networks.flatMap(({ local, world }) =>
        world.launches
          .filter(({ entry }) => !entry.unregistered)
          .map(launch => ({
            registration: registrationOf(launch, local.network as Network),
            spotlight: launch.entry.spotlight ?? false,
          })),
      ),
    }
  }
  try {
    await startDemo({
      ...settings,
      dataDir,
      log: {
        info: (fields, message) => post({ kind: 'log', level: 'info', fields, message }),
        error: (fields, message) => post({ kind: 'log', level: 'error', fields, message }),
      },
      onRunning(running) {
        parentPort?.once('message', async () => {
          await running.close()
          process.exit()
        })
        post({ kind: 'started', chains: describe(running) })
      },
    })
    post({ kind: 'built' })
  } catch (error) {
    const { message, syscall, path } = error as NodeJS.ErrnoException
    const isFileError = syscall !== undefined && path !== undefined
    const advice = isFileError ? `DATA_DIR ${dataDir} cannot be used: ${message}` : undefined
    post({ kind: 'failed', error, advice: error instanceof StartError ? message : advice })
  }
}

function findExampleAddresses(
  world: World | undefined,
  agent: World['agents'][number] | undefined,
): ExampleAddresses {
  const launch = world?.launches.find(({ mint }) => mint === agent?.token)
  // Neither the guides nor the start-up screen claim from this wallet, so there is something left to claim.
  const creator = world?.rewards.find(({ buckets }) => buckets.length === 1)
  return {
    ...(agent && { agent: agent.address, agentWallet: agent.wallet, owner: agent.owner.address }),
    ...(launch && { launch: launch.genesisAddress, token: launch.mint }),
    ...(creator && { creator: creator.wallet.address }),
  }
}

parentPort?.once('message', (settings: ChainsSettings) =>
  start(settings).catch(error => {
    const [reason] = `${(error as Error).message}`.split('\n', 1)
    const advice = `The embedded chains cannot run on this machine (${reason}). Set RPC_URL_MAINNET or RPC_URL_DEVNET.`
    post({ kind: 'failed', error, advice })
  }),
)
