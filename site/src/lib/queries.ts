import { type Agent, type Network, type Slipway, SlipwayError } from '@slipway/client'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { type AgentFilter, type ListedAgents, toListedAgents, toRequest } from './agents.ts'
import { checkAgent, checkLaunch, checkQuote, checkRewards } from './check-answers.ts'
import { readConfirmed } from './confirmed.ts'
import { type LaunchRows, readLaunchPage, readRows, refreshRows } from './launch-rows.ts'
import type { LaunchFilter } from './launches.ts'
import { createLimit } from './limit.ts'
import { queryKeys } from './query-keys.ts'
import { type Period, readSeries } from './read-series.ts'
import { fetchBalance, fetchBalances, fetchRent } from './rpc.ts'
import { type HoldingList, toHoldings } from './wallets.ts'

/** Every question that pages ask, in one place. */

/** Rows that the server sends, and that each further request adds. */
export const ROWS_PER_PAGE = 50
/** The most that the service returns. */
const ROWS_REFRESHED_MAX = 200

/** The launches of a list, from its start. Events keep it up to date. When it is fetched again, all loaded rows are. */
export const launchListQuery = (slipway: Slipway, filter: LaunchFilter) => {
  const queryKey = queryKeys.launchList(filter)
  return queryOptions({
    queryKey,
    queryFn: async ({ signal, client }): Promise<LaunchRows> => {
      const known = client.getQueryData<LaunchRows>(queryKey)
      const loaded = known?.launches.length ?? 0
      const limit = Math.min(ROWS_REFRESHED_MAX, Math.max(ROWS_PER_PAGE, loaded))
      const start = await readRows(slipway, filter, { cursor: filter.cursor, limit }, { signal })
        // A link that someone has shortened or changed still leads to launches.
        .catch(error => {
          if (!(error instanceof SlipwayError) || error.code !== 'INVALID_CURSOR') throw error
          return readRows(slipway, filter, { cursor: undefined, limit }, { signal })
        })
      return refreshRows(client.getQueryData<LaunchRows>(queryKey), start)
    },
  })
}

/** How many launches of each standing there are, whatever is searched for. */
export const launchCountsQuery = (slipway: Slipway, { network, mechanic }: LaunchFilter) =>
  queryOptions({
    queryKey: queryKeys.launchCountsOf(network, mechanic),
    queryFn: async ({ signal }) => {
      const request = { network, mechanic, limit: 1, counts: true }
      const { counts } = await readLaunchPage(slipway, request, { signal })
      return counts ? { ...counts, live: counts.live - counts.closed } : null
    },
  })

/** Bounds the page; operators pick fewer. */
const SPOTLIGHT_MAX = 12

/**
 * The launches that the operator has picked, the last registered first. Their order doesn't depend on activity, so
 * that cards keep their places.
 */
export const spotlightQuery = (slipway: Slipway, network: Network) =>
  queryOptions({
    queryKey: queryKeys.spotlight(network),
    queryFn: async ({ signal }) => {
      const request = { network, spotlight: true, sort: 'newest', limit: SPOTLIGHT_MAX } as const
      return (await readLaunchPage(slipway, request, { signal })).launches
    },
    staleTime: 60_000,
  })

export const launchQuery = (slipway: Slipway, network: Network, address: string) =>
  queryOptions({
    queryKey: queryKeys.launch(network, address),
    queryFn: async ({ signal }) =>
      checkLaunch(await slipway.launches.get(address, { network, signal }), address),
  })

const UNREAD_MS = 3_000
/** Few at a time, so that a page with many launches stays well below the limit of requests. */
const limitActivity = createLimit(3)

