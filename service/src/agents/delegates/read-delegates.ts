import { AGENT_TOOLS_PROGRAM } from '@slipway/launch-model/programs'
import type { Address } from '@slipway/schema/address'
import type { AgentDelegates } from '@slipway/schema/agent-delegates'
import type { Network } from '@slipway/schema/network'
import type { ChainAccount } from '../../chain/account-reader.ts'
import {
  DELEGATION_AGENT,
  DELEGATION_BYTES,
  DELEGATION_KEY,
  decodeDelegation,
} from '../../chain/accounts/delegation.ts'
import type { HeavyReads } from '../../chain/heavy-reads.ts'
import type { ChainRpc } from '../../chain/rpc/create-rpc.ts'
import { RpcError } from '../../chain/rpc/fault.ts'
import { createKeptReads } from '../../lib/kept-reads.ts'
import { findProgress } from '../../store/chain-progress.ts'
import type { Database } from '../../store/database.ts'
import { type DelegationRow, findDelegations } from '../../store/delegations.ts'
import { type AssetParts, readAsset } from '../read-asset.ts'

export interface DelegatesParts {
  rpc: AssetParts['rpc'] & Pick<ChainRpc, 'fetchProgramAccounts'>
  heavyReads: HeavyReads
  isKnown: AssetParts['isKnown']
  /** What the index knows about an agent's delegations. */
  findIndexed(agent: Address): Promise<DelegationRow[]>
  /** Whether the index has read all delegations of this network. */
  isIndexed(): Promise<boolean>
}

export const delegationIndex = (
  database: Database,
  network: Network,
): Pick<DelegatesParts, 'findIndexed' | 'isIndexed'> => ({
  findIndexed: agent => findDelegations(database, network, agent),
  isIndexed: async () => (await findProgress(database, network))?.hasDelegations === true,
})

const LISTED_MAX = 200
const KEPT_MS = 1_000
const KEPT_MAX = 1_000

/** Delegates that are at most a second old: everyone who asks within that time shares one read. */
export function createDelegates(parts: DelegatesParts) {
  const keep = createKeptReads<Address, AgentDelegates>({ keptMs: KEPT_MS, sizeMax: KEPT_MAX })
  return (agent: Address, client: string): Promise<AgentDelegates> =>
    keep(agent, () => readDelegates(parts, agent, client))
}

/** The chain says who can spend now. The index adds when each delegation was first seen. */
export async function readDelegates(
  parts: DelegatesParts,
  agent: Address,
  client: string,
): Promise<AgentDelegates> {
  const [{ asset }, indexed] = await Promise.all([readAsset(parts, agent), parts.findIndexed(agent)])
  const known = new Map(indexed.map(row => [row.record, row]))
  const records = await parts.heavyReads.run(client, () => fetchRecords(parts, agent, [...known.keys()]))
  const listed = toRecords(records, agent)
  const absent = [...known.keys()].filter(record => !listed.has(record))
  const again = toRecords(await fetchOmitted(parts.rpc, agent, absent), agent)
  const delegates = [...listed.values(), ...again.values()].map(({ address: record, executive, wallet }) => {
    const { since, firstOwner } = known.get(record) ?? {}
    return {
      record,
      executive,
      wallet,
      since: since?.toISOString() ?? null,
      byFormerOwner: firstOwner != null && firstOwner !== asset.owner,
    }
  })
  const order = ({ since, record }: (typeof delegates)[number]) => `${since ?? '9999'} ${record}`
  delegates.sort((a, b) => (order(a) < order(b) ? -1 : 1))
  return { delegates: delegates.slice(0, LISTED_MAX), total: delegates.length }
}

export const toRecords = (accounts: readonly ChainAccount[], agent: Address) =>
  new Map(
    accounts.flatMap(account => {
      const found = decodeDelegation(account)
      return found.exists && found.agent === agent ? [[found.address, found] as const] : []
    }),
  )

/** Reads records that the index knows and one endpoint lacks from another endpoint, if one has them. */
export async function fetchOmitted(
  rpc: AssetParts['rpc'],
  agent: Address,
  absent: readonly Address[],
): Promise<ChainAccount[]> {
  if (absent.length === 0) return []
  const { found } = await rpc.confirmMissing(absent, account => toRecords([account], agent).size > 0)
  return (await rpc.fetchAccounts(found)).accounts
}

/** A node that can't list a program's accounts can still read those that the index knows, if it knows them all. */
async function fetchRecords(
  { rpc, isIndexed }: DelegatesParts,
  agent: Address,
  known: readonly Address[],
): Promise<readonly ChainAccount[]> {
  try {
    const { accounts } = await rpc.fetchProgramAccounts(AGENT_TOOLS_PROGRAM, {
      filters: [
        { dataSize: DELEGATION_BYTES },
        { memcmp: { offset: 0, bytes: Uint8Array.of(DELEGATION_KEY) } },
        { memcmp: { offset: DELEGATION_AGENT, bytes: agent } },
      ],
      limits: { attemptMs: 1_800, totalMs: 1_800 },
      isSizedByStrangers: true,
    })
    return accounts
  } catch (error) {
    if (!(error instanceof RpcError) || (error.kind !== 'unable' && error.kind !== 'refused')) throw error
    if (!(await isIndexed())) throw error
    return (await rpc.fetchAccounts(known)).accounts
  }
}
