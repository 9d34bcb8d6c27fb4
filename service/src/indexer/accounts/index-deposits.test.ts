import { depositAddress } from '@slipway/launch-model/addresses'
import { writeAddress } from '@slipway/launch-model/bytes/base58'
import { DEPOSIT_KINDS } from '@slipway/launch-model/kinds/kinds'
import { CORE_PROGRAM, GENESIS_PROGRAM } from '@slipway/launch-model/programs'
import type { Address } from '@slipway/schema/address'
import { expect, test } from 'vitest'
import type { ProgramAccount } from '../../chain/rpc/requests.ts'
import { saveBuckets } from '../../store/buckets.ts'
import { findProgress, saveCompleteScan } from '../../store/chain-progress.ts'
import { recordGenesisHash, replaceCluster } from '../../store/clusters.ts'
import { findDepositLaunches, listDeposits } from '../../store/deposits.ts'
import { addressOf } from '../../testing/launch-rows.ts'
import { createTestDatabase } from '../../testing/test-database.ts'
import { createDepositIndex, readDeposits, updateDeposits } from './index-deposits.ts'

const network = 'chain-mainnet'
const WAIT = { timeout: 30_000 }
const OWNER = addressOf('depositor')
const [POOL, PRESALE] = DEPOSIT_KINDS
const bucketOf = ({ name }: (typeof DEPOSIT_KINDS)[number]) => addressOf(`bucket ${name}`)

/** A chain with these accounts. Its node believes whatever program an account names. */
async function prepare() {
  const { database } = await createTestDatabase()
  for (const kind of DEPOSIT_KINDS) {
    const genesisAddress = addressOf(`launch ${kind.name}`)
    const bucket = { network, address: bucketOf(kind), genesisAddress, kind: kind.name, slot: 1 } as const
    await database.run('test', db => saveBuckets(db, [bucket]))
  }
  await saveCompleteScan(database, network, { slot: 1, at: new Date() })
  const chain = new Map<Address, ProgramAccount>()
  /** The account's address is derived from its content, unless `lie` says otherwise. */
  function put(kind: (typeof DEPOSIT_KINDS)[number], owner: Address, lie: Partial<ProgramAccount> = {}) {
    const data = new Uint8Array(kind.deposits.layout.size as number)
    data[0] = kind.deposits.key
    writeAddress(owner, data, 16)
    writeAddress(bucketOf(kind), data, 48)
    const address = lie.address ?? depositAddress(kind.name, bucketOf(kind), owner)
    chain.set(address, { exists: true, owner: GENESIS_PROGRAM, lamports: 1n, data, ...lie, address })
    return address
  }
  const state = { slot: 5, missingSlot: 5 }
  const rpc = {
    fetchAccounts: async (addresses: readonly Address[]) => ({
      slot: state.slot,
      accounts: addresses.map(address => chain.get(address) ?? { exists: false as const, address }),
    }),
    // A node that lists an account twice, and ignores the program.
    fetchProgramAccounts: async (_: Address, { filters }: { filters: readonly object[] }) => {
      const [{ dataSize }] = filters as [{ dataSize: number }]
      const accounts = [...chain.values()].filter(({ data }) => data.length === dataSize)
      return { slot: state.slot, accounts: [...accounts, ...accounts] }
    },
    confirmCluster: async () => {},
    confirmMissing: async (missing: readonly Address[]) => ({
      missing: [...missing],
      found: [],
      slot: state.missingSlot,
    }),
  }
  const stored = () => listDeposits(database, network, { after: '', limit: 1_000 })
  const launches = async (owner = OWNER) =>
    (await findDepositLaunches(database, network, owner)).launches.sort()
  return { chain, put, state, database, parts: { network, rpc, database } as const, stored, launches }
}

test.each(['reported', 'searched for'])(
  'deposits of both kinds that are %s lead to their launches until the chain no longer has them',
  async how => {
    const { chain, put, parts, stored, launches } = await prepare()
    const deposits = [put(POOL, OWNER), put(PRESALE, OWNER), put(POOL, addressOf('someone else'))]
    const read = () => (how === 'reported' ? updateDeposits(parts, deposits) : readDeposits(parts))
    await read()
    expect(await stored()).toHaveLength(3)
    expect(await launches()).toEqual([addressOf('launch launchpoolV2'), addressOf('launch presaleV2')].sort())
    await read()
    expect(await stored()).toHaveLength(3)
    chain.delete(deposits[0] as Address)
    await read()
    expect(await launches()).toEqual([addressOf('launch presaleV2')])
  },
)

test('an account of another program, or one whose address is not derived from its wallet, is not a deposit', async () => {
  const { put, parts, stored, database } = await prepare()
  const victim = addressOf('victim')
  const lies = [
    put(POOL, victim, { owner: CORE_PROGRAM }),
    put(PRESALE, victim, { address: addressOf('elsewhere') }),
    put(POOL, victim, { address: addressOf('short'), data: Uint8Array.of(POOL.deposits.key) }),
  ]
  await updateDeposits(parts, lies)
  await readDeposits(parts)
  expect(await stored()).toEqual([])
  expect(await findDepositLaunches(database, network, victim)).toMatchObject({
    isIndexComplete: true,
    launches: [],
  })
})

test('the index counts as complete only after all deposits have been read', async () => {
  const { parts, database } = await prepare()
  expect(await findDepositLaunches(database, network, OWNER)).toMatchObject({ isIndexComplete: false })
  await readDeposits(parts)
  expect(await findDepositLaunches(database, network, OWNER)).toMatchObject({ isIndexComplete: true })
})

test('a deposit that was missing and is made again is not removed', async () => {
  const { put, chain, state, parts, stored } = await prepare()
  const deposit = put(POOL, OWNER)
  await updateDeposits(parts, [deposit])
  // It is made again in a slot after the one in which every endpoint lacked it.
  Object.assign(state, { slot: 9, missingSlot: 7 })
  await updateDeposits(parts, [deposit])
  chain.delete(deposit)
  await updateDeposits(parts, [deposit])
  expect(await stored()).toEqual([deposit])
})

test('the search after a full read finds unreported deposits, and sweeps find closed ones', async () => {
  const { put, chain, parts, stored } = await prepare()
  const stop = new AbortController()
  const faults: unknown[] = []
  const limits = { sweepMs: 20, onFault: (error: unknown) => faults.push(error), signal: stop.signal }
  const index = createDepositIndex({ ...parts, ...limits })
  const running = index.run()
  await expect.poll(() => findProgress(parts.database, network), WAIT).toMatchObject({ hasDeposits: true })
  const unreported = put(POOL, OWNER)
  index.requestSearch()
  await expect.poll(stored, WAIT).toEqual([unreported])
  const reported = put(PRESALE, OWNER)
  index.report(reported)
  await expect.poll(stored, WAIT).toEqual([unreported, reported].sort())
  chain.delete(unreported)
  await expect.poll(stored, WAIT).toEqual([reported])
  stop.abort()
  await running
  expect(faults).toEqual([])
})

test('switching to another cluster removes the deposits of the previous one', async () => {
  const { put, parts, database, stored } = await prepare()
  await recordGenesisHash(database, network, 'one')
  await updateDeposits(parts, [put(POOL, OWNER)])
  expect(await replaceCluster(database, network, { from: 'one', to: 'two', keepsData: false })).toMatchObject(
    { deposits: 1 },
  )
  expect(await stored()).toEqual([])
})
