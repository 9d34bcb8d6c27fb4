import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { getRaydiumCpmmBucketV2AccountDataSerializer } from '@metaplex-foundation/genesis'
import { systemTransfer } from '@slipway/local-chain/ledger/system-instructions'
import { marketTrades } from '@slipway/local-chain/world/market-trades'
import { submit } from '@slipway/local-chain/world/submit'
import type { Address } from '@slipway/schema/address'
import { eq } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'
import type { ChainCalls } from '../chain/rpc/create-rpc.ts'
import type { Database } from '../store/database.ts'
import { launches } from '../store/tables.ts'
import { useDemo } from '../testing/demo.ts'
import { createTestDatabase, runSql } from '../testing/test-database.ts'
import { NO_FAULTS, startFaultyNode } from './testing/faulty-node.ts'
import { startTestIndexer } from './testing/indexer.ts'
import { readNaively, registerWorld } from './testing/naive.ts'
import { seededRandom } from './testing/random.ts'
import { openTestRpc } from './testing/test-rpc.ts'

const demo = useDemo()
const network = 'chain-mainnet'
const registeredAt = new Date('2026-01-01T00:00:00.000Z')
const NEVER_MS = 2 ** 30
/** No sweeps, and no reads before the subscription can report later changes. */
const reportsOnly = { sweepMs: NEVER_MS, graceMs: NEVER_MS }

async function prepare() {
  const { local: chain, world } = demo.chainOf()
  const local = { rpcUrl: chain.rpcUrl, wsUrl: chain.wsUrl }
  const { connection, database } = await createTestDatabase()
  await registerWorld(database, network, world.launches, registeredAt)
  const trades = marketTrades(chain.chain, world.environment)
  const pool = world.launches.find(({ entry }) => entry.slug === 'orchard-ledger')
  const curve = world.launches.find(
    launch => launch.plan.mechanic === 'bondingCurveV2' && !trades.isGraduated(launch),
  )
  if (!pool || !curve) throw new Error('the demo has no bonding curve')
  /** Changes the curve's account in a transaction that names the launch. */
  function touch() {
    const { creator, genesisAddress, addresses } = curve as NonNullable<typeof curve>
    const account = chain.chain.account(addresses.primary)
    if (!account) throw new Error('the curve has no account')
    submit(chain.chain, [creator], [systemTransfer(creator.address, creator.address, 1n)], {
      also: new Map([[addresses.primary, { ...account, lamports: account.lamports + 1n }]]),
      named: [genesisAddress],
    })
  }
  const rpc = openTestRpc(local.rpcUrl)
  const naive = (address: Address) => readNaively(rpc, address, registeredAt)
  return {
    local,
    world,
    connection,
    database,
    deposit: () => trades.depositInSale(pool, 0, 1_000_000n),
    graduate: () => trades.graduate(curve),
    touch,
    pool,
    curve,
    naive,
  }
}

async function stored(database: Database, address: Address) {
  const [row] = await database.run('test', db =>
    db.select().from(launches).where(eq(launches.genesisAddress, address)),
  )
  if (!row) throw new Error('no such launch')
  return {
    mechanic: row.mechanic,
    startTime: row.startsAt.toISOString(),
    endTime: row.endsAt.toISOString(),
    graduatedAt: row.graduatedAt?.toISOString() ?? null,
    lastActivityAt: row.lastActivityAt.toISOString(),
  }
}

