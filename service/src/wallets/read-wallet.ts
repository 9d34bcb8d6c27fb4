import { type Address, isAddress } from '@slipway/schema/address'
import type { CreatorRewards } from '@slipway/schema/creator-rewards'
import { ServiceError } from '@slipway/schema/errors'
import type { LaunchData } from '@slipway/schema/launch'
import type { Network } from '@slipway/schema/network'
import type { Wallet, WalletAgent } from '@slipway/schema/wallet'
import type { AtSlot } from '../chain/at-slot.ts'
import type { ChainRpc } from '../chain/rpc/create-rpc.ts'
import type { RequestScope } from '../endpoint/endpoint.ts'
import { createKeptReads } from '../lib/kept-reads.ts'
import type { Database } from '../store/database.ts'
import { findDepositLaunches } from '../store/deposits.ts'
import { listPositions, type PositionParts } from './list-positions.ts'
import { createCursors } from './wallet-cursor.ts'

export const LIST_MAX = 200

/** Where each list starts, and how long it may be. */
export interface WalletPage {
  limit: number
  positions?: string | undefined
  launches?: string | undefined
  agents?: string | undefined
  rewards?: string | undefined
}

/** As of this slot or later. */
interface WalletReading {
  wallet: Wallet
  slot: number
}

/** Nothing that is read may be older than this slot. */
type WalletScope = RequestScope & Pick<AtSlot, 'minSlot'>

export interface WalletParts extends PositionParts {
  rpc: PositionParts['rpc'] & Pick<ChainRpc, 'noteSlot' | 'newestSlot'>
  database: Database
  launchList: {
    find(query: {
      network: Network
      filter: Record<string, never>
      order: 'newest'
      limit: number
      cursor: string | undefined
      creator: Address
    }): Promise<{ data: LaunchData[]; page: { next: string | null } }>
  }
  agentList: {
    find(query: {
      network: Network
      page: number
      pageSize: number
      text: undefined
      order: 'latest'
      filter: Record<string, never>
      owner: Address
    }): Promise<{ agents: ListedAgent[]; totalPages: number }>
  }
  rewards: { list(wallet: Address, scope: RequestScope): Promise<CreatorRewards> }
}

interface ListedAgent {
  record: { mintAddress: Address; walletAddress: Address; name: string; image: string | null }
}

const KEPT_MS = 5_000
/** Of all cached wallets together. A failed read counts as one kilobyte. */
const KEPT_KILOBYTES_MAX = 32_000

/** Wallets that are at most five seconds old: everyone who asks for the same page within that time shares one read. */
export function createWallets(parts: WalletParts, now?: () => number) {
  const keep = createKeptReads<string, WalletReading>({
    keptMs: KEPT_MS,
    sizeMax: KEPT_KILOBYTES_MAX,
    sizeOf: ({ wallet }) => 1 + Math.ceil((2 * JSON.stringify(wallet).length) / 1_000),
    now,
  })
  return async (wallet: Address, page: WalletPage, scope: WalletScope): Promise<Wallet> => {
    const key = JSON.stringify([wallet, page.limit, page.positions, page.launches, page.agents, page.rewards])
    const { minSlot = 0 } = scope
    const read = () => readWallet(parts, wallet, page, scope)
    return (await keep(key, read, KEPT_MS, ({ slot }) => slot >= minSlot)).wallet
  }
}

/** Everything that a wallet has here. Throws `SERVICE_UNAVAILABLE` while the index may lack some of it. */
export async function readWallet(
  parts: WalletParts,
  wallet: Address,
  { limit, positions: cursor, ...starts }: WalletPage,
  scope: WalletScope,
): Promise<WalletReading> {
  const { network, database, rpc, launchList } = parts
  const known = await findDepositLaunches(database, network, wallet)
  if (!known.isIndexComplete) throw new ServiceError('SERVICE_UNAVAILABLE')
  // The next read must not be older than the index.
  if (known.indexed) rpc.noteSlot(known.indexed.slot, known.indexed.at)
  const sinceSlot = rpc.newestSlot()
  const [{ next: nextPositions, ...positions }, launches, agents, rewards] = await Promise.all([
    listPositions(parts, wallet, {
      depositedIn: known.launches,
      cursor,
      limit,
      client: scope.client,
      minSlot: scope.minSlot,
    }),
    launchList.find({
      network,
      filter: {},
      order: 'newest',
      limit,
      cursor: starts.launches,
      creator: wallet,
    }),
    listAgents(parts, wallet, { limit, cursor: starts.agents }),
    parts.rewards.list(wallet, scope),
  ])
  const rewardsPage = pageRewards(network, wallet, rewards, { limit, cursor: starts.rewards })
  const found: Wallet = {
    positions: positions.positions,
    launches: launches.data,
    agents: agents.agents,
    rewards: rewardsPage.rewards,
    truncated: positions.truncated,
    unavailable: positions.unavailable,
    next: {
      positions: nextPositions,
      launches: launches.page.next,
      agents: agents.next,
      rewards: rewardsPage.next,
    },
  }
  // What is not kept was read after this.
  return { wallet: found, slot: Math.min(sinceSlot, positions.slot) }
}

const isPage = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) > 0

async function listAgents(
  { network, rpc, agentList }: WalletParts,
  owner: Address,
  { limit: pageSize, cursor }: { limit: number; cursor: string | undefined },
): Promise<{ agents: WalletAgent[]; next: string | null }> {
  const cursors = createCursors([network, owner, 'agents', pageSize], isPage)
  const page = cursor === undefined ? 1 : cursors.decode(cursor)
  const query = { network, page, pageSize, text: undefined, order: 'latest', filter: {}, owner } as const
  const { agents, totalPages } = await agentList.find(query)
  const { accounts } = await rpc.fetchAccounts(agents.map(({ record }) => record.walletAddress))
  return {
    agents: agents.map(({ record: { mintAddress, name, image, walletAddress } }, at) => {
      const account = accounts[at]
      const lamports = `${account?.exists ? account.lamports : 0n}`
      return { address: mintAddress, name, image, wallet: walletAddress, lamports }
    }),
    next: page < totalPages ? cursors.encode(page + 1) : null,
  }
}

const isMint = (value: unknown): value is string => typeof value === 'string' && isAddress(value)

/**
 * In the order of the tokens' addresses, so that a token that is added or gone meanwhile moves no other to another
 * page.
 */
function pageRewards(
  network: Network,
  wallet: Address,
  { totals, buckets }: CreatorRewards,
  { limit, cursor }: { limit: number; cursor: string | undefined },
): { rewards: Wallet['rewards']; next: string | null } {
  const cursors = createCursors([network, wallet, 'rewards'], isMint)
  const after = cursor === undefined ? '' : cursors.decode(cursor)
  const left = totals
    .filter(({ quoteMint }) => quoteMint > after)
    .sort((a, b) => (a.quoteMint < b.quoteMint ? -1 : 1))
  const page = left.slice(0, limit)
  const last = page.at(-1)
  return {
    rewards: page.map(({ quoteMint, claimable }) => ({
      quoteMint,
      claimable,
      buckets: buckets.filter(bucket => bucket.quoteMint === quoteMint).length,
    })),
    next: last && page.length < left.length ? cursors.encode(last.quoteMint) : null,
  }
}
