import type { ServiceError } from '@slipway/schema/errors'
import { listEndpoints } from '../app/list-endpoints.ts'
import { parseConfig } from '../config.ts'
import type { Endpoint } from '../endpoint/endpoint.ts'
import { createInputParser } from '../http/mount-endpoint.ts'

/** Every endpoint of the API, for what describes it. None of them can be called. */
export const DESCRIBED_ENDPOINTS = listEndpoints({
  ...parseConfig({}),
  database: undefined as never,
  chains: {},
  snapshots: undefined as never,
  launchList: undefined as never,
  agents: undefined as never,
  agentList: undefined as never,
  events: undefined as never,
  rewards: {},
  markets: {},
  readPosition: undefined as never,
  social: undefined as never,
  register: undefined as never,
  hostDocument: undefined as never,
  showChange: undefined as never,
  launchPage: '',
})

/** An example of every part of an endpoint's path. */
export const exampleParams = ({ params }: Endpoint): Record<string, string> =>
  Object.fromEntries(
    Object.entries(params?.shape ?? {}).map(([name, field]) => [
      name,
      ((field as { meta(): { examples?: string[] } }).meta().examples ?? [])[0] as string,
    ]),
  )

/** How an endpoint refuses input before it reads anything; undefined if it accepts it. */
export function refusalOf(id: string) {
  const endpoint = DESCRIBED_ENDPOINTS.find(each => each.id === id)
  if (!endpoint) throw new Error(`there is no endpoint ${id}`)
  const parse = createInputParser(endpoint)
  return ({ query = '', params = {}, body = {} }: { query?: string; params?: object; body?: unknown }) => {
    try {
      parse({ url: endpoint.path + query, params: { ...exampleParams(endpoint), ...params }, body })
      return undefined
    } catch (error) {
      return error as ServiceError
    }
  }
}
