import type pg from 'pg'

const ANSWER_MS_MAX = 2_000

export const POOLED = {
  reason:
    'it is behind a pooler that shares sessions between transactions, but Slipway needs sessions of its own',
  remedy: 'Use session pooling (pool_mode = session in PgBouncer), or connect to PostgreSQL directly.',
}

/**
 * Whether a pooler gives this connection a session for one transaction at a time. An idle pooler would give each of its
 * transactions the same one, so another connection begins a transaction in between, and gets the session that was released last.
 */
export async function isPooledByTransaction(
  client: pg.Client,
  connect: () => Promise<pg.Client>,
): Promise<boolean> {
  const pid = await readPid(client)
  const between = await readPidInTransaction(connect)
  return between === pid || between === 'refused' || (await readPid(client)) !== pid
}

/** Undefined if the server has no session left. That also happens with session pooling. */
async function readPidInTransaction(
  connect: () => Promise<pg.Client>,
): Promise<number | 'refused' | undefined> {
  const client = await connect().catch(() => undefined)
  try {
    await client?.query({ text: 'BEGIN', query_timeout: ANSWER_MS_MAX } as pg.QueryConfig)
    return client && (await readPid(client))
  } catch (error) {
    // PgBouncer's statement pooling has no transactions.
    return /pooling/.test((error as Error).message) ? 'refused' : undefined
  } finally {
    client?.end().catch(() => {})
  }
}

export async function readPid(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  return rows[0]?.pid ?? 0
}
