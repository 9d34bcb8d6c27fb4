import { expect, test } from 'vitest'
import { addressAt, addressBytes } from '../chain/addresses/base58.ts'
import { addressOf } from '../testing/launch-rows.ts'
import { createPending } from './pending.ts'
import { CORE_TOPIC, IDENTITY_TOPIC } from './topics.ts'

const asset = addressOf('asset')
const tellIdentity = (slot: number) => {
  const data = new Uint8Array(104)
  data[0] = 2
  data.set(addressBytes(asset), 8)
  return { topic: IDENTITY_TOPIC, slot, address: addressAt(new Uint8Array(32).fill(7)), data }
}
const tellAsset = (slot: number) => ({ topic: CORE_TOPIC, slot, address: asset, data: new Uint8Array() })
const create = () => createPending('chain-mainnet', { launches: new Set(), agents: new Set() })

test('of Core only agents count, from the moment that their identity was told', () => {
  const pending = create()
  pending.told(tellAsset(5))
  expect(pending.size()).toBe(0)
  expect(pending.oldestSlot()).toBe(undefined)
  pending.told(tellIdentity(6))
  pending.told(tellAsset(8))
  pending.told(tellAsset(7))
  // One entry, to be seen as of the newest slot; nothing before the oldest is in doubt.
  expect(pending.take().agents).toEqual(new Map([[asset, 8]]))
})

test('what was taken counts until it is in the store, and what is put back goes on counting', async () => {
  const pending = create()
  pending.told(tellIdentity(6))
  const work = pending.take()
  expect([pending.size(), pending.oldestSlot()]).toEqual([1, 6])
  pending.told(tellAsset(9))
  expect([pending.size(), pending.oldestSlot()]).toEqual([2, 6])
  pending.putBack(work)
  expect([pending.size(), pending.oldestSlot()]).toEqual([1, 6])
  expect(pending.take().agents).toEqual(new Map([[asset, 9]]))
  // Whoever waits for more has written all that he took.
  const stop = new AbortController()
  const waiting = pending.wait(stop.signal)
  expect([pending.size(), pending.oldestSlot()]).toEqual([0, undefined])
  stop.abort()
  await waiting
})
