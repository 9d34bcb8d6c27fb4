import type { Address } from '@slipway/schema/address'
import { expect, onTestFinished, test } from 'vitest'
import { createRpc } from '../chain/rpc/create-rpc.ts'
import { findProgress } from '../store/chain-progress.ts'
import { useDemo } from '../testing/demo.ts'
import { startTestService } from '../testing/test-service.ts'
import { type NaiveLaunch, readNaively, registerWorld } from './test-naive.ts'

const demo = useDemo()
const network = 'chain-mainnet'
const quiet = { onAttempt() {}, onRetry() {}, onEndpoint() {}, onSlot() {}, onReads() {} }

function openRpc() {
  const rpc = createRpc({ urls: [demo.chainOf().local.rpcUrl], observer: quiet })
  onTestFinished(() => rpc.close())
  return rpc
}

async function listed(url: string): Promise<Map<Address, NaiveLaunch>> {
  const { data } = await (await fetch(`${url}/v1/launches`)).json()
  return new Map(
    data.map(({ launch }: { launch: NaiveLaunch & { genesisAddress: Address } }) => {
      const { genesisAddress, mechanic, startTime, endTime, graduatedAt, lastActivityAt } = launch
      return [genesisAddress, { mechanic, startTime, endTime, graduatedAt, lastActivityAt }]
    }),
  )
}

test('the listing comes to show what the chain says', async () => {
  const { world } = demo.chainOf()
  const service = await startTestService({ config: { ...demo.config(), indexer: true, logLevel: 'info' } })
  const registeredAt = new Date('2026-01-01T00:00:00.000Z')
  await registerWorld(service.database, network, world.launches, registeredAt)
  await expect.poll(async () => (await findProgress(service.database, network))?.isComplete, { timeout: 10_000 }).toBe(true)
  const rpc = openRpc()
  const expected = new Map<Address, NaiveLaunch>()
  for (const { genesisAddress } of world.launches)
    expected.set(genesisAddress, await readNaively(rpc, genesisAddress, registeredAt))
  await expect.poll(() => listed(service.url), { timeout: 5_000 }).toEqual(expected)
  console.log(await (await fetch(`${service.url}/readyz`)).text())
})
