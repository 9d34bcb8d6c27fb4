import { marketTrades } from '@slipway/local-chain/world/market-trades'
import type { Address } from '@slipway/schema/address'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import type { ChainAccount } from '../../chain/account-reader.ts'
import { readActivity } from '../../store/activity.ts'
import { activitySources, launchActivity } from '../../store/activity-tables.ts'
import { saveBuckets } from '../../store/buckets.ts'
import { buckets, launches } from '../../store/tables.ts'
import { useDemo } from '../../testing/demo.ts'
import { createTestDatabase } from '../../testing/test-database.ts'
import { createPendingChanges } from '../changes/pending-changes.ts'
import { registerWorld } from '../testing/naive.ts'
import { openTestRpc } from '../testing/test-rpc.ts'
import { toBucketRow } from './index-buckets.ts'
import { type BucketHint, digestOf, indexLaunches } from './index-launches.ts'

const demo = useDemo()
const network = 'chain-mainnet'
const registeredAt = new Date('2026-01-01T00:00:00.000Z')
/** Later than the registration, and different for each slot. */
const timeOf = (slot: number) => new Date(registeredAt.getTime() + slot * 1_000)

/** A graduated launch of the demo in an otherwise empty store. `look` indexes it with the hint that a test chooses. */
async function prepare() {
  const { local, world } = demo.chainOf()
  const trades = marketTrades(local.chain, world.environment)
  const curves = world.launches.filter(({ plan }) => plan.mechanic === 'bondingCurveV2')
  const launch = curves.find(trades.isGraduated) ?? curves[0]
  if (!launch) throw new Error('the demo has no bonding curve')
  if (!trades.isGraduated(launch)) trades.graduate(launch)
  const { genesisAddress } = launch
  const amm = launch.addresses.amm as string as Address
  const { database } = await createTestDatabase()
  await registerWorld(database, network, [launch], registeredAt)
  const reader = openTestRpc(local.rpcUrl)
  const { slot, accounts } = await reader.fetchAccounts([amm, launch.addresses.primary as string as Address])
  const found = accounts.filter(account => account.exists)
  const rows = found.map(account => toBucketRow(network, account, 1)).filter(row => row !== undefined)
  await database.run('test', db => saveBuckets(db, rows))
  const account = found[0] as Extract<ChainAccount, { exists: true }>
  const digest = digestOf(account.data)
  const times = { of: async (at: number) => timeOf(at), ofLastChange: async () => undefined, forget() {} }
  async function look(hint?: Partial<BucketHint>) {
    const hints = hint ? new Map([[amm, { slot: 1, digest, graduatedSlot: undefined, ...hint }]]) : new Map()
    const { written } = await indexLaunches(
      { network, reader, database, times },
      new Map([[genesisAddress, hints]]),
    )
    const [row] = await database.run('test', db =>
      db.select().from(launches).where(eq(launches.genesisAddress, genesisAddress)),
    )
    return { written, graduatedAt: row?.graduatedAt, lastActivityAt: row?.lastActivityAt }
  }
  const states = () =>
    database.run('test', db => db.select().from(launchActivity).orderBy(launchActivity.time))
  const trade = () => trades.tradeInPool(launch, 0, 1_000_000_000n)
  const read = () => readActivity(database, { network, genesisAddress }, [])
  return { look, slot, account, genesisAddress, states, trade, read, database }
}

test('a graduation has the time of the slot that first reported it, even after later changes', async () => {
  const { look } = await prepare()
  expect(await look({ slot: 9, graduatedSlot: 5 })).toEqual({
    written: 1,
    graduatedAt: timeOf(5),
    lastActivityAt: timeOf(9),
  })
  // A time that is known is kept.
  expect(await look({ slot: 10, graduatedSlot: 10 })).toMatchObject({ graduatedAt: timeOf(5) })
})

test('the same bytes at a later slot count as later activity; a late report or none changes nothing', async () => {
  const { look } = await prepare()
  expect(await look({ slot: 9 })).toMatchObject({ lastActivityAt: timeOf(9) })
  expect(await look({ slot: 12 })).toMatchObject({ written: 1, lastActivityAt: timeOf(12) })
  expect(await look({ slot: 11 })).toMatchObject({ written: 0, lastActivityAt: timeOf(12) })
  expect(await look()).toMatchObject({ written: 0, lastActivityAt: timeOf(12) })
})

test('bytes other than the reported ones get the time of the read, and a slot ahead of the node is ignored', async () => {
  const { look, slot } = await prepare()
  expect(await look({ slot: 9, digest: 'of an older state' })).toMatchObject({
    written: 1,
    // No change is known, so the time of the registration is used.
    lastActivityAt: registeredAt,
  })
  expect(await look({ slot: slot + 1_000 })).toMatchObject({ written: 0, lastActivityAt: registeredAt })
})

test.each([
  [9, 12],
  [12, 9],
])(
  'of reports at slots %d and %d, the earlier dates the graduation and the later gives the state',
  async (first, second) => {
    const { account, genesisAddress } = await prepare()
    const pending = createPendingChanges(network, { launches: new Set([genesisAddress]), agents: new Set() })
    const { address, data } = account
    for (const slot of [first, second]) pending.report({ topic: 'raydiumCpmmV2', slot, address, data })
    expect(pending.take().launches.get(genesisAddress)?.get(address)).toEqual({
      slot: 12,
      digest: digestOf(data),
      graduatedSlot: 9,
    })
  },
)

test('a state is stored when the figures of a launch change; after graduation, the pool sets the price', async () => {
  const { look, states, trade, read, database } = await prepare()
  await look({ slot: 9 })
  const [sale] = await states()
  // The sale's price ended with the graduation.
  expect(sale).toMatchObject({ time: timeOf(9), progress: 1_000_000, priceQuote: null, priceBase: null })
  // Now the mints are known, and with them the addresses of the pool.
  await look()
  const [, first, ...none] = await states()
  expect(none).toEqual([])
  expect(first?.priceQuote).toBeGreaterThan(0n)
  await look()
  expect(await states()).toHaveLength(2)

  // A second state of the same slot would replace the first.
  await expect.poll(() => demo.chainOf().local.chain.clock.slot()).toBeGreaterThan(first?.slot as number)
  trade()
  await look()
  const [, before, after] = await states()
  // Of one SOL, the creator's part and the protocol's don't count as the pool's own.
  const earned = (after?.creatorFees as bigint) - (before?.creatorFees as bigint)
  const added = (after?.priceQuote as bigint) - (before?.priceQuote as bigint)
  expect(earned).toBeGreaterThan(0n)
  expect(added).toBeLessThan(1_000_000_000n - earned)
  expect(added).toBeGreaterThan(980_000_000n)
  expect(after?.raised).toEqual(sale?.raised)
  expect(await read()).toMatchObject({ quoteDecimals: 9, baseDecimals: 6, endedAt: null })

  // The node shows no pool: what is known stays. For a launch that never had one, the figures end.
  await database.run('test', db => db.update(buckets).set({ kind: 'bondingCurveV2' }))
  await look()
  expect(await states()).toHaveLength(3)
  expect(await read()).toMatchObject({ endedAt: null })
  await database.run('test', db => db.update(activitySources).set({ pool: null }))
  await look()
  expect((await read())?.endedAt).toEqual((await states()).at(-1)?.time)
})
