import type { Address } from '@slipway/schema/address'
import type { Network } from '@slipway/schema/network'
import { and, eq, sql } from 'drizzle-orm'
import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import { cardSignatures } from './card-signature-tables.ts'
import type { Database } from './database.ts'

interface SignedDigest {
  network: Network
  address: Address
  digest: string
}

const select = (db: NodePgDatabase, { network, address, digest }: SignedDigest) =>
  db
    .select({ signature: cardSignatures.signature })
    .from(cardSignatures)
    .where(
      and(
        eq(cardSignatures.network, network),
        eq(cardSignatures.address, address),
        eq(cardSignatures.digest, digest),
      ),
    )

/**
 * The signature that all nodes serve for a card: the stored one, or the one that `sign` makes. If several nodes sign at
 * the same time, the first to store its signature decides for all.
 */
export async function findOrSaveSignature(
  database: Database,
  signed: SignedDigest,
  sign: () => Promise<string>,
): Promise<string> {
  const [stored] = await database.run('card-signatures.find', db => select(db, signed))
  if (stored) return stored.signature
  const signature = await sign()
  return database.transact('card-signatures.save', async db => {
    await forgetOld(db, signed)
    await db
      .insert(cardSignatures)
      .values({ ...signed, signature })
      .onConflictDoNothing()
    const [first] = await select(db, signed)
    return (first as { signature: string }).signature
  })
}

/** Signatures of former cards and keys. A node that is behind may still serve a card of some minutes ago. */
async function forgetOld(db: NodePgDatabase, { network, address }: SignedDigest): Promise<void> {
  await db.execute(sql`
    DELETE FROM ${cardSignatures}
    WHERE network = ${network} AND address = ${address} AND signed_at < now() - interval '1 day'`)
}
