import type { Network } from '@slipway/schema/network'
import type { Config } from '../config.ts'
import type { DemoLaunch } from '../demo/seed-demo.ts'
import { OperatorError } from '../operator-error.ts'
import type { ShutdownList } from '../shutdown.ts'
import type { Log } from '../telemetry/log.ts'

/** All that the service learns of the chains in the box: URLs, as of any other node, and what to show a newcomer. */
export interface LocalChains {
  networks: { network: Network; rpcUrl: string; wsUrl: string; genesisHash: string }[]
  socialUrl: string
  /** `host:port` of the documents that URIs on the chains point to: on loopback, where metadata is not fetched otherwise. */
  documentsHost: string
  /** Lists what was made, with its throw-away keys. */
  demoFile: string
  /** An agent with funds, and its owner: something to look at and to pay with. */
  example: { agent: string; owner: string } | undefined
  /** All but what is left to a newcomer to register. */
  launches: DemoLaunch[]
}

const STOP_MS = 1_000

/** From LOCAL_CHAIN_PORT: each chain with its WebSocket, and the documents. */
const PORT_OFFSETS = [0, 1, 10, 100, 101]

/** The only place that knows the local chain. It is loaded when it is wanted: a node with an RPC never needs it. */
export async function startLocalChains(
  { dataDir, publicUrl, port: servicePort, localChain: { port, activity } }: Config,
  { log, shutdown }: { log: Log; shutdown: ShutdownList },
): Promise<LocalChains> {
  if (PORT_OFFSETS.includes(servicePort - port))
    throw new OperatorError(
      `PORT ${servicePort} is one that the embedded chains take: set PORT or LOCAL_CHAIN_PORT to another`,
    )
  const { startDemo, StartError, registrationOf } = await import('@slipway/local-chain').catch(error => {
    throw new OperatorError(
      `LOCAL_CHAIN: the embedded chains cannot run on this machine (${firstLine(error)}): set RPC_URL_MAINNET or RPC_URL_DEVNET`,
      { cause: error },
    )
  })
  const demo = await startDemo({
    dataDir,
    port,
    activity,
    allowOrigins: [new URL(publicUrl).origin],
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
  const agent = demo.networks[0]?.world.agents.find(({ fundedLamports }) => fundedLamports > 0n)
  return {
    networks: demo.networks.map(({ local: { network, rpcUrl, wsUrl, chain } }) => ({
      network: network as Network,
      rpcUrl,
      wsUrl,
      genesisHash: chain.genesisHash(),
    })),
    socialUrl: demo.socialUrl,
    documentsHost: demo.documentsHost,
    demoFile: demo.demoFile,
    example: agent && { agent: agent.address, owner: agent.owner.address },
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

const firstLine = (error: unknown) => String((error as Error).message ?? error).split('\n', 1)[0]

const isFileError = (error: NodeJS.ErrnoException) => error.syscall !== undefined && error.path !== undefined
