import { addressAt } from '@slipway/launch-model/bytes/base58'
import { IDENTITY_PROGRAM } from '@slipway/launch-model/programs'
import type { Address } from '@slipway/schema/address'
import { expect, test } from 'vitest'
import type { ProgramAccount, ProgramAccountsOptions } from '../../chain/rpc/requests.ts'
import { createTestDatabase } from '../../testing/test-database.ts'
import { discover } from './discover.ts'

const ASSET_AT = 8

function identity(number: number): ProgramAccount & { data: Uint8Array } {
  const data = new Uint8Array(104)
  data[0] = 2
  const view = new DataView(data.buffer)
  // Spread over the first byte of the asset's address.
  data[ASSET_AT] = number % 256
  view.setUint32(ASSET_AT + 4, number)
  const key = new Uint8Array(32)
  new DataView(key.buffer).setUint32(28, number)
  return { exists: true, address: addressAt(key), owner: IDENTITY_PROGRAM, lamports: 1n, data }
}

/** A chain with this many agents that counts its calls and the size of its responses. */
async function discoverAmong(count: number) {
  const { database } = await createTestDatabase()
  const all = Array.from({ length: count }, (_, number) => identity(number))
  const answers: number[] = []
  const shares: number[] = []
  const found = new Set<Address>()
  const { accounts } = await discover({
    network: 'chain-mainnet',
    database,
    signal: new AbortController().signal,
    rpc: {
      confirmCluster: async () => {},
      async fetchProgramAccounts(program: Address, { filters }: ProgramAccountsOptions) {
        const wanted = filters.flatMap(filter => ('memcmp' in filter ? filter.memcmp : []))
        const spread = wanted.find(({ offset }) => offset === ASSET_AT)?.bytes[0]
        const matching = all.filter(
          ({ owner, data }, at) =>
            (spread === undefined || at % 256 === spread) &&
            owner === program &&
            wanted.every(({ offset, bytes }) => data[offset] === bytes[0]),
        )
        answers.push(matching.length)
        return { slot: 9, accounts: matching }
      },
    },
    onAgents(assets) {
      for (const asset of assets) found.add(asset)
    },
    onShare: share => shares.push(share),
  })
  return { accounts, answers, found, shares }
}

test('few accounts are read in one call', async () => {
  const { answers, found } = await discoverAmong(500)
  expect(found.size).toBe(500)
  expect(Math.max(...answers)).toBe(500)
})

test('many accounts are read in small parts, each exactly once', async () => {
  const { accounts, answers, found, shares } = await discoverAmong(25_600)
  expect(found.size).toBe(25_600)
  expect(accounts).toBe(25_600)
  expect(Math.max(...answers)).toBe(100)
  expect(shares).toEqual(shares.toSorted((a, b) => a - b))
  expect(shares.at(-1)).toBe(1)
})
