import { expect, test } from 'vitest'
import { createMarkets } from './markets.ts'
import { startTestMarket } from './test-market.ts'

test('everyone who asks within a slot shares one read, and a builder reads for itself', async () => {
  const { makeCurve, reader, reads } = startTestMarket()
  let nowMs = 1_000
  const markets = createMarkets(reader, 'mainnet', () => nowMs)
  const { genesis } = makeCurve()
  // What never changes takes two reads, once.
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
})

test('a failed read is not shared with those who ask later', async () => {
  const { makeCurve, reader } = startTestMarket()
  let isDown = true
  const markets = createMarkets(
    {
      async fetchAccounts(addresses) {
        if (isDown) throw new Error('down')
        return reader.fetchAccounts(addresses)
      },
    },
    'mainnet',
  )
  const { genesis } = makeCurve()
  await expect(markets.readShared(genesis)).rejects.toThrow('down')
  isDown = false
  expect((await markets.readShared(genesis)).shape.genesis).toBe(genesis)
})