/** What a launch has raised over a period, ending now. */
export const activityQuery = (
  slipway: Slipway,
  network: Network,
  address: string,
  period: Period,
  /** Where `all` begins. */
  startMs = 0,
) =>
  queryOptions({
    queryKey: queryKeys.activity(network, address, period),
    queryFn: ({ signal }) =>
      limitActivity(signal, () =>
        readSeries(
          (interval, fromMs) =>
            slipway.launches.activity(address, { network, interval, from: new Date(fromMs) }, { signal }),
          { period, startMs, nowMs: Date.now() },
        ),
      ),
    staleTime: 30_000,
    // A launch that was registered a moment ago has no figures yet.
    refetchInterval: ({ state }) => (state.data?.current === null ? UNREAD_MS : false),
  })

export interface TradeOrder {
  side: 'buy' | 'sell'
  /** In the smallest unit of what is paid. */
  amount: string
  slippageBps: number
  wallet: string | undefined
}

/** What a trade would cost and bring now. Events say when the price has moved. */
export const quoteQuery = (slipway: Slipway, network: Network, address: string, order: TradeOrder) =>
  queryOptions({
    queryKey: queryKeys.quote(network, address, order),
    queryFn: ({ signal }) =>
      readConfirmed(network, order.wallet, async minSlot =>
        checkQuote(await slipway.launches.quote(address, { ...order, network, minSlot }, { signal }), order),
      ),
    staleTime: 5_000,
    refetchInterval: MARKET_POLL_MS,
  })
const MARKET_POLL_MS = 30_000

/** What a wallet has in a launch, and what it can do now. */
export const positionQuery = (slipway: Slipway, network: Network, address: string, wallet: string) =>
  queryOptions({
    queryKey: queryKeys.position(network, address, wallet),
    queryFn: ({ signal }) =>
      readConfirmed(network, wallet, minSlot =>
        slipway.launches.position(address, wallet, { network, minSlot, signal }),
      ),
    refetchInterval: MARKET_POLL_MS,
  })

export const agentQuery = (slipway: Slipway, network: Network, address: string) =>
  queryOptions({
    queryKey: queryKeys.agent(network, address),
    queryFn: async ({ signal }) =>
      checkAgent(await slipway.agents.get(address, { network, signal }), address),
    staleTime: 60_000,
  })

/** Everything that an agent's wallet holds. */
export const agentWalletQuery = (
  slipway: Slipway,
  network: Network,
  { address, walletAddress }: Pick<Agent, 'address' | 'walletAddress'>,
) =>
  queryOptions({
    queryKey: queryKeys.agentWallet(network, address),
    queryFn: ({ signal }) =>
      readConfirmed(network, walletAddress, minSlot =>
        slipway.agents.wallet(address, { network, minSlot, signal }),
      ),
    refetchInterval: BALANCE_POLL_MS,
    retry: 1,
  })

/** Who can spend from it besides its owner. */
export const agentDelegatesQuery = (slipway: Slipway, network: Network, address: string) =>
  queryOptions({
    queryKey: queryKeys.agentDelegates(network, address),
    queryFn: ({ signal }) => slipway.agents.delegates(address, { network, signal }),
    refetchInterval: BALANCE_POLL_MS,
    retry: 1,
  })

export const tokenQuery = (slipway: Slipway, network: Network, mint: string) =>
  queryOptions({
    queryKey: queryKeys.token(network, mint),
    queryFn: ({ signal }) => slipway.tokens.get(mint, { network, signal }),
  })

/** One page of the agents. Events say when it is out of date. The API's own answer may be five seconds old. */
export const agentsQuery = (slipway: Slipway, filter: AgentFilter) =>
  queryOptions({
    queryKey: queryKeys.agentPage(filter),
    queryFn: async ({ signal }): Promise<ListedAgents> =>
      toListedAgents(await slipway.agents.list(toRequest(filter), { signal })),
    refetchInterval: AGENTS_POLL_MS,
  })
const AGENTS_POLL_MS = 30_000

/** Which keys this service signs cards with. They are asked of this service alone, whatever a card says. */
export const cardKeysQuery = (slipway: Slipway) =>
  queryOptions({
    queryKey: queryKeys.cardKeys(),
    queryFn: ({ signal }) => slipway.agents.cardKeys({ signal }),
    staleTime: 5 * 60_000,
  })

