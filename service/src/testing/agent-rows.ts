import type { ListedDisplay } from '../store/agent-listing.ts'
import { type AgentRow, saveAgent } from '../store/agents.ts'
import type { Database } from '../store/database.ts'
import { addressOf } from './launch-rows.ts'

/** An agent as the store has it, without documents. */
export function agentRow(name: string, fields: Partial<AgentRow> = {}): AgentRow {
  return {
    network: 'chain-mainnet',
    address: addressOf(`agent ${name}`),
    owner: addressOf('owner'),
    authority: null,
    name,
    uri: '',
    identityVersion: 2,
    agentUri: null,
    agentToken: null,
    slot: 10,
    documents: {},
    ...fields,
  }
}

export async function saveTestAgent(
  database: Database,
  name: string,
  { display = {}, ...fields }: Partial<AgentRow> & { display?: Partial<ListedDisplay> } = {},
): Promise<AgentRow> {
  const row = agentRow(name, fields)
  await saveAgent(database, row, { name, description: '', isActive: true, hasServices: false, ...display })
  return row
}
