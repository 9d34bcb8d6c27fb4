import { type CallContext, withoutSuccess } from './call-context.ts'
import { type CallOptions, pathOf, type ReadOptions, type WalletReadOptions } from './transport.ts'
import type * as Api from './types.ts'

/** The largest page that the service returns. */
const PAGE_SIZE_MAX = 100

export type AgentCalls = ReturnType<typeof createAgentCalls>

export function createAgentCalls({ call, networkOf }: CallContext) {
  async function list(filter: Api.ListAgentsRequest = {}, options?: CallOptions): Promise<Api.AgentPage> {
    const query = { ...filter, network: networkOf(filter) }
    return (await call<{ data: Api.AgentPage }>({ path: '/v1/agents', query }, options)).data
  }

  return {
    /** One page of agents, or of the agents that match a search. */
    list,

    /** All agents of a list or search, fetched page by page. */
    async *all(
      filter: Omit<Api.ListAgentsRequest, 'page' | 'pageSize'> = {},
      options?: CallOptions,
    ): AsyncGenerator<Api.AgentRecord, void, undefined> {
      for (let page = 1, pages = 1; page <= pages; page += 1) {
        const { agents, totalPages } = await list({ ...filter, page, pageSize: PAGE_SIZE_MAX }, options)
        yield* agents
        pages = totalPages
      }
    },

    /** An agent: identity, wallet, owner, registration document, tokens and card. */
    async get(address: Api.Address, options?: ReadOptions): Promise<Api.Agent> {
      const request = { path: pathOf`/v1/agents/${address}`, query: { network: networkOf(options) } }
      return withoutSuccess(await call(request, options))
    },

    /** What the agent's wallet holds now. Read from the chain. */
    async wallet(address: Api.Address, options?: WalletReadOptions): Promise<Api.AgentWallet> {
      const query = { network: networkOf(options), minSlot: options?.minSlot }
      const request = { path: pathOf`/v1/agents/${address}/wallet`, query }
      return (await call<{ data: Api.AgentWallet }>(request, options)).data
    },

    /** The agent's A2A card. */
    async card(address: Api.Address, options?: ReadOptions): Promise<Api.AgentCard> {
      return call({ path: cardPath(address), query: { network: networkOf(options) } }, options)
    },

    /** The public keys that sign the cards of this service. */
    async cardKeys(options?: CallOptions): Promise<Api.Jwk[]> {
      return (await call<{ keys: Api.Jwk[] }>({ path: '/.well-known/jwks.json' }, options)).keys
    },

    /** Builds the transaction that creates an agent. */
    async mint(request: Api.MintAgentRequest, options?: CallOptions): Promise<Api.MintedAgent> {
      const body = { ...request, network: networkOf(request) }
      return withoutSuccess(await call({ method: 'POST', path: '/v1/agents/mint', body }, options))
    },

    /** Builds the transaction that pays SOL or tokens into the agent's wallet. */
    async fund(
      address: Api.Address,
      request: Api.FundRequest,
      options?: CallOptions,
    ): Promise<Api.BuiltTransfer> {
      const body = { ...request, network: networkOf(request) }
      return withoutSuccess(
        await call({ method: 'POST', path: pathOf`/v1/agents/${address}/fund`, body }, options),
      )
    },

    /** Builds the transaction that moves SOL or tokens from the agent's wallet to its owner. */
    async withdraw(
      address: Api.Address,
      request: Api.WithdrawRequest,
      options?: CallOptions,
    ): Promise<Api.BuiltTransfer> {
      const body = { ...request, network: networkOf(request) }
      return withoutSuccess(
        await call({ method: 'POST', path: pathOf`/v1/agents/${address}/withdraw`, body }, options),
      )
    },

    /** The wallets besides the owner that can spend everything in the agent's wallet. */
    async delegates(address: Api.Address, options?: ReadOptions): Promise<Api.AgentDelegates> {
      const request = {
        path: pathOf`/v1/agents/${address}/delegates`,
        query: { network: networkOf(options) },
      }
      return (await call<{ data: Api.AgentDelegates }>(request, options)).data
    },

    /** Builds the transaction by which the owner lets another wallet spend from the agent's wallet. */
    async delegate(
      address: Api.Address,
      request: Api.DelegateRequest,
      options?: CallOptions,
    ): Promise<Api.BuiltTransaction> {
      const body = { ...request, network: networkOf(request) }
      return withoutSuccess(
        await call({ method: 'POST', path: pathOf`/v1/agents/${address}/delegate`, body }, options),
      )
    },

    /** Builds the transaction that ends a delegation. */
    async revoke(
      address: Api.Address,
      request: Api.RevokeRequest,
      options?: CallOptions,
    ): Promise<Api.BuiltTransaction> {
      const body = { ...request, network: networkOf(request) }
      return withoutSuccess(
        await call({ method: 'POST', path: pathOf`/v1/agents/${address}/revoke`, body }, options),
      )
    },

    /** Replaces the hosted card by one that the owner has signed: see `signOwnerChange`. Never repeated by itself. */
    async replaceCard(
      address: Api.Address,
      body: Api.ReplaceCardRequest,
      options?: ReadOptions,
    ): Promise<void> {
      const query = { network: networkOf(options) }
      await call({ method: 'PUT', path: cardPath(address), query, body, isRepeatable: false }, options)
    },

    /** Returns to the card that the service builds, with the owner's signature. Never repeated by itself. */
    async removeCard(address: Api.Address, body: Api.OwnerSignature, options?: ReadOptions): Promise<void> {
      const query = { network: networkOf(options) }
      await call({ method: 'DELETE', path: cardPath(address), query, body, isRepeatable: false }, options)
    },
  }
}

export type ExecutiveCalls = ReturnType<typeof createExecutiveCalls>

export function createExecutiveCalls({ call, networkOf }: CallContext) {
  return {
    /** Builds the transaction that registers a wallet as an executive, to which owners can delegate. */
    async register(
      request: Api.RegisterExecutiveRequest,
      options?: CallOptions,
    ): Promise<Api.BuiltTransaction> {
      const body = { ...request, network: networkOf(request) }
      return withoutSuccess(await call({ method: 'POST', path: '/v1/executives/register', body }, options))
    },
  }
}

const cardPath = (address: string) => pathOf`/v1/agents/${address}/agent-card.json`
