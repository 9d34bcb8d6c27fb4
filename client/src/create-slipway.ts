import { type AgentCalls, createAgentCalls, createExecutiveCalls, type ExecutiveCalls } from './agents.ts'
import { type CallContext, withoutSuccess } from './call-context.ts'
import { createEventFeed, type EventFeed } from './events.ts'
import { createLaunchCalls, type LaunchCalls } from './launches.ts'
import { SlipwayError } from './slipway-error.ts'
import {
  type CallOptions,
  createTransport,
  pathOf,
  type ReadOptions,
  type WalletReadOptions,
} from './transport.ts'
import type * as Api from './types.ts'

export interface SlipwayOptions {
  /** Where the service runs, for example `https://slipway.example`; with or without `/v1`. */
  url: string | URL
  /** The network of calls that don't name one; `chain-mainnet` by default. */
  network?: Api.Network | undefined
  /** Replaces the global `fetch`. */
  fetch?: typeof globalThis.fetch | undefined
  /** How often a failed attempt is repeated; 2 by default. */
  retries?: number | undefined
  /** Milliseconds that each attempt may take; 15,000 by default. */
  timeoutMs?: number | undefined
  /**
   * How many responses are kept for conditional requests; 100 by default, and 0 in a web page, because browsers do this
   * themselves.
   */
  cacheSize?: number | undefined
}

/** What `rewards.claim` returns. */
export interface Claim {
  /** Unsigned transactions in base64, one per bucket, largest claims first. Empty if there is nothing to claim. */
  transactions: string[]
  /** Shared by all transactions: confirm them against it, never against a newer one. Missing if there are none. */
  blockhash?: Api.Blockhash
}

/** The calls of one Slipway service. */
export interface Slipway {
  /** Where the service runs, without a trailing slash. */
  url: string
  agents: AgentCalls
  executives: ExecutiveCalls
  launches: LaunchCalls
  tokens: {
    /** A token and all of its launches. */
    get(mint: Api.Address, options?: ReadOptions): Promise<Api.TokenDetail>
  }
  rewards: {
    /** What a wallet can claim now, per bucket and in total. */
    get(wallet: Api.Address, options?: WalletReadOptions): Promise<Api.CreatorRewards>
    /**
     * Builds the transactions that pay a wallet everything that it can claim now. If there is nothing to claim,
     * `transactions` is empty.
     */
    claim(request: Api.ClaimRequest, options?: CallOptions): Promise<Claim>
  }
  wallets: {
    /** What a wallet has here: positions, launches, agents and rewards. Continue a list with its cursor from `next`. */
    get(wallet: Api.Address, request?: Api.WalletRequest, options?: CallOptions): Promise<Api.Wallet>
    /** One page of its trades in all launches, newest first. Continue with `before: next`. */
    trades(
      wallet: Api.Address,
      request?: Api.WalletTradesRequest,
      options?: CallOptions,
    ): Promise<Api.WalletTrades>
  }
  social: {
    /** Exchanges a social network's access token for a token that proves the username to `launches.register`. */
    verify(request: Api.VerifySocialRequest, options?: CallOptions): Promise<Api.VerifiedSocial>
  }
  documents: {
    /** A hosted document by the SHA-256 of its bytes, in lower-case hexadecimal. */
    get(sha256: string, options?: CallOptions): Promise<Api.JsonObject>
  }
  /** What happens to launches and agents, as it happens. Reconnects and resumes by itself. */
  events: EventFeed
}

/** A client of one Slipway service. It holds no connection, so there is nothing to close. */
export function createSlipway(options: SlipwayOptions): Slipway {
  const url = baseOf(options.url)
  // Called on the global object: browsers refuse a `fetch` that is called as a method of something else.
  const fetch: typeof globalThis.fetch = options.fetch ?? ((...request) => globalThis.fetch(...request))
  const transport = createTransport({
    url,
    fetch,
    retries: options.retries ?? 2,
    timeoutMs: options.timeoutMs ?? 15_000,
    cacheSize: options.cacheSize ?? ('document' in globalThis ? 0 : 100),
  })
  const context: CallContext = {
    call: async <Answer>(...request: Parameters<typeof transport>) => (await transport(...request)) as Answer,
    networkOf: call => call?.network ?? options.network,
  }
  const { call, networkOf } = context
  return {
    url,
    agents: createAgentCalls(context),
    executives: createExecutiveCalls(context),
    launches: createLaunchCalls(context),
    tokens: {
      async get(mint, options) {
        const request = { path: pathOf`/v1/tokens/${mint}`, query: { network: networkOf(options) } }
        return (await call<{ data: Api.TokenDetail }>(request, options)).data
      },
    },
    rewards: {
      async get(wallet, options) {
        const request = {
          path: pathOf`/v1/creator-rewards/${wallet}`,
          query: { network: networkOf(options), minSlot: options?.minSlot },
        }
        return (await call<{ data: Api.CreatorRewards }>(request, options)).data
      },
      async claim(request, options) {
        const body = { ...request, network: networkOf(request) }
        try {
          const path = '/v1/creator-rewards/claim'
          return (await call<{ data: Claim }>({ method: 'POST', path, body }, options)).data
        } catch (error) {
          if (error instanceof SlipwayError && error.code === 'NO_REWARDS') return { transactions: [] }
          throw error
        }
      },
    },
    wallets: {
      async get(wallet, request = {}, options) {
        const query = { ...request, network: networkOf(request) }
        return (await call<{ data: Api.Wallet }>({ path: pathOf`/v1/wallets/${wallet}`, query }, options))
          .data
      },
      async trades(wallet, request = {}, options) {
        const query = { ...request, network: networkOf(request) }
        const path = pathOf`/v1/wallets/${wallet}/trades`
        return (await call<{ data: Api.WalletTrades }>({ path, query }, options)).data
      },
    },
    social: {
      async verify(body, options) {
        return withoutSuccess(await call({ method: 'POST', path: '/v1/social/verify', body }, options))
      },
    },
    documents: {
      get: (sha256, options) => call({ path: pathOf`/v1/documents/${sha256}.json` }, options),
    },
    events: createEventFeed({ url, fetch, network: options.network }),
  }
}

function baseOf(url: string | URL): string {
  const { origin, pathname } = parse(url)
  return `${origin}${pathname}`.replace(/\/+$/, '').replace(/\/v1$/, '')
}

function parse(url: string | URL): URL {
  try {
    return new URL(url)
  } catch {
    throw new TypeError('`url` must be a URL, such as https://slipway.example')
  }
}
