import { fetchLaunchFacts } from '../../chain/launch-facts.ts'
import type { FetchedDocuments } from '../../metadata/fetched-documents.ts'
import { fetchDisplayMetadata } from '../../metadata/formats/display-metadata.ts'
import type { Gateways } from '../../metadata/parse-document-uri.ts'
import type { Database } from '../../store/database.ts'
import { correctLaunch } from '../../store/launches.ts'
import type { LaunchRecord } from '../../store/read-launches.ts'
import { bucketsToRows, fetchGraduatedAt, type LaunchChain, timesToRow } from './register-launch.ts'

export type RefreshOutcome = 'corrected' | 'corrected-without-document' | 'newer-is-stored' | 'not-on-chain'

/**
 * Reads the chain and the token's document again and corrects the stored launch. Keeps what the launcher said (links,
 * agent) and what can't be fetched again (an image whose document is gone, the time of graduation).
 */
export async function refreshLaunch(
  {
    database,
    chain,
    documents,
    gateways,
  }: { database: Database; chain: LaunchChain; documents: Pick<FetchedDocuments, 'get'>; gateways: Gateways },
  record: LaunchRecord,
): Promise<RefreshOutcome> {
  const { network, genesisAddress, registeredAt } = record
  const { slot, facts } = await fetchLaunchFacts(chain, genesisAddress)
  if (!facts?.token || !facts.times) return 'not-on-chain'
  const { token, times, buckets } = facts
  const metadata = await fetchDisplayMetadata({ documents, gateways }, token.uri, { network })
  const graduatedAt = times.graduated
    ? (record.graduatedAt ?? (await fetchGraduatedAt(chain, genesisAddress, database)))
    : undefined
  const isNewest = await correctLaunch(database, record, {
    launch: { ...timesToRow(times, { registeredAt, graduatedAt }), slot },
    token: {
      name: token.name,
      symbol: token.symbol,
      image: metadata?.image || record.token.image,
      description: metadata?.description || record.token.description,
    },
    buckets: bucketsToRows(network, slot, buckets),
  })
  if (!isNewest) return 'newer-is-stored'
  return metadata ? 'corrected' : 'corrected-without-document'
}
