import { fetchLaunchFacts } from '../chain/launch-facts.ts'
import type { Database } from '../store/database.ts'
import { correctLaunch, type LaunchRecord } from '../store/launches.ts'
import { bucketsToRows, timesToRow } from './launch-rows.ts'
import { fetchGraduatedAt, type LaunchChain } from './register-launch.ts'
import { fetchTokenFace, type TokenDocuments } from './token-face.ts'

export type RefreshOutcome = 'corrected' | 'newer-is-stored' | 'not-on-chain'

/**
 * Reads the chain and the token's document again and corrects what is stored. What the launcher said stays, and so
 * does what cannot be had anew: links, the agent, an image whose document is gone, when it graduated.
 */
export async function refreshLaunch(
  { database, chain, documents, gateways }: TokenDocuments & { database: Database; chain: LaunchChain },
  record: LaunchRecord,
): Promise<RefreshOutcome> {
  const { network, genesisAddress, registeredAt } = record
  const { slot, facts } = await fetchLaunchFacts(chain, genesisAddress)
  if (!facts?.token || !facts.times) return 'not-on-chain'
  const { token, times, buckets } = facts
  const face = await fetchTokenFace({ documents, gateways }, token.uri)
  const graduatedAt = times.graduated
    ? (record.graduatedAt ?? (await fetchGraduatedAt(chain, genesisAddress)))
    : undefined
  const isNewest = await correctLaunch(database, record, {
    launch: { ...timesToRow(times, { registeredAt, graduatedAt }), slot },
    token: {
      name: token.name,
      symbol: token.symbol,
      image: face?.image || record.token.image,
      description: face?.description || record.token.description,
    },
    buckets: bucketsToRows(network, slot, buckets),
  })
  return isNewest ? 'corrected' : 'newer-is-stored'
}
