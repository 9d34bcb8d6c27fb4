import { type Config, embedsChains } from '../config.ts'
import { createContext } from '../context/context.ts'
import { type Register, seedDemo } from '../demo/seed-demo.ts'
import { createLog, type Log } from '../log.ts'
import { OperatorError } from '../operator-error.ts'
import { createShutdownList, type ShutdownList } from '../shutdown.ts'
import { findGenesisHash } from '../store/clusters.ts'
import type { Database } from '../store/database.ts'
import { openStore } from './open-store.ts'
import { openSocialSettings, requireSocialSecret } from './social-settings.ts'
import { type LocalChains, startLocalChains } from './start-local-chains.ts'
import { welcome } from './welcome.ts'

/** Runs the service until it is told to stop. */
export async function serve(args: string[], config: Config): Promise<void> {
  if (args.length > 0)
    throw new OperatorError('serve takes no arguments: it is configured by the environment')
  const isLocal = embedsChains(config)
  if (!isLocal) requireSocialSecret(config)
  const log = createLog(config.logLevel)
  const shutdown = createShutdownList((part, error) =>
    log.error({ err: error, part }, 'a part did not stop cleanly'),
  )
  const stopping = stopOnSignal(shutdown, log)
  try {
    const { connection, place } = await openStore(config, { role: 'owner', log, shutdown })
    const chains = isLocal ? await startLocalChains(config, { log, shutdown }) : undefined
    const social = await openSocialSettings(config, chains)
    const served = chains ? withLocalChains(config, chains) : config
    const context = createContext(served, connection, { log, shutdown, social })
    const { app, snapshots, load } = context
    if (chains) await assertSameChains(config, context.database, chains)
    if (chains) await showDemo(config, context, chains, log)
    await load()
    await app.listen({ port: config.port, host: config.host }).catch(error => {
      throw explainListenFailure(error, config)
    })
    log.info({ url: config.publicUrl, store: place }, 'serving')
    process.stderr.write(welcome({ config, place, snapshots, chains }))
  } catch (error) {
    await shutdown.run()
    throw error
  }
  await stopping
}

/** The embedded chains are RPC URLs like any others; a network with an RPC of its own keeps that. */
function withLocalChains(config: Config, { networks, documentsHost }: LocalChains): Config {
  const rpcUrls = { ...config.rpcUrls }
  const rpcWsUrls = { ...config.rpcWsUrls }
  for (const { network, rpcUrl, wsUrl } of networks) {
    if (rpcUrls[network].length > 0) continue
    rpcUrls[network] = [rpcUrl]
    rpcWsUrls[network] = wsUrl
  }
  const allowHosts = [...config.metadata.allowHosts, documentsHost]
  return { ...config, rpcUrls, rpcWsUrls, metadata: { ...config.metadata, allowHosts } }
}

/** Somebody deleted the chains and kept the store, which would then describe accounts that are nowhere. */
async function assertSameChains(
  { rpcUrls, dataDir, databaseUrl }: Config,
  database: Database,
  { networks }: LocalChains,
): Promise<void> {
  const commands: string[] = []
  for (const { network, genesisHash } of networks) {
    const known = rpcUrls[network].length > 0 ? undefined : await findGenesisHash(database, network)
    if (known !== undefined && known !== genesisHash)
      commands.push(`npx slipway cluster accept ${known} ${genesisHash} --network ${network}`)
  }
  if (commands.length === 0) return
  const startOver = databaseUrl === undefined ? `delete ${dataDir}, or ` : ''
  throw new OperatorError(
    `the embedded chains in ${dataDir}/chain are new, but the store describes former ones. To start over, ${startOver}run:\n  ${commands.join('\n  ')}`,
  )
}

/** A network with an RPC of its own is real, and gets no demo. */
async function showDemo(
  { rpcUrls }: Config,
  { database, register }: { database: Database; register: Register },
  { launches }: LocalChains,
  log: Log,
) {
  const isSeeded = await seedDemo(
    {
      database,
      register,
      onFailed: ({ registration: { network, genesisAccount } }, error) =>
        log.warn({ network, genesisAccount, err: error }, 'a demo launch could not be registered'),
    },
    launches.filter(({ registration }) => rpcUrls[registration.network].length === 0),
  )
  if (!isSeeded)
    log.warn({}, 'the store holds launches that are not of the embedded chains: it is left as it is')
}

/** A second signal a moment later means it: Ctrl-C under npm delivers the first one twice. */
const IMPATIENCE_MS = 1_000

function stopOnSignal(shutdown: ShutdownList, log: Log): Promise<void> {
  return new Promise(resolve => {
    let firstMs: number | undefined
    const onSignal = (signal: NodeJS.Signals) => {
      if (firstMs !== undefined) {
        if (Date.now() - firstMs > IMPATIENCE_MS) process.exit(1)
        return
      }
      firstMs = Date.now()
      log.info({ signal }, 'stopping: open requests are answered first')
      shutdown.run().then(() => {
        log.info({}, 'stopped')
        resolve()
        // Whatever still holds the process open is not worth waiting for.
        setTimeout(() => process.exit(0), 200).unref()
      })
    }
    process.on('SIGINT', onSignal)
    process.on('SIGTERM', onSignal)
  })
}

function explainListenFailure(error: NodeJS.ErrnoException, { host, port }: Config): Error {
  if (error.code === 'EADDRINUSE')
    return new OperatorError(`PORT ${port} is in use by another process: stop that, or set PORT to another`)
  if (error.code === 'EACCES')
    return new OperatorError(`PORT ${port} may not be used by this user: set PORT to one above 1023`)
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND')
    return new OperatorError(`HOST ${host} is not an address of this machine`)
  return error
}
