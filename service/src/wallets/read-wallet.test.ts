import type { Address } from '@slipway/schema/address'
import type { CreatorRewards } from '@slipway/schema/creator-rewards'
import { ServiceError } from '@slipway/schema/errors'
import type { LaunchData } from '@slipway/schema/launch'
import type { LaunchPosition } from '@slipway/schema/position'
import type { WalletPosition } from '@slipway/schema/wallet'
import { expect, test } from 'vitest'
import { createAgentList } from '../agents/agent-list.ts'
import { RpcError } from '../chain/rpc/fault.ts'
import { createLaunchList } from '../launches/launch-list.ts'
import { createDeadline } from '../lib/deadline.ts'
import { saveBuckets } from '../store/buckets.ts'
import { saveCompleteScan, saveSearched } from '../store/chain-progress.ts'
import { saveDeposits } from '../store/deposits.ts'
import { insertLaunches } from '../store/launches.ts'
import { saveTestAgent } from '../testing/agent-rows.ts'
import { addressOf, launchRecord, launchRows } from '../testing/launch-rows.ts'
import { createTestDatabase } from '../testing/test-database.ts'
import { EXAMPLE_WALLET } from './example.ts'
import type { KnownLaunch } from './list-positions.ts'
import { createWallets, readWallet, type WalletPage, type WalletParts } from './read-wallet.ts'

const network = 'chain-mainnet'
const WALLET = addressOf('wallet')
const scope = () => ({ client: 'test', deadline: createDeadline(60_000) })
const {
  genesisAddress: _,
  launch: _launch,
  baseToken: _token,
  ...shown
} = EXAMPLE_WALLET.positions[0] as WalletPosition
const EMPTY: LaunchPosition = { ...shown, balance: '0' }
const DOWN = new RpcError('getMultipleAccounts', {
  kind: 'unreachable',
  code: undefined,
  endpoint: 'none',
  detail: 'down',
  attempts: 1,
})

const heldToken = (mint: Address) => ({
  address: addressOf(`tokens ${mint}`),
  mint,
  amount: 1n,
  isFrozen: false,
})

/** A store with `count` launches that the wallet created, and as many agents that it owns. It has deposits in all. */
async function prepare(count: number) {
  const { database } = await createTestDatabase()
  const names = Array.from({ length: count }, (_, at) => `${at}`.padStart(3, '0'))
  const known = new Map<Address, KnownLaunch>()
  // Several were registered at the same time.
  const registeredAt = (at: number) => new Date(1_700_000_000_000 + 1_000 * Math.floor(at / 3))
  await insertLaunches(
    database,
    names.map((name, at) => launchRows(name, { registeredAt: registeredAt(at) })),
  )
  for (const [at, name] of names.entries()) {
    const { genesisAddress } = launchRecord(name)
    const json = JSON.stringify(EXAMPLE_WALLET.launches[0])
    known.set(genesisAddress, {
      ...{ genesisAddress, json, length: Buffer.byteLength(json) },
      registeredMs: registeredAt(at).getTime(),
    })
    await saveTestAgent(database, name, { owner: WALLET })
  }
  const bucketOf = (genesis: Address) => addressOf(`bucket ${genesis}`)
  await database.run('test', db =>
    saveBuckets(
      db,
      [...known.keys()].map(genesisAddress => ({
        network,
        address: bucketOf(genesisAddress),
        genesisAddress,
        kind: 'launchpoolV2',
        creatorFeeWallet: WALLET,
        slot: 1,
      })),
    ),
  )
  const deposits = [...known.keys()].map(genesis => ({
    address: addressOf(`deposit ${genesis}`),
    owner: WALLET,
    bucket: bucketOf(genesis),
  }))
  await saveDeposits(database, network, deposits, { slot: 1, renews: false })
  await saveCompleteScan(database, network, { slot: 1, at: new Date() })
  await saveSearched(database, network, 'hasDeposits')
  const state = {
    totals: [] as CreatorRewards['totals'],
    tokens: [] as ReturnType<typeof heldToken>[],
    readPosition: async (_genesis: Address): Promise<LaunchPosition> => ({ ...EMPTY, deposited: '1' }),
    reads: 0,
    isDown: false,
  }
  const parts: WalletParts = {
    network,
    database,
    launches: {
      launch: address => known.get(address),
      launchesOfToken: mint => [...known.values()].filter(({ genesisAddress }) => genesisAddress === mint),
    },
    rpc: {
      noteSlot() {},
      newestSlot: () => 1,
      async fetchAccounts(addresses) {
        if (state.isDown) throw DOWN
        return {
          slot: 1,
          accounts: addresses.map(address => ({
            exists: true as const,
            address,
            owner: addressOf('system'),
            lamports: 7n,
            data: new Uint8Array(),
          })),
        }
      },
    },
    async heldTokens() {
      state.reads += 1
      if (state.isDown) throw DOWN
      return { slot: 1, tokens: state.tokens, truncated: false }
    },
    readPosition: (_, genesis) => state.readPosition(genesis),
    launchList: createLaunchList({ database, launchPage: '{genesisAddress}' }),
    agentList: createAgentList({
      database,
      publicUrl: 'https://slipway.example',
      isServed: () => true,
      onPrefixOnly() {},
    }),
    rewards: { list: async wallet => ({ wallet, buckets: [], totals: state.totals }) },
  }
  const read = async (page: Partial<WalletPage> = {}) =>
    (await readWallet(parts, WALLET, { limit: 200, ...page }, scope())).wallet
  return { parts, state, read, known, addresses: [...known.keys()] }
}

