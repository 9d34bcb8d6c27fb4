import { isAddress } from '@slipway/schema/address'
import { NetworkInput } from '@slipway/schema/network'
import type { OwnDocuments } from '../metadata/own-documents.ts'
import { findAgent } from '../store/agents.ts'
import type { Database } from '../store/database.ts'

/**
 * The one kind of document that this service serves: a card that somebody wrote. One that we made is no source for
 * another.
 */
export function createOwnCards(database: Database, publicUrl: string): OwnDocuments {
  return {
    url: publicUrl,
    async resolve(path) {
      const { pathname, searchParams } = new URL(`http://own${path}`)
      const address = /^\/v1\/agents\/(\w+)\/agent-card\.json$/.exec(pathname)?.[1]
      // As our own endpoint reads it: empty is absent, twice is wrong.
      const [named, ...more] = searchParams.getAll('network')
      const network = NetworkInput.safeParse(named || undefined)
      if (!address || !isAddress(address) || !network.success || more.length > 0) return undefined
      return (await findAgent(database, network.data, address)).authoredCard
    },
  }
}
