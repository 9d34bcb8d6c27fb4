import { sql } from 'drizzle-orm'
import { withStore } from '../lib/bench-store.ts'
import { benchBackfill } from './bench-backfill.ts'
import { benchFollowing } from './bench-following.ts'

/**
 * Measures reading a whole chain and following it. The node answers from memory, so that the time is our own.
 * A quarter of the accounts are identities, a quarter their assets, half are buckets.
 */
export async function benchIndexer(): Promise<void> {
  await withStore(async (database, connection) => {
    await benchBackfill(connection)
    await database.run('bench.empty', db =>
      db.execute(sql`TRUNCATE launches, tokens, agents, buckets, chain_progress`),
    )
    await benchFollowing(database, connection)
  })
}