test('lists of more than 200 entries continue at their cursors, each on its own, without gaps or repeats', async () => {
  const { read } = await prepare(205)
  const first = await read()
  expect([first.positions.length, first.launches.length, first.agents.length]).toEqual([200, 200, 200])
  expect(first.agents[0]?.lamports).toBe('7')
  for (const list of ['positions', 'launches', 'agents'] as const) {
    const cursor = first.next[list] as string
    const second = await read({ [list]: cursor })
    expect(second[list]).toHaveLength(5)
    expect(second.next).toEqual({ ...first.next, [list]: null })
    const keyOf = (entry: { address: string } | LaunchData) =>
      'address' in entry ? entry.address : entry.launch.genesisAddress
    const keys = [...first[list], ...second[list]].map(entry =>
      'genesisAddress' in entry ? entry.genesisAddress : keyOf(entry),
    )
    expect(new Set(keys).size).toBe(205)
    // A cursor belongs to one list.
    const other = list === 'agents' ? 'positions' : 'agents'
    await expect(read({ [other]: cursor })).rejects.toMatchObject({ code: 'INVALID_CURSOR' })
  }
})

test('rewards in more than 200 tokens continue at their cursor, whatever is added or gone meanwhile', async () => {
  const { read, state } = await prepare(1)
  const amounts = { accrued: '1', claimed: '0', uncollected: '0', claimable: '1' }
  state.totals = Array.from({ length: 205 }, (_, at) => ({ quoteMint: addressOf(`quote ${at}`), ...amounts }))
  const first = await read()
  const mints = first.rewards.map(({ quoteMint }) => quoteMint)
  const all = state.totals.map(({ quoteMint }) => quoteMint).toSorted()
  state.totals = state.totals.filter(({ quoteMint }) => quoteMint !== mints[0]).toReversed()
  const second = await read({ rewards: first.next.rewards ?? '' })
  expect([first.rewards.length, second.rewards.length, second.next.rewards]).toEqual([200, 5, null])
  expect([...mints, ...second.rewards.map(({ quoteMint }) => quoteMint)]).toEqual(all)
  await expect(read({ agents: first.next.rewards ?? '' })).rejects.toMatchObject({ code: 'INVALID_CURSOR' })
})

test('the launch that was registered last comes first, and equally old ones are in the order of their addresses', async () => {
  const { read, addresses } = await prepare(7)
  const expected = [[6], [3, 4, 5], [0, 1, 2]].flatMap(group => group.map(at => addresses[at]).sort())
  const pages: (Address | undefined)[] = []
  let positions: string | null | undefined
  do {
    const page = await read({ limit: 2, positions: positions ?? undefined })
    pages.push(...page.positions.map(({ genesisAddress }) => genesisAddress))
    positions = page.next.positions
  } while (positions)
  expect(pages).toEqual(expected)
})

test('a page of long launches ends earlier, and the next one continues there', async () => {
  const { read, known, addresses } = await prepare(120)
  for (const launch of known.values()) launch.length = 6_000
  const first = await read()
  expect(first.positions).toHaveLength(50)
  const second = await read({ positions: first.next.positions ?? '' })
  const third = await read({ positions: second.next.positions ?? '' })
  expect([second.positions.length, third.positions.length, third.next.positions]).toEqual([50, 20, null])
  const all = [first, second, third].flatMap(({ positions }) => positions)
  expect(new Set(all.map(({ genesisAddress }) => genesisAddress))).toEqual(new Set(addresses))
})

test('a deposit of which nothing is left is no position, and tokens in another account are one', async () => {
  const { read, state, addresses } = await prepare(2)
  state.readPosition = async () => EMPTY
  expect((await read()).positions).toEqual([])
  state.tokens = [heldToken(addresses[1] as Address)]
  expect((await read()).positions).toMatchObject([{ genesisAddress: addresses[1] }])
})

test('a launch that cannot be read is named and hides no other, but without an RPC there is no answer', async () => {
  const { read, state, addresses } = await prepare(3)
  state.readPosition = async genesis => {
    if (genesis === addresses[1]) throw new ServiceError('SERVICE_UNAVAILABLE')
    return { ...EMPTY, claimed: '1' }
  }
  const { positions, unavailable } = await read()
  expect([positions.length, unavailable]).toEqual([2, [addresses[1]]])
  state.readPosition = () => Promise.reject(DOWN)
  await expect(read()).rejects.toBe(DOWN)
})

test('if a node returns no token accounts, deposits are still shown', async () => {
  const { parts, read, state } = await prepare(1)
  const { fetchAccounts } = parts.rpc
  state.isDown = true
  await expect(read()).rejects.toBe(DOWN)
  // Nothing else of it is on the chain.
  await expect(readWallet(parts, addressOf('newcomer'), { limit: 200 }, scope())).rejects.toBe(DOWN)
  parts.rpc.fetchAccounts = addresses => {
    state.isDown = false
    return fetchAccounts(addresses).finally(() => {
      state.isDown = true
    })
  }
  expect(await read()).toMatchObject({ positions: [{ deposited: '1' }], truncated: true })
})

test('a wallet is kept for five seconds, and failures and refusals not at all', async () => {
  const { parts, state } = await prepare(1)
  let nowMs = 1_000
  const wallets = createWallets(parts, () => nowMs)
  const read = (positions?: string) => wallets(WALLET, { limit: 200, positions }, scope())
  await expect(read('junk')).rejects.toMatchObject({ code: 'INVALID_CURSOR' })
  state.isDown = true
  await expect(read()).rejects.toBe(DOWN)
  state.isDown = false
  state.reads = 0
  const [first, shared] = await Promise.all([read(), read()])
  nowMs += 5_000
  expect([shared, await read()]).toEqual([first, first])
  expect(state.reads).toBe(1)
  nowMs += 1
  await read()
  expect(state.reads).toBe(2)
})
