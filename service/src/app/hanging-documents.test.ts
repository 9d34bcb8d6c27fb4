import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createKeypair } from '@slipway/local-chain/ledger/keypair'
import { startChain } from '@slipway/local-chain/testing/start-chain'
import { agentMaker } from '@slipway/local-chain/world/create-agent'
import type { Address } from '@slipway/schema/address'
import { expect, onTestFinished, test } from 'vitest'
import { fundedWallet, getJson } from '../agents/test-mints.ts'
import { parseConfig } from '../config.ts'
import { runSql } from '../testing/test-database.ts'
import { startTestService } from '../testing/test-service.ts'

/** Three at a time, they would take far longer than `SECONDS_MAX`. On an idle machine, the honest one takes a second. */
const HANGING = 16
const SECONDS_MAX = 10
const LITERALS = Array.from({ length: HANGING }, (_, at) => `127.0.${at >> 4}.${at + 2}`)

/** A server on all loopback addresses. */
async function listen(answer: RequestListener): Promise<number> {
  const server = createServer(answer).listen(0, '0.0.0.0')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

type Local = Awaited<ReturnType<typeof startChain>>

async function makeAgent(local: Local, owner: ReturnType<typeof fundedWallet>, registration: string) {
  const asset = createKeypair()
  const make = agentMaker(local.chain, owner, owner)
  await make.create(asset, { name: 'On chain', uri: '', collection: undefined })
  await make.register(asset.address, registration)
  return asset.address
}

async function start() {
  let hanging = 0
  const silent = await listen(() => {
    hanging += 1
  })
  const web = await listen((_request, response) => response.end('{"name":"Honest"}'))
  const [mainnet, devnet] = [await startChain(), await startChain({ network: 'chain-devnet' })]
  const service = await startTestService({
    config: {
      indexer: true,
      rpcUrls: { 'chain-mainnet': [mainnet.rpcUrl], 'chain-devnet': [devnet.rpcUrl] },
      rpcWsUrls: { 'chain-mainnet': mainnet.wsUrl, 'chain-devnet': devnet.wsUrl },
      metadata: {
        ...parseConfig({}).metadata,
        allowHosts: ['127.0.0.1', ...LITERALS],
        ipfsGateway: `http://127.0.0.1:${silent}/ipfs/`,
      },
    },
  })
  const honest = fundedWallet(mainnet)
  async function nameInList(address: Address): Promise<string | undefined> {
    const { rows } = await runSql(
      service.connection,
      `SELECT search_name AS name FROM agent_listing WHERE address = '${address}'`,
    )
    return rows[0]?.name
  }
  /** The seconds from the registration of an honest agent until its document is listed. */
  async function secondsToHonest(): Promise<number> {
    const startMs = performance.now()
    const address = await makeAgent(mainnet, honest, `http://127.0.0.1:${web}/`)
    await expect.poll(() => nameInList(address), { timeout: 60_000, interval: 50 }).toContain('honest')
    return (performance.now() - startMs) / 1_000
  }
  /** Registers agents of as many owners whose documents never answer, and waits until some are being fetched. */
  async function flood(uriOf: (at: number) => string, local = mainnet) {
    const before = hanging
    const made: Address[] = []
    for (let at = 0; at < HANGING; at += 1) made.push(await makeAgent(local, fundedWallet(local), uriOf(at)))
    await expect.poll(() => hanging, { timeout: 20_000 }).toBeGreaterThan(before)
    return made
  }
  return { ...service, silent, devnet, flood, secondsToHonest }
}

const CID = 'QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWKPbdG'

test('an agent gets its document within seconds while the documents of many others hang', async () => {
  const { silent, devnet, flood, secondsToHonest, url } = await start()
  // The first read of the whole chain would slow it down.
  await secondsToHonest()

  await flood(at => (at % 2 ? `ipfs://${CID}/${at}` : `http://${LITERALS[at]}:${silent}/`))
  expect(await secondsToHonest()).toBeLessThan(SECONDS_MAX)

  const others = await flood(at => `http://${LITERALS[at]}:${silent}/devnet`, devnet)
  // A single client requests all of them.
  for (const address of others)
    void getJson(`${url}/v1/agents/${address}?network=chain-devnet`).catch(() => {})
  expect(await secondsToHonest()).toBeLessThan(SECONDS_MAX)
}, 120_000)