export const rewardsQuery = (slipway: Slipway, network: Network, wallet: string) =>
  queryOptions({
    queryKey: queryKeys.rewards(network, wallet),
    queryFn: ({ signal }) =>
      readConfirmed(network, wallet, async minSlot =>
        checkRewards(await slipway.rewards.get(wallet, { network, minSlot, signal }), wallet),
      ),
    refetchInterval: REWARDS_POLL_MS,
  })
const REWARDS_POLL_MS = 20_000

/** Entries of each list that the server sends, and that each further request adds. Cursors depend on it. */
const HOLDINGS_PER_PAGE = 25

const readHoldings = async (
  slipway: Slipway,
  wallet: string,
  request: { network: Network } & Partial<Record<HoldingList, string | null>>,
  signal: AbortSignal,
) => {
  const page = Object.fromEntries(Object.entries(request).filter(([, value]) => value !== null))
  return readConfirmed(request.network, wallet, async minSlot =>
    toHoldings(await slipway.wallets.get(wallet, { ...page, minSlot, limit: HOLDINGS_PER_PAGE }, { signal })),
  )
}

/** What a wallet has here: the start of each list. */
export const walletQuery = (slipway: Slipway, network: Network, wallet: string) =>
  queryOptions({
    queryKey: queryKeys.wallet(network, wallet),
    queryFn: ({ signal }) => readHoldings(slipway, wallet, { network }, signal),
    refetchInterval: MARKET_POLL_MS,
  })

/** The next page of one of the lists, from a cursor on. */
export const walletListQuery = (
  slipway: Slipway,
  network: Network,
  wallet: string,
  list: HoldingList,
  start: string | null,
) =>
  infiniteQueryOptions({
    queryKey: queryKeys.walletList(network, wallet, list, start),
    queryFn: ({ signal, pageParam }) => readHoldings(slipway, wallet, { network, [list]: pageParam }, signal),
    initialPageParam: start,
    getNextPageParam: ({ next }) => next[list],
  })

/** What a wallet holds, straight from the chain. */
export const balanceQuery = (rpcUrl: string, network: Network, wallet: string) =>
  queryOptions({
    queryKey: queryKeys.balance(network, wallet),
    queryFn: ({ signal }) => fetchBalance(rpcUrl, wallet, signal),
    refetchInterval: BALANCE_POLL_MS,
    retry: 1,
  })
const BALANCE_POLL_MS = 20_000

/** What rent costs. It changes seldom. */
export const rentQuery = (rpcUrl: string, network: Network) =>
  queryOptions({
    queryKey: queryKeys.rent(network),
    queryFn: ({ signal }) => fetchRent(rpcUrl, signal),
    staleTime: 60_000,
    retry: 1,
  })

/** What each of several wallets holds, in one request. */
export const balancesQuery = (rpcUrl: string, network: Network, wallets: readonly string[]) =>
  queryOptions({
    queryKey: queryKeys.balancesOf(network, wallets),
    queryFn: async ({ signal }) => {
      const balances = await fetchBalances(rpcUrl, wallets, signal)
      return Object.fromEntries(wallets.map((wallet, at) => [wallet, balances[at] ?? '']))
    },
    refetchInterval: AGENTS_POLL_MS,
    retry: 1,
  })

const RETRIES_MAX = 2

/**
 * A request that the service refuses will be refused again; an outage may pass. One that hangs has taken long enough.
 */
export function isWorthRetrying(failures: number, error: unknown): boolean {
  if (failures >= RETRIES_MAX) return false
  if (isTimeout(error)) return false
  return !(error instanceof SlipwayError) || error.status === 0 || error.status === 429 || error.status >= 500
}

const isTimeout = (error: unknown) =>
  error instanceof SlipwayError &&
  (error.code === 'TIMEOUT' || (error.cause instanceof Error && error.cause.name === 'TimeoutError'))
