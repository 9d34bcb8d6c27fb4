import type { Address } from '@slipway/schema/address'
import type { Socials } from '@slipway/schema/launch'
import type { Network } from '@slipway/schema/network'
import { and, eq, sql } from 'drizzle-orm'
import type { Transaction } from './owner-changes.ts'
import { launches } from './tables.ts'

/** Replaces the links of a launch. A proof of the social handle counts only as long as the handle stays the same. */
export async function saveLinks(
  db: Transaction,
  { network, genesisAddress }: { network: Network; genesisAddress: Address },
  { website, socials }: { website: string; socials: Socials },
): Promise<void> {
  const handle = socials.x ?? ''
  await db
    .update(launches)
    .set({
      website,
      socials,
      verifiedSocials: sql`CASE WHEN lower(${launches.socials} ->> 'x') = lower(${handle})
        THEN ${launches.verifiedSocials} ELSE array_remove(${launches.verifiedSocials}, 'x') END`,
    })
    .where(and(eq(launches.network, network), eq(launches.genesisAddress, genesisAddress)))
}
