import { addressAt, addressBytes } from '@slipway/launch-model/bytes/base58'
import { expect, test } from 'vitest'
import { addressOf } from '../../testing/launch-rows.ts'
import { CORE_TOPIC, createPendingChanges, IDENTITY_TOPIC } from './pending-changes.ts'

const asset = addressOf('asset')
const tellIdentity = (slot: number) => {
  const data = new Uint8Array(104)
  data[0] = 2
  data.set(addressBytes(asset), 8)
  return { topic: IDENTITY_TOPIC, slot, address: addressAt(new Uint8Array(32).fill(7)), data }
}
const tellAsset = (slot: number) => ({ topic: CORE_TOPIC, slot, address: asset, data: new Uint8Array() })
const create = () => createPendingChanges('chain-mainnet', { launches: new Set(), agents: new Set() })

test('changes of Core assets count only for agents, from the moment their identity is reported', () => {
  const pending = create()
  pending.report(tellAsset(5))
  expect(pending.size()).toBe(0)
  expect(pending.oldestSlot()).toBe(undefined)
  pending.report(tellIdentity(6))
  pending.report(tellAsset(8))
  pending.report(tellAsset(7))
  // One entry, which must be read as of the newest slot. Everything before the oldest report is stored.
  expect(pending.take().agents).toEqual(new Map([[asset, 8]]))
})

test('taken work counts as pending until it is stored, and so does work that is put back', async () => {
  const pending = create()
  pending.report(tellIdentity(6))
  const work = pending.take()
  expect([pending.size(), pending.oldestSlot()]).toEqual([1, 6])
  pending.report(tellAsset(9))
  expect([pending.size(), pending.oldestSlot()]).toEqual([2, 6])
  pending.putBack(work)
  expect([pending.size(), pending.oldestSlot()]).toEqual([1, 6])
  expect(pending.take().agents).toEqual(new Map([[asset, 9]]))
  // A caller that waits for more has stored everything it took.
  const stop = new AbortController()
  const waiting = pending.wait(stop.signal)
  expect([pending.size(), pending.oldestSlot()]).toEqual([0, undefined])
  stop.abort()
  await waiting
})

test('reports may arrive in any order: progress waits for the oldest of them', () => {
  const pending = create()
  pending.report(tellIdentity(9))
  pending.report(tellAsset(6))
  pending.report(tellAsset(8))
  expect(pending.oldestSlot()).toBe(6)
})
