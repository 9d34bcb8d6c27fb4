import { createServer } from 'node:http'
import type { DemoKey, World } from '@slipway/local-chain'
import { PORT_OFFSETS } from '@slipway/local-chain/ports'
import { listenOnLoopback, stopServer } from '@slipway/local-chain/rpc/listen'
import type { ExampleAddresses } from '@slipway/schema/example-addresses'
import type { Network } from '@slipway/schema/network'
import type { Config } from '../config.ts'
import { buildExampleDocument, type ExampleDocument } from '../demo/host-example-document.ts'
import type { DemoLaunch } from '../demo/seed-demo.ts'
import { OperatorError } from '../operator-error.ts'
import type { ShutdownList } from '../shutdown.ts'
import type { Log } from '../telemetry/log.ts'

/** All that the service knows about the embedded chains: URLs, as for any other node, and what the start-up screen shows. */
export interface LocalChains {
  networks: { network: Network; rpcUrl: string; wsUrl: string; genesisHash: string; keys: DemoKey[] }[]
  socialUrl: string
  /** `host:port` of the demo's documents. It is on loopback, from which no other documents are fetched. */
  documentsHost: string
  /** Path of `demo.json`. */
  demoFile: string
  /** An agent with funds, and its owner. */
  example: { agent: string; owner: string } | undefined
  /** What the examples of the API reference are about. */
  exampleAddresses: ExampleAddresses
  exampleDocument: ExampleDocument | undefined
  /** All but the launch that users are invited to register. */
  launches: DemoLaunch[]
}

const STOP_MS = 1_000
/** Pages link to it. It runs in the browser, and reads the chains from there. */
const EXPLORER_ORIGIN = 'https://explorer.solana.com'

/** Throws if a port of the embedded chains is in use, before anything is started. */
export async function assertLocalPortsFree({
  port: servicePort,
  localChain: { port },
}: Config): Promise<void> {
  if (PORT_OFFSETS.includes(servicePort - port))
    throw new OperatorError(
      `PORT ${servicePort} is also a port of the embedded chains. Set PORT or LOCAL_CHAIN_PORT to another port.`,
    )
  for (const offset of PORT_OFFSETS) {
    const server = createServer()
    await listenOnLoopback(server, port + offset).catch(error => {
      throw new OperatorError((error as Error).message, { cause: error })
    })
    await stopServer(server)
  }
}

/** The only place that loads the local chain, and only when it is needed: a node with an RPC never loads it. */
export async function startLocalChains(
  { dataDir, publicUrl, localChain: { port, activity } }: Config,
  { log, shutdown }: { log: Log; shutdown: ShutdownList },
): Promise<LocalChains> {
  const loading = import('@slipway/local-chain/load-local-chain').then(({ loadLocalChain }) =>
    loadLocalChain(),
  )
  const { startDemo, StartError, registrationOf, listDemoKeys } = await loading.catch(error => {
    throw new OperatorError(
      `The embedded chains cannot run on this machine (${firstLine(error)}). Set RPC_URL_MAINNET or RPC_URL_DEVNET.`,
      { cause: error },
    )
  })
  const demo = await startDemo({
    dataDir,
    port,
    activity,
    allowOrigins: [new URL(publicUrl).origin, EXPLORER_ORIGIN],
    log: {
      info: (fields, message) => log.info(fields, message),
      error: ({ error, ...fields }: { error?: unknown }, message) =>
        log.error({ ...fields, err: error }, message),
    },
  }).catch(error => {
    if (error instanceof StartError) throw new OperatorError(error.message, { cause: error })
    if (isFileError(error)) throw new OperatorError(`DATA_DIR ${dataDir} cannot be used: ${error.message}`)
    throw error
  })
  shutdown.add('local chains', demo.close, STOP_MS)
  const world = demo.networks[0]?.world
  // The agent that the examples describe. It has funds and a token, and the launch of that token is live.
  const agent = world?.agents.find(({ entry }) => entry.name === 'Patchbot')
  const exampleDocument =
    agent && buildExampleDocument('chain-mainnet', { address: agent.address, ...agent.entry })
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
    example: agent && { agent: agent.address, owner: agent.owner.address },
    exampleAddresses: findExampleAddresses(world, agent, exampleDocument),
    exampleDocument,
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

function findExampleAddresses(
  world: World | undefined,
  agent: World['agents'][number] | undefined,
  document: ExampleDocument | undefined,
): ExampleAddresses {
  const launch = world?.launches.find(({ mint }) => mint === agent?.token)
  // Neither the guides nor the start-up screen claim from this wallet, so there is something left to claim.
  const creator = world?.rewards.find(({ buckets }) => buckets.length === 1)
  return {
    ...(agent && { agent: agent.address, agentWallet: agent.wallet, owner: agent.owner.address }),
    ...(launch && { launch: launch.genesisAddress, token: launch.mint }),
    ...(creator && { creator: creator.wallet.address }),
    ...(document && { document: document.sha256 }),
  }
}

const firstLine = (error: unknown) => String((error as Error).message ?? error).split('\n', 1)[0]

const isFileError = (error: NodeJS.ErrnoException) => error.syscall !== undefined && error.path !== undefined
