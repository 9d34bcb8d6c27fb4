import { createServer } from 'node:http'
import { createService } from '@slipway/service/app/create-service'
import { parseConfig } from '@slipway/service/config'
import { buildLaunchData } from '@slipway/service/launches/listing/listed-launch'
import { createShutdownList } from '@slipway/service/shutdown'
import { type ConnectionOptions, openDatabase } from '@slipway/service/store/database'
import { listLaunchAddresses } from '@slipway/service/store/indexed-launches'
import { readLaunches } from '@slipway/service/store/read-launches'
import { createLog } from '@slipway/service/telemetry/log'
import { listen } from './listen.ts'
import { NO_FOLDER, RATE_LIMITS, SOCIAL_SETTINGS } from './server-parts.ts'

/** A whole node on a real database, with or without a chain to follow. Without a folder, it keeps no listings. */
export async function serveNode({
  chain,
  dataDir = NO_FOLDER,
  ...connection
}: ConnectionOptions & { chain?: { rpcUrl: string; wsUrl: string }; dataDir?: string }): Promise<number> {
  const config = {
    ...parseConfig({}),
    dataDir,
    rateLimits: RATE_LIMITS,
    rpcUrls: { 'chain-mainnet': chain ? [chain.rpcUrl] : [], 'chain-devnet': [] },
    rpcWsUrls: { 'chain-mainnet': chain?.wsUrl, 'chain-devnet': undefined },
  }
  const { app, load } = createService(config, connection, {
    log: createLog('info'),
    shutdown: createShutdownList(() => {}),
    social: SOCIAL_SETTINGS,
  })
  await load()
  await app.listen({ port: 0, host: '127.0.0.1' })
  return (app.server.address() as { port: number }).port
}

/** The reference for listings: reads, filters, sorts and serialises for every request. */
export async function serveQueries(connection: ConnectionOptions): Promise<number> {
  const database = openDatabase(connection, { onQuery: () => {}, onConnectionLost: () => {} })
  const addresses = await listLaunchAddresses(database, 'chain-mainnet')
  const server = createServer(async (_request, response) => {
    const records = await readLaunches(database, 'chain-mainnet', addresses)
    records.sort((a, b) => b.lastActivityAt.getTime() - a.lastActivityAt.getTime())
    const nowMs = Date.now()
    const data = records.map(record => buildLaunchData(record, 'https://slipway.example', nowMs))
    const body = Buffer.from(JSON.stringify({ data }))
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': body.length })
    response.end(body)
  })
  return listen(server)
}
