import type { Address } from '@solana/kit'
import { expect, onTestFinished, test } from 'vitest'
import { createFaucet } from '../ledger/faucet.ts'
import { createKeypair, signTransaction } from '../ledger/keypair.ts'
import { parseTransaction } from '../ledger/parse-transaction.ts'
import { systemTransfer } from '../ledger/system-instructions.ts'
import {
  call,
  collectMessages,
  createManualChain,
  fundedKeypair,
  openSocket,
  startChain,
  startStoppedChain,
} from '../testing/start-chain.ts'
import { createSubscriptionHub } from './subscriptions.ts'

type Notification = { method: string; params: { subscription: number; result: Record<string, never> } }

test('programSubscribe reports changes in order with their slots, at confirmed and at finalized', async () => {
  const { local, advance } = await startStoppedChain()
  const socket = await openSocket(local)
  const messages = collectMessages(socket)
  const program = createKeypair().address
  const ask = (id: number, method: string, ...params: unknown[]) =>
    socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }))
  const first = { memcmp: { offset: 0, bytes: '2' } }
  ask(1, 'programSubscribe', program, { commitment: 'confirmed', encoding: 'base64', filters: [first] })
  ask(2, 'programSubscribe', program, { commitment: 'finalized', encoding: 'base64', filters: [first] })
  ask(3, 'slotSubscribe')
  await expect.poll(() => messages.filter(({ id }) => id !== undefined).length).toBe(3)
  const [now, final, slots] = [1, 2, 3].map(id => messages.find(message => message.id === id)?.result)

  const keys = Array.from({ length: 6 }, () => createKeypair().address)
  const written: { pubkey: Address; slot: number; data: string }[] = []
  const write = (pubkey: Address, data: Uint8Array, owner = program) => {
    local.chain.writeAccounts(new Map([[pubkey, { lamports: 2_000_000n, owner, data, executable: false }]]))
    if (data[0] === 1 && owner === program)
      written.push({ pubkey, slot: local.chain.clock.slot(), data: Buffer.from(data).toString('base64') })
  }
  for (const [n, key] of keys.entries()) {
    write(key, Uint8Array.of(1, n))
    // Neither may be reported: the filter excludes the first, and the second belongs to another program.
    write(createKeypair().address, Uint8Array.of(9, n))
    write(createKeypair().address, Uint8Array.of(1, n), createKeypair().address)
    if (n % 2 === 1) advance(2)
  }
  write(keys[0] as Address, Uint8Array.of(1, 99))
  expect(new Set(written.map(({ slot }) => slot)).size).toBeGreaterThan(1)

  const notificationsOf = (subscription: unknown) =>
    (messages as unknown as Notification[]).filter(message => message.params?.subscription === subscription)
  const changesOf = (subscription: unknown) =>
    notificationsOf(subscription).map(({ params: { result } }) => {
      const { context, value } = result as unknown as {
        context: { slot: number }
        value: { pubkey: string; account: { data: [string, string]; owner: string; space: number } }
      }
      expect(value.account).toMatchObject({ owner: program, space: 2 })
      return { pubkey: value.pubkey, slot: context.slot, data: value.account.data[0] }
    })
  await expect.poll(() => changesOf(now)).toEqual(written)
  expect(changesOf(final)).toEqual([])
  for (let slot = 0; slot < 32; slot += 1) advance(1)
  await expect.poll(() => changesOf(final), { timeout: 10_000 }).toEqual(written)
  type Slot = { slot: number; parent: number; root: number }
  const notified = notificationsOf(slots).map(({ params: { result } }) => result as unknown as Slot)
  expect(notified).toHaveLength(3 + 32)
  for (const { slot, root } of notified) expect(root).toBe(slot - 32)
  expect(notified.slice(1).map(({ parent }) => parent)).toEqual(notified.slice(0, -1).map(({ slot }) => slot))

  // getProgramAccounts agrees with the notifications.
  const { result } = await call(local, 'getProgramAccounts', program, {
    commitment: 'confirmed',
    encoding: 'base64',
    withContext: true,
    filters: [first],
  })
  const { context, value } = result as { context: { slot: number }; value: { pubkey: string }[] }
  expect(value.map(({ pubkey }) => pubkey)).toEqual([...keys].sort())
  expect(context.slot).toBeGreaterThanOrEqual(written.at(-1)?.slot as number)
})

