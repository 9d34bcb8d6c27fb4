import { type OwnDocuments, parseDocumentPath } from '../metadata/own-documents.ts'
import { findAgent } from '../store/agents.ts'
import type { Database } from '../store/database.ts'
import { findHostedBody } from '../store/hosted-documents.ts'
import { findHostedCard } from './agent-documents.ts'
import { parseCardUrl } from './agent-paths.ts'

/**
 * The documents that this service serves itself: hosted documents and authored cards. A synthesised card is never the
 * source of another.
 */
export function createOwnDocuments(
  database: Database,
  { publicUrl, publicUrlsPrevious }: { publicUrl: string; publicUrlsPrevious: readonly string[] },
): OwnDocuments {
  return {
    url: publicUrl,
    previousUrls: publicUrlsPrevious,
    async resolve(path) {
      const sha256 = parseDocumentPath(path)
      if (sha256 !== undefined) return findHostedBody(database, sha256)
      const card = parseCardUrl(path)
      if (!card) return undefined
      const found = await findAgent(database, card.network, card.address)
      const { row, authoredCard, isCardRemoved, hiddenAt } = found
      // Otherwise another agent could show the card by naming its URL.
      if (hiddenAt) return undefined
      return authoredCard ?? (row && !isCardRemoved ? findHostedCard(row, row.documents) : undefined)
    },
  }
}
