import { DEMO_SERVER_OFFSET, RPC_OFFSETS } from './ports.ts'
import { type LocalChain, type Log, startLocalChain } from './start-local-chain.ts'
import { buildWorld, describeWorld, type World } from './world/build-world.ts'
import { demoFilePath, readDocumentsPort, writeDemoFile } from './world/demo-file.ts'
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

const NETWORKS = [
  ['chain-mainnet', { environment: 'mainnet', size: 'full' }],
  ['chain-devnet', { environment: 'devnet', size: 'small' }],
] as const

/** Starts the whole demo: a chain with its world for each network, the documents and the social network. */
export async function startDemo(options: {
  dataDir: string
  /** `LOCAL_CHAIN_PORT`. 0 picks free ports, for tests only. */
  port: number
  /** Whether a market trades in the launches. */
  activity: boolean
  log: Log
  allowOrigins?: readonly string[]
  /** Called when everything runs, before the worlds are built. */
  onRunning?(demo: Demo): void
}): Promise<Demo> {
  const { dataDir, port, activity, log, allowOrigins = [], onRunning } = options
  const closers: (() => unknown)[] = []
  const closing = new AbortController()
  let building: Promise<unknown> | undefined
  const close = async () => {
    closing.abort()
    // Nothing may be written to a chain that is closed.
    await building?.catch(() => {})
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
    const networks = []
    for (const [network, kind] of NETWORKS) {
      const chainPort = offset(RPC_OFFSETS[network])
      const local = await startLocalChain({ network, dataDir, port: chainPort, log, allowOrigins })
      closers.push(() => local.close())
      const worldOptions = { documentsUrl: server.url, ...kind }
      networks.push({ local, worldOptions, world: describeWorld(local.chain, worldOptions) })
    }
    const { host: documentsHost } = new URL(server.url)
    const demo = { networks, documentsHost, socialUrl: server.url, demoFile: demoFilePath(dataDir), close }
    // Launches name their documents' port, so it must be known after an interrupted start.
    writeDemoFile(dataDir, networks, server.url)
    onRunning?.(demo)
    for (const { local, world, worldOptions } of networks) {
      const { network, chain } = local
      building = buildWorld(local, worldOptions, {
        signal: closing.signal,
        onLeftOut: ({ entry: { name } }, error) =>
          log.error({ network, error }, `demo: the installed Genesis program does not create ${name}`),
      })
      await building
      // Most clients read at `finalized` by default, and their first read must find the world.
      chain.settle()
      if (!activity) continue
      const onError = (error: Error) => log.error({ network, error }, 'demo market: a move failed')
      const market = startMarket({ chain, world, onError })
      closers.push(() => market.stop())
    }
    return demo
  } catch (error) {
    await close()
    throw error
  }
}
