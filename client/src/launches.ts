import { type CallContext, withoutSuccess } from './call-context.ts'
import { type CallOptions, pathOf, type ReadOptions, type WalletReadOptions } from './transport.ts'
import type * as Api from './types.ts'

/** The same as in the service. */
const PAGE_SIZE = 50
/** The largest page that the service returns. */
const PAGE_SIZE_MAX = 200

/** One page of launches. */
export interface LaunchPage {
  launches: Api.LaunchData[]
  /** The `cursor` of the next page; null on the last one. */
  next: string | null
  /** Matching launches on all pages. A search counts at most 5,000. */
  total: number
  /** How many launches of each status there are, if the request asks for `counts`. */
  counts?: Api.LaunchPageInfo['counts']
  /** The newest figures of the launches, if the request asks for `figures`. */
  figures?: Api.LaunchPageInfo['figures']
}

export type LaunchCalls = ReturnType<typeof createLaunchCalls>

export function createLaunchCalls({ call, networkOf }: CallContext) {
  async function fetchList(filter: Api.ListLaunchesRequest, options?: CallOptions) {
    const query = { ...filter, network: networkOf(filter) }
    return call<{ data: Api.LaunchData[]; page?: Api.LaunchPageInfo }>(
      { path: '/v1/launches', query },
      options,
    )
  }

  async function list(
    filter: Api.ListLaunchesRequest = {},
    options?: CallOptions,
  ): Promise<Api.LaunchData[]> {
    return (await fetchList(filter, options)).data
  }

  async function page(filter: Api.ListLaunchesRequest = {}, options?: CallOptions): Promise<LaunchPage> {
    // The limit makes the response a page.
    const answer = await fetchList({ ...filter, limit: filter.limit ?? PAGE_SIZE }, options)
    const { data: launches, page = { next: null, total: launches?.length ?? 0 } } = answer
    return { launches, ...page }
  }

  async function build<T extends object>(
    genesisAddress: Api.Address,
    action: string,
    request: { network?: Api.Network | undefined },
    options?: CallOptions,
  ): Promise<T> {
    const body = { ...request, network: networkOf(request) }
    const path = `${launchPath(genesisAddress)}/${action}`
    return withoutSuccess<T>(await call({ method: 'POST', path, body }, options))
  }

  return {
    /**
     * All matching launches, most recent activity first; with `query`, `sort`, `mechanic`, `creator` or `limit`, the
     * first page.
     */
    list,

    /** One page of launches, or of the launches that match a search. Continue with `cursor: next`. */
    page,

    /** All launches of a list or search, fetched page by page. */
    async *all(
      filter: Omit<Api.ListLaunchesRequest, 'cursor' | 'limit'> = {},
      options?: CallOptions,
    ): AsyncGenerator<Api.LaunchData, void, undefined> {
      for (let cursor: string | undefined, isDone = false; !isDone; ) {
        const { launches, next } = await page({ ...filter, cursor, limit: PAGE_SIZE_MAX }, options)
        yield* launches
        cursor = next ?? undefined
        isDone = next === null
      }
    },

    /** The launches that the operator has picked. */
    spotlight: (filter: Omit<Api.ListLaunchesRequest, 'spotlight'> = {}, options?: CallOptions) =>
      list({ ...filter, spotlight: true }, options),

    /** One launch, and which of its social links are verified. */
    async get(genesisAddress: Api.Address, options?: ReadOptions): Promise<Api.LaunchDetail> {
      const request = { path: launchPath(genesisAddress), query: { network: networkOf(options) } }
      return (await call<{ data: Api.LaunchDetail }>(request, options)).data
    },

    /** What a launch has raised and sold over time. */
    async activity(
      genesisAddress: Api.Address,
      request: Api.LaunchActivityRequest = {},
      options?: CallOptions,
    ): Promise<Api.LaunchActivity> {
      const query = { ...request, network: networkOf(request) }
      const path = `${launchPath(genesisAddress)}/activity`
      return (await call<{ data: Api.LaunchActivity }>({ path, query }, options)).data
    },

    /** One page of trades, newest first. Continue with `before: next`. */
    async trades(
      genesisAddress: Api.Address,
      request: Api.LaunchTradesRequest = {},
      options?: CallOptions,
    ): Promise<Api.LaunchTrades> {
      const query = { ...request, network: networkOf(request) }
      const path = `${launchPath(genesisAddress)}/trades`
      return (await call<{ data: Api.LaunchTrades }>({ path, query }, options)).data
    },

    /** Prices and volumes per interval, oldest first. */
    async candles(
      genesisAddress: Api.Address,
      request: Api.LaunchCandlesRequest = {},
      options?: CallOptions,
    ): Promise<Api.LaunchCandles> {
      const query = { ...request, network: networkOf(request) }
      const path = `${launchPath(genesisAddress)}/candles`
      return (await call<{ data: Api.LaunchCandles }>({ path, query }, options)).data
    },

    /** The 20 largest accounts of its token. */
    async holders(genesisAddress: Api.Address, options?: ReadOptions): Promise<Api.LaunchHolders> {
      const request = {
        path: `${launchPath(genesisAddress)}/holders`,
        query: { network: networkOf(options) },
      }
      return (await call<{ data: Api.LaunchHolders }>(request, options)).data
    },

    /** What a purchase or a sale would cost and bring now. Amounts are in the smallest unit. */
    async quote(
      genesisAddress: Api.Address,
      request: Api.QuoteRequest,
      options?: CallOptions,
    ): Promise<Api.TradeQuote> {
      const query = { ...request, amount: `${request.amount}`, network: networkOf(request) }
      const path = `${launchPath(genesisAddress)}/quote`
      return (await call<{ data: Api.TradeQuote }>({ path, query }, options)).data
    },

    /** Builds the transaction that buys or sells. Each call is a trade of its own. */
    swap: (genesisAddress: Api.Address, request: Api.SwapRequest, options?: CallOptions) =>
      build<Api.BuiltSwap>(genesisAddress, 'swap', request, options),

    /** Builds the transaction that deposits in a launch pool or a presale. Each call is a deposit of its own. */
    deposit: (genesisAddress: Api.Address, request: Api.DepositRequest, options?: CallOptions) =>
      build<Api.BuiltDeposit>(genesisAddress, 'deposit', request, options),

    /** Builds the transaction that withdraws a deposit or a part of it. */
    withdraw: (genesisAddress: Api.Address, request: Api.WithdrawDepositRequest, options?: CallOptions) =>
      build<Api.BuiltWithdrawal>(genesisAddress, 'withdraw', request, options),

    /** Builds the transactions that pay a wallet everything that a launch owes it now: tokens, proceeds or a refund. */
    claim: (genesisAddress: Api.Address, request: Api.LaunchClaimRequest, options?: CallOptions) =>
      build<Api.BuiltLaunchClaim>(genesisAddress, 'claim', request, options),

    /** Builds the transactions that turn a launch that has ended into its pool. */
    graduate: (genesisAddress: Api.Address, request: Api.GraduateRequest, options?: CallOptions) =>
      build<Api.BuiltGraduation>(genesisAddress, 'graduate', request, options),

    /** What a wallet has in a launch, and what it can do now. */
    async position(
      genesisAddress: Api.Address,
      wallet: Api.Address,
      options?: WalletReadOptions,
    ): Promise<Api.LaunchPosition> {
      const path = pathOf`/v1/launches/${genesisAddress}/positions/${wallet}`
      const query = { network: networkOf(options), minSlot: options?.minSlot }
      return (await call<{ data: Api.LaunchPosition }>({ path, query }, options)).data
    },

    /** Builds the transactions that create a launch. With `genesisAccount`, only those that are still missing. */
    async create(request: Api.CreateLaunchRequest, options?: CallOptions): Promise<Api.CreatedLaunch> {
      const body = { ...request, launch: { ...request.launch, network: networkOf(request.launch) } }
      return withoutSuccess(await call({ method: 'POST', path: '/v1/launches/create', body }, options))
    },

    /** Adds a finalized launch to the listings. A second call returns the first registration. */
    async register(request: Api.RegisterLaunchRequest, options?: CallOptions): Promise<Api.RegisteredLaunch> {
      const body = { ...request, network: networkOf(request) }
      return withoutSuccess(await call({ method: 'POST', path: '/v1/launches/register', body }, options))
    },

    /**
     * Replaces all links of a launch, with its authority's signature: see `signOwnerChange`. Never repeated by
     * itself.
     */
    async changeLinks(
      genesisAddress: Api.Address,
      body: Api.ChangeLinksRequest,
      options?: ReadOptions,
    ): Promise<void> {
      const query = { network: networkOf(options) }
      const path = `${launchPath(genesisAddress)}/links`
      await call({ method: 'PUT', path, query, body, isRepeatable: false }, options)
    },
  }
}

const launchPath = (address: string) => pathOf`/v1/launches/${address}`
