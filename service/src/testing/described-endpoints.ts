import { listEndpoints } from '../app/list-endpoints.ts'
import { parseConfig } from '../config.ts'

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
