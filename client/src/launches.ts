import { type CallContext, withoutSuccess } from './call-context.ts'
import { type CallOptions, pathOf, type ReadOptions } from './transport.ts'
import type * as Api from './types.ts'

export type LaunchCalls = ReturnType<typeof createLaunchCalls>

export function createLaunchCalls({ call, networkOf }: CallContext) {
  async function list(
    filter: Api.ListLaunchesRequest = {},
    options?: CallOptions,
  ): Promise<Api.LaunchData[]> {
    const query = { ...filter, network: networkOf(filter) }
    return (await call<{ data: Api.LaunchData[] }>({ path: '/v1/launches', query }, options)).data
  }

  return {
    /** All matching launches, most recent activity first. */
    list,

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

    /** Builds the transactions that create a launch. With `genesisAccount`, those that are left of one. */
    async create(request: Api.CreateLaunchRequest, options?: CallOptions): Promise<Api.CreatedLaunch> {
      const body = { ...request, launch: { ...request.launch, network: networkOf(request.launch) } }
      return withoutSuccess(await call({ method: 'POST', path: '/v1/launches/create', body }, options))
    },

    /** Adds a finalized launch to the listings. A second call returns the first registration. */
    async register(request: Api.RegisterLaunchRequest, options?: CallOptions): Promise<Api.RegisteredLaunch> {
      const body = { ...request, network: networkOf(request) }
      return withoutSuccess(await call({ method: 'POST', path: '/v1/launches/register', body }, options))
    },

    /** Replaces all links of a launch, with its authority's signature: see `signOwnerChange`. Never repeated by itself. */
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
