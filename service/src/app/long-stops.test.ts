import type { LocalChain } from '@slipway/local-chain'
import { CONDITIONS } from '@slipway/local-chain/conditions'
import { startChain } from '@slipway/local-chain/testing/start-chain'
import { expect, onTestFinished, test, vi } from 'vitest'
import { fundedWallet, getJson, land, mintBody } from '../agents/test-mints.ts'
import { postJson } from '../testing/demo-launches.ts'
import { isEndurance } from '../testing/endurance.ts'
import { startFreezingProxy } from '../testing/freezing-proxy.ts'
import { startTestService } from '../testing/test-service.ts'

const MINUTE = 60_000
const DAY = 1_440 * MINUTE
/** Three times what is promised on an idle machine: ten seconds from the endpoint's first current answer. */
const soon = { timeout: 30_000, interval: 100 }

/** A proxy between a service and both ports of a chain. While it is cut off, connections stay open and get no data. */
async function startCable({ rpcUrl, wsUrl }: LocalChain) {
  const [rpc, ws] = await Promise.all(
    [rpcUrl, wsUrl].map(url => startFreezingProxy({ host: '127.0.0.1', port: Number(new URL(url).port) })),
  )
  if (!rpc || !ws) throw new Error('unreachable')
  return {
    rpcUrl: `http://127.0.0.1:${rpc.port}`,
    wsUrl: `ws://127.0.0.1:${ws.port}`,
    cut(isCut: boolean) {
      rpc.isFrozen = isCut
      ws.isFrozen = isCut
    },
  }
}

/** Builds a transaction, lands it on the chain, and waits until the service serves what it made. */
async function useService(url: string, local: LocalChain) {
  const wallet = fundedWallet(local)
  const build = () => postJson(`${url}/v1/agents/mint`, mintBody(wallet.address)).catch(() => undefined)
  let built = await build()
  await expect
    .poll(async () => {
      built = built?.status === 200 ? built : await build()
      return built?.status
    }, soon)
    .toBe(200)
  expect(await land(local, built?.body, wallet)).toBeNull()
  const agent = `${url}/v1/agents/${built?.body.assetAddress}`
  await expect.poll(async () => (await getJson(agent).catch(() => undefined))?.status, soon).toBe(200)
  const list = `${url}/v1/agents?owner=${wallet.address}`
  const addresses = async () => JSON.stringify((await getJson(list).catch(() => undefined))?.body)
  await expect.poll(addresses, soon).toContain(built?.body.assetAddress)
}

test('a node that was cut off serves and builds again, however long it took', async () => {
  let passedMs = 0
  const [date, monotonic] = [Date.now.bind(Date), performance.now.bind(performance)]
  vi.spyOn(Date, 'now').mockImplementation(() => date() + passedMs)
  vi.spyOn(performance, 'now').mockImplementation(() => monotonic() + passedMs)
  onTestFinished(() => {
    vi.restoreAllMocks()
  })
  const local = await startChain({ conditions: CONDITIONS })
  const cable = await startCable(local)
  const { url } = await startTestService({
    limits: { rpc: { attemptMs: 500, totalMs: 1_000 } },
    config: {
      indexer: true,
      rpcUrls: { 'chain-mainnet': [cable.rpcUrl], 'chain-devnet': [] },
      rpcWsUrls: { 'chain-mainnet': cable.wsUrl },
    },
  })
  await useService(url, local)
  for (const stopMs of isEndurance ? [MINUTE, 20 * MINUTE, DAY, 30 * DAY] : [MINUTE, 30 * DAY]) {
    cable.cut(true)
    passedMs += stopMs
    local.chain.tick()
    const body = mintBody(fundedWallet(local).address)
    expect((await postJson(`${url}/v1/agents/mint`, body)).status).toBeGreaterThanOrEqual(500)
    cable.cut(false)
    await useService(url, local)
  }
})
