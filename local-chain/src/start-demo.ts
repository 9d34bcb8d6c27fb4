import { DEMO_SERVER_OFFSET, RPC_OFFSETS } from './ports.ts'
import { type LocalChain, type Log, startLocalChain } from './start-local-chain.ts'
import { buildWorld, type World } from './world/build-world.ts'
import { readDocumentsPort, writeDemoFile } from './world/demo-file.ts'
import { startDemoServer } from './world/demo-server.ts'
import { startMarket } from './world/market.ts'

export type Demo = {
  readonly networks: readonly { readonly local: LocalChain; readonly world: World }[]
  /** `host:port` that serves the documents; `METADATA_ALLOW_HOSTS` must include it. */
  readonly documentsHost: string
  /** Base URL of the stand-in social network. */
  readonly socialUrl: string
  /** Path of `demo.json`. */
  readonly demoFile: string
  close(): Promise<void>
}

/** Starts the whole demo: a chain with its world for each network, the documents and the social network. */
export async function startDemo(options: {
  dataDir: string
  /** `LOCAL_CHAIN_PORT`. 0 picks free ports, for tests only. */
  port: number
  /** Whether a market trades in the launches. */
  activity: boolean
  log: Log
  allowOrigins?: readonly string[]
}): Promise<Demo> {
  const { dataDir, port, activity, log, allowOrigins = [] } = options
  const closers: (() => unknown)[] = []
  const close = async () => {
    for (const step of closers.splice(0).reverse()) await step()
  }
  const offset = (by: number) => (port === 0 ? 0 : port + by)
  try {
    const knownPort = readDocumentsPort(dataDir)
    const server = await startDemoServer({
      port: knownPort ?? offset(DEMO_SERVER_OFFSET),
      allowOrigins,
      ...(knownPort !== undefined && {
        hint: `use another DATA_DIR: the documents of ${dataDir} are served on that port`,
      }),
    })
    closers.push(() => server.close())
    const networks: { local: LocalChain; world: World }[] = []
    for (const [network, environment, size] of [
      ['chain-mainnet', 'mainnet', 'full'],
      ['chain-devnet', 'devnet', 'small'],
    ] as const) {
      const chainPort = offset(RPC_OFFSETS[network])
      const local = await startLocalChain({ network, dataDir, port: chainPort, log, allowOrigins })
      closers.push(() => local.close())
      const world = await buildWorld(local, { documentsUrl: server.url, environment, size })
      // Most clients read at `finalized` by default, and their first read must find the world.
      local.chain.settle()
      networks.push({ local, world })
      if (!activity) continue
      const onError = (error: Error) => log.error({ network, error }, 'demo market: a move failed')
      const market = startMarket({ chain: local.chain, world, onError })
      closers.push(() => market.stop())
    }
    const demoFile = writeDemoFile(dataDir, networks, server.url)
    return { networks, documentsHost: new URL(server.url).host, socialUrl: server.url, demoFile, close }
  } catch (error) {
    await close()
    throw error
  }
}
