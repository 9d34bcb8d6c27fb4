import { resolve } from 'node:path'
import { createService } from '../app/create-service.ts'
import { type Config, embedsChains } from '../config.ts'
import { type Register, seedDemo } from '../demo/seed-demo.ts'
import { OperatorError } from '../operator-error.ts'
import type { ShutdownList } from '../shutdown.ts'
import { findGenesisHash } from '../store/clusters.ts'
import type { Database } from '../store/database.ts'
import { createLog, type Log } from '../telemetry/log.ts'
import { withCardKey } from './card-key.ts'
import { createLoggedShutdownList, openStore } from './open-store.ts'
import { assertSocialSecret, readSocialSettings } from './social-settings.ts'
import { type LocalChains, startLocalChains } from './start-local-chains.ts'
import { welcome } from './welcome.ts'

/** Runs the service until a signal stops it. */
export async function serve(args: string[], config: Config): Promise<void> {
  if (args.length > 0)
    throw new OperatorError(
      'serve takes no arguments. Set environment variables instead: see docs/configuration.md.',
    )
  const isLocal = embedsChains(config)
  if (!isLocal) assertSocialSecret(config)
  const log = createLog(config.logLevel)
  const shutdown = createLoggedShutdownList(log)
  const stopping = stopOnSignal(shutdown, log)
  try {
    const { connection, place } = await openStore(config, { role: 'owner', log, shutdown })
    const chains = isLocal ? await startLocalChains(config, { log, shutdown }) : undefined
    const social = await readSocialSettings(config, chains)
    const served = chains ? withLocalChains(await withCardKey(config), chains) : config
    const context = createService(served, connection, { log, shutdown, social })
    const { app, snapshots, load } = context
    if (chains) {
      await assertSameChains(config, context.database, chains)
      await registerDemo(config, context, chains, log)
    }
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

/** Uses the embedded chains as RPC URLs for the networks that have no RPC of their own. */
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

/** Throws if `$DATA_DIR/chain` was deleted but the store was kept: its accounts would no longer exist. */
async function assertSameChains(
  { rpcUrls, dataDir, databaseUrl }: Config,
  database: Database,
  { networks }: LocalChains,
): Promise<void> {
  const commands: string[] = []
  // The printed command must find the same database.
  const environment =
    databaseUrl !== undefined ? 'DATABASE_URL=… ' : dataDir === resolve('data') ? '' : `DATA_DIR=${dataDir} `
  for (const { network, genesisHash } of networks) {
    const known = rpcUrls[network].length > 0 ? undefined : await findGenesisHash(database, network)
    if (known !== undefined && known !== genesisHash)
      commands.push(`${environment}npx slipway cluster accept ${known} ${genesisHash} --network ${network}`)
  }
  if (commands.length === 0) return
  const startOver = databaseUrl === undefined ? `delete ${dataDir}, or ` : ''
  throw new OperatorError(
    `The embedded chains in ${dataDir}/chain are new, but the database still describes the previous ones.\nRestore ${dataDir}/chain. Or start over: ${startOver}delete what is stored for each network with:\n  ${commands.join('\n  ')}`,
  )
}

/** Registers the demo launches, except on networks with a configured RPC: those are real. */
async function registerDemo(
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
        log.warn({ network, genesisAccount, err: error }, 'could not register a demo launch'),
    },
    launches.filter(({ registration }) => rpcUrls[registration.network].length === 0),
  )
  if (!isSeeded)
    log.warn({}, 'the store has launches from outside the embedded chains: demo launches were not registered')
}

/** A second signal ends the process, but only after this time: under npm, one Ctrl-C arrives twice. */
const SECOND_SIGNAL_MS = 1_000

function stopOnSignal(shutdown: ShutdownList, log: Log): Promise<void> {
  return new Promise(resolve => {
    let firstMs: number | undefined
    const onSignal = (signal: NodeJS.Signals) => {
      if (firstMs !== undefined) {
        if (Date.now() - firstMs > SECOND_SIGNAL_MS) process.exit(1)
        return
      }
      firstMs = Date.now()
      log.info({ signal }, 'stopping after open requests are answered')
      shutdown.run().then(() => {
        log.info({}, 'stopped')
        resolve()
        // Everything has stopped, so don't wait for whatever still keeps the process open.
        setTimeout(() => process.exit(0), 200).unref()
      })
    }
    process.on('SIGINT', onSignal)
    process.on('SIGTERM', onSignal)
  })
}

function explainListenFailure(error: NodeJS.ErrnoException, { host, port }: Config): Error {
  if (error.code === 'EADDRINUSE')
    return new OperatorError(`PORT ${port} is in use. Stop the other process, or set PORT to another port.`)
  if (error.code === 'EACCES')
    return new OperatorError(
      `PORT ${port} needs more privileges than this user has. Set PORT to a port above 1023.`,
    )
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND')
    return new OperatorError(
      `HOST ${host} is not an address of this machine. Set HOST to one that is, or to 0.0.0.0 for all.`,
    )
  return error
}
