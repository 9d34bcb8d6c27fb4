import { type LocalChain, type Log, startLocalChain } from './start-local-chain.ts'
import { buildWorld, type World } from './world/build-world.ts'
import { readDocumentsPort, writeDemoFile } from './world/demo-file.ts'
import { startDemoServer } from './world/demo-server.ts'
import { startMarket } from './world/market.ts'

export type Demo = {
  readonly networks: readonly { readonly local: LocalChain; readonly world: World }[]
  /** `host:port` of the documents, which `METADATA_ALLOW_HOSTS` has to name. */
  readonly documentsHost: string
  /** Base of the stand-in social network. */
  readonly socialUrl: string
  /** Where `demo.json` is. */
  readonly demoFile: string
  close(): Promise<void>
}

/** From `LOCAL_CHAIN_PORT`: the devnet stand-in, and the documents with the social network. */
const DEVNET_OFFSET = 100
const DEMO_SERVER_OFFSET = 10

/** The whole box: a chain for each network with its world, the documents, the social network, and a market if wanted. */
export async function startDemo(options: {
  dataDir: string
  /** `LOCAL_CHAIN_PORT`; 0 takes free ports, which suits tests: documents are found again only on the same ports. */
  port: number
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
    const standing = port === 0 ? undefined : readDocumentsPort(dataDir)
    const server = await startDemoServer({
      port: standing ?? offset(DEMO_SERVER_OFFSET),
      allowOrigins,
      ...(standing !== undefined && {
        remedy: `begin with another DATA_DIR: the documents of ${dataDir} lie there`,
      }),
    })
    closers.push(() => server.close())
    const networks: { local: LocalChain; world: World }[] = []
    for (const [network, by, environment, size] of [
      ['chain-mainnet', 0, 'mainnet', 'full'],
      ['chain-devnet', DEVNET_OFFSET, 'devnet', 'small'],
    ] as const) {
      const local = await startLocalChain({ network, dataDir, port: offset(by), log, allowOrigins })
      closers.push(() => local.close())
      const world = await buildWorld(local, { documentsUrl: server.url, environment, size })
      // A newcomer's first reads are at `finalized`, the default of most clients, and find the world.
      local.chain.settle()
      networks.push({ local, world })
      if (!activity) continue
      const onError = (error: Error) => log.error({ network, error }, 'the market stumbled')
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