const sooner = { timeout: 60_000, interval: 20 }
const later = { timeout: 60_000, interval: 50 }
const END_INDEX_SESSIONS = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND application_name = 'slipway-index'`
/** Changes in the same second, or in the same slot of 400 ms, can't be distinguished. */
const nextSecond = () => sleep(1_410 - (Date.now() % 1_000))

test('one of two nodes indexes, and if it dies, the other takes over within seconds', async () => {
  const { local, connection, database, deposit, pool, naive } = await prepare()
  const first = startTestIndexer({ connection, ...local })
  await expect.poll(() => first.events, later).toContain('complete')
  const second = startTestIndexer({ connection, ...local })
  await nextSecond()
  expect(second.events).toEqual([])
  await first.stop()
  await expect.poll(() => second.events, sooner).toContain('leading')
  deposit()
  await expect
    .poll(() => stored(database, pool.genesisAddress), sooner)
    .toEqual(await naive(pool.genesisAddress))
})

test('a node whose database connection is half open loses the lease and notices', async () => {
  const { local, connection } = await prepare()
  const pipes = new Set<[Socket, Socket]>()
  let isFrozen = false
  const proxy = createServer(near => {
    const far = connect(join(connection.host, `.s.PGSQL.${connection.port}`))
    pipes.add([near, far])
    near.on('data', chunk => isFrozen || far.write(chunk))
    far.on('data', chunk => isFrozen || near.write(chunk))
    for (const socket of [near, far]) socket.on('error', () => {})
    // Once frozen, neither side notices that the other has ended: only the server's own timeout frees it.
    near.on('close', () => isFrozen || far.destroy())
  })
  await new Promise<void>(resolve => proxy.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const pair of pipes) for (const socket of pair) socket.destroy()
    proxy.close()
  })
  const { port } = proxy.address() as { port: number }
  const first = startTestIndexer({
    connection: { ...connection, host: '127.0.0.1', port },
    ...local,
    // It must keep the lease until then, on a busy machine too.
    lease: { heartbeatMs: 500, heartbeatMsMax: 4_000, idleMsMax: 6_000, statementMsMax: 4_000 },
  })
  await expect.poll(() => first.events, later).toContain('complete')
  isFrozen = true
  const second = startTestIndexer({ connection, ...local })
  await expect.poll(() => second.events, later).toContain('leading')
  await expect.poll(() => first.events, later).toContain('not leading')
  expect(first.events.lastIndexOf('leading')).toBe(0)
})

test('a node that has lost the lease says so at once, even while the chain keeps it waiting', async () => {
  const { connection, local } = await prepare()
  let isStuck = false
  const never = new Promise<never>(() => {})
  const only = startTestIndexer({
    connection,
    ...local,
    wrap: rpc => ({ ...rpc, fetchSlot: () => (isStuck ? never : rpc.fetchSlot()) }),
  })
  await expect.poll(() => only.events, later).toContain('complete')
  isStuck = true
  await nextSecond()
  await runSql(connection, END_INDEX_SESSIONS)
  await expect.poll(() => only.events, later).toContain('not leading')
  expect(only.indexer.isLeading('chain-mainnet')).toBe(false)
})

test('changes missed while a subscription was down are read once it is back', async () => {
  const { local, connection, database, deposit, pool, naive } = await prepare()
  const node = await startFaultyNode({ ...local, random: seededRandom().random })
  const indexer = startTestIndexer({ connection, ...node, limits: reportsOnly })
  await expect.poll(() => indexer.events.join(), later).toContain('repaired')
  const before = await stored(database, pool.genesisAddress)
  node.setFaults({ ...NO_FAULTS, dropped: 1 })
  await nextSecond()
  const noted = indexer.events.length
  deposit()
  await nextSecond()
  const unreported = await stored(database, pool.genesisAddress)
  // A busy machine may have another reason to read everything.
  const hasReason = indexer.events.slice(noted).some(event => /^(gap|polling|repaired)/.test(event))
  if (!hasReason) expect(unreported).toEqual(before)
  const countRepairs = () => indexer.events.filter(event => event.startsWith('repaired')).length
  const repairs = countRepairs()
  node.setFaults(NO_FAULTS)
  node.cutSockets()
  const expected = await naive(pool.genesisAddress)
  expect(expected).not.toEqual(before)
  await expect.poll(() => stored(database, pool.genesisAddress), later).toEqual(expected)
  await expect.poll(countRepairs, later).toBeGreaterThan(repairs)
})

test('a change that is never reported is found by the sweep', async () => {
  const { local, connection, database, deposit, pool, naive } = await prepare()
  const node = await startFaultyNode({ ...local, random: seededRandom().random })
  const indexer = startTestIndexer({ connection, ...node })
  await expect.poll(() => indexer.events.join(), later).toContain('repaired')
  node.setFaults({ ...NO_FAULTS, dropped: 1 })
  await nextSecond()
  deposit()
  await expect
    .poll(() => stored(database, pool.genesisAddress), later)
    .toEqual(await naive(pool.genesisAddress))
})

test('while subscriptions are refused, the indexer polls, and it subscribes again once they are granted', async () => {
  const { local, connection, database, deposit, pool, naive } = await prepare()
  const node = await startFaultyNode({ ...local, random: seededRandom().random })
  node.refuse(true)
  const indexer = startTestIndexer({
    connection,
    ...node,
    limits: { sweepMs: NEVER_MS, graceMs: 300, follow: { refusedMs: 500 } },
  })
  await expect.poll(() => indexer.events, later).toContain('polling')
  await nextSecond()
  deposit()
  await expect
    .poll(() => stored(database, pool.genesisAddress), later)
    .toEqual(await naive(pool.genesisAddress))
  node.refuse(false)
  await expect.poll(() => indexer.events, later).toContain('live')
})

test('a state that was rolled back is corrected', async () => {
  const { local, connection, database, graduate, touch, curve, naive } = await prepare()
  graduate()
  let isForked = false
  const { amm } = curve.addresses
  /** A node on a fork on which the curve has not graduated. */
  const wrap = (rpc: ChainCalls): ChainCalls => ({
    ...rpc,
    async fetchAccounts(addresses) {
      const { slot, accounts } = await rpc.fetchAccounts(addresses)
      const serializer = getRaydiumCpmmBucketV2AccountDataSerializer()
      return {
        slot,
        accounts: accounts.map(account => {
          if (!isForked || account.address !== (amm as string) || !account.exists) return account
          const [bucket] = serializer.deserialize(account.data)
          return { ...account, data: serializer.serialize({ ...bucket, graduatedBaseTokenAmount: 0n }) }
        }),
      }
    },
  })
  const indexer = startTestIndexer({
    connection,
    ...local,
    wrap,
    // By then, the fork must be gone, on a busy machine too.
    limits: { ...reportsOnly, slotsToFinality: 12 },
  })
  await expect.poll(() => indexer.events.join(), later).toContain('repaired')
  expect((await stored(database, curve.genesisAddress)).graduatedAt).not.toBe(null)
  isForked = true
  touch()
  await expect.poll(async () => (await stored(database, curve.genesisAddress)).graduatedAt, sooner).toBe(null)
  isForked = false
  await expect
    .poll(() => stored(database, curve.genesisAddress), later)
    .toEqual(await naive(curve.genesisAddress))
})

test('a node that has not reached a reported slot is asked again', async () => {
  const { local, connection, database, deposit, pool, naive } = await prepare()
  let isBehind = false
  let retries = 0
  const wrap = (rpc: ChainCalls): ChainCalls => {
    let old: Awaited<ReturnType<ChainCalls['fetchAccounts']>> | undefined
    return {
      ...rpc,
      async fetchAccounts(addresses) {
        const answer = await rpc.fetchAccounts(addresses)
        if (!addresses.includes(pool.addresses.primary as string as Address)) return answer
        if (!isBehind) old = answer
        else retries += 1
        if (!isBehind || !old) return answer
        const before = new Map(old.accounts.map(account => [account.address, account]))
        return {
          slot: old.slot,
          accounts: answer.accounts.map(account => before.get(account.address) ?? account),
        }
      },
    }
  }
  const indexer = startTestIndexer({ connection, ...local, wrap, limits: reportsOnly })
  await expect.poll(() => indexer.events.join(), later).toContain('repaired')
  await nextSecond()
  const before = await stored(database, pool.genesisAddress)
  isBehind = true
  deposit()
  await expect.poll(() => retries, sooner).toBeGreaterThan(2)
  expect(await stored(database, pool.genesisAddress)).toEqual(before)
  isBehind = false
  await expect
    .poll(() => stored(database, pool.genesisAddress), sooner)
    .toEqual(await naive(pool.genesisAddress))
})