test('signatureSubscribe notifies once, before or after the transaction lands, and then ends', async () => {
  const local = await startChain()
  const socket = await openSocket(local)
  const messages = collectMessages(socket)
  const from = fundedKeypair(local)
  const wire = signTransaction(
    [from],
    [systemTransfer(from.address, createKeypair().address, 1_000_000n)],
    local.chain.clock.blockhash(local.chain.clock.slot()),
  )
  const { signature } = parseTransaction(wire)
  const ask = (id: number, config: object) =>
    socket.send(
      JSON.stringify({ jsonrpc: '2.0', id, method: 'signatureSubscribe', params: [signature, config] }),
    )
  ask(1, { commitment: 'confirmed' })
  ask(2, { commitment: 'processed', enableReceivedNotification: true })
  await expect.poll(() => messages.length).toBe(2)
  await call(local, 'sendTransaction', Buffer.from(wire).toString('base64'), { encoding: 'base64' })
  await expect.poll(() => messages.length).toBe(5)
  ask(3, { commitment: 'confirmed' })
  await expect.poll(() => messages.length).toBe(7)
  const values = (messages as unknown as Notification[]).flatMap(({ params }) => params?.result.value ?? [])
  expect(values.filter(value => (value as unknown) === 'receivedSignature')).toHaveLength(1)
  expect(values.filter(value => (value as unknown) !== 'receivedSignature')).toEqual(
    Array(3).fill({ err: null }),
  )
  expect(local.subscriptions()).toBe(0)
  const answer = messages.find(({ id }) => id === 1)
  socket.send(
    JSON.stringify({ jsonrpc: '2.0', id: 4, method: 'signatureUnsubscribe', params: [answer?.result] }),
  )
  await expect.poll(() => messages.at(-1)).toMatchObject({ id: 4, error: { code: -32602 } })
})

test('a slot notification names the previously notified slot as its parent, even if slots were skipped', async () => {
  const { local, advance } = await startStoppedChain()
  const socket = await openSocket(local)
  const messages = collectMessages(socket)
  socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'slotSubscribe' }))
  const notified = () =>
    (messages as unknown as { params?: { result: { slot: number; parent: number } } }[]).flatMap(
      ({ params }) => params?.result ?? [],
    )
  await expect.poll(() => local.subscriptions()).toBe(1)
  for (const slots of [1, 1, 5, 1]) advance(slots)
  await expect.poll(() => notified().length).toBe(4)
  const all = notified()
  expect(all.map(({ slot, parent }) => slot - parent)).toEqual([1, 1, 5, 1])
  expect(all.slice(1).map(({ parent }) => parent)).toEqual(all.slice(0, -1).map(({ slot }) => slot))
})

test('a subscriber that falls too far behind is disconnected', async () => {
  const local = await startChain()
  const socket = await openSocket(local)
  const messages = collectMessages(socket)
  const program = createKeypair().address
  const params = [program, { commitment: 'confirmed', encoding: 'base64' }]
  socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'programSubscribe', params }))
  await expect.poll(() => messages.length).toBe(1)
  socket.pause()
  const large = { lamports: 10n ** 10n, owner: program, executable: false }
  for (let n = 0; n < 40 && local.subscriptions() > 0; n++) {
    const data = new Uint8Array(1_000_000).fill(n)
    local.chain.writeAccounts(new Map([[program, { ...large, data }]]))
    await new Promise(resolve => setImmediate(resolve))
  }
  await expect.poll(() => local.subscriptions()).toBe(0)
})

test('signatureSubscribe at finalized notifies exactly 32 slots after the transaction landed', async () => {
  const { chain, advance } = createManualChain()
  const { signature } = createFaucet(chain).airdrop(createKeypair().address, 1_000_000n)
  const hub = createSubscriptionHub(chain)
  onTestFinished(() => hub.close())
  const sent: string[] = []
  const connection = hub.connect(text => sent.push(text))
  connection.call('signatureSubscribe', [signature])
  advance(31)
  await new Promise(setImmediate)
  expect(sent).toEqual([])
  advance(1)
  expect(sent).toHaveLength(1)
  // A client that subscribes in that very slot is notified at once.
  connection.call('signatureSubscribe', [signature])
  await new Promise(setImmediate)
  expect(sent).toHaveLength(2)
})
