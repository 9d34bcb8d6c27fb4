import type { OwnDocuments } from '../metadata/own-documents.ts'
import { findAgent } from '../store/agents.ts'
import type { Database } from '../store/database.ts'
import { parseCardUrl } from './agent-paths.ts'

/** The documents that this service serves itself: authored cards. A synthesised card is never the source of another. */
export function createOwnCards(database: Database, publicUrl: string): OwnDocuments {
  return {
    url: publicUrl,
    async resolve(path) {
      const card = parseCardUrl(path)
      if (!card) return undefined
      return (await findAgent(database, card.query.network, card.params.address)).authoredCard
    },
  }
}
