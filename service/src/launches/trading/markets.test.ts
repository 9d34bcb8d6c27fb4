import { createKeypair } from '@slipway/local-chain/ledger/keypair'
import { expect, test } from 'vitest'
import { createMarkets } from './markets.ts'
import { startTestMarket } from './test-market.ts'

const slotMs = () => 400

test('requests within a slot share one read, and a builder reads for itself', async () => {
  const { makeCurve, reader, reads } = startTestMarket()
  let nowMs = 1_000
  const markets = createMarkets(reader, 'mainnet', { slotMs, now: () => nowMs })
  const { genesis } = makeCurve()
  // The parts that never change take two reads, once.
  await Promise.all(Array.from({ length: 50 }, () => markets.readShared(genesis)))
  expect(reads()).toBe(3)
  nowMs += 399
  await Promise.all(Array.from({ length: 50 }, () => markets.readShared(genesis)))
  expect(reads()).toBe(3)
  nowMs += 2
  await Promise.all(Array.from({ length: 50 }, () => markets.readShared(genesis)))
  expect(reads()).toBe(4)
  await markets.read(genesis, () => [])
  expect(reads()).toBe(5)
  // Requests about the same wallet share its accounts.
  const [one, other] = [createKeypair().address, createKeypair().address]
  const shared = await Promise.all(
    Array.from({ length: 50 }, () => markets.readShared(genesis, one, () => [one])),
  )
  expect(shared.every(({ others }) => others.has(one))).toBe(true)
  expect(reads()).toBe(6)
  await markets.readShared(genesis, other, () => [other])
  expect(reads()).toBe(7)
})

test('a failed read is shared within a slot too, but not with later requests', async () => {
  const { makeCurve, reader } = startTestMarket()
  let [isDown, calls, nowMs] = [true, 0, 1_000]
  const markets = createMarkets(
    {
      async fetchAccounts(addresses) {
        calls += 1
        if (isDown) throw new Error('down')
        return reader.fetchAccounts(addresses)
      },
    },
    'mainnet',
    { slotMs, now: () => nowMs },
  )
  const { genesis } = makeCurve()
  for (let visitor = 0; visitor < 50; visitor += 1)
    await expect(markets.readShared(genesis)).rejects.toThrow('down')
  expect(calls).toBe(1)
  isDown = false
  // A builder reads in its own call.
  expect((await markets.read(genesis, () => [])).shape.genesis).toBe(genesis)
  nowMs += 401
  expect((await markets.readShared(genesis)).shape.genesis).toBe(genesis)
})

test('a launch with a part that can’t be read costs one read too, and is looked at again soon', async () => {
  const { makeCurve, changeAccount, chain, reader, reads } = startTestMarket()
  const { genesis, amm } = makeCurve()
  const setKind = (kind: number) =>
    changeAccount(amm, account => ({ ...account, data: Uint8Array.of(kind, ...account.data.slice(1)) }))
  const kind = chain.account(amm)?.data[0] as number
  setKind(250)
  let nowMs = 1_000
  const unread: unknown[] = []
  const markets = createMarkets(reader, 'mainnet', {
    slotMs,
    now: () => nowMs,
    onUnread: (...found) => unread.push(found),
  })
  const read = () => markets.read(genesis, () => [])
  await read()
  await read()
  // Only the first time, the parts take two more reads.
  expect([reads(), unread]).toEqual([4, [[genesis, 1]]])
  setKind(kind)
  nowMs += 60_000
  expect((await read()).shape.unread).toBe(0)
})
