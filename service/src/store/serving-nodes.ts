import { sql } from 'drizzle-orm'
import type { Database } from './database.ts'

/** The number of nodes that serve from this database. Each keeps one connection that listens for changes. */
export async function countServingNodes(database: Database): Promise<number> {
  const { rows } = await database.run('nodes.count', db =>
    db.execute<{ count: number }>(sql`
      SELECT count(*)::int AS count FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'slipway-listen'`),
  )
  return rows[0]?.count ?? 0
}
