import { isUnanswered, READ_ONLY } from './database.ts'

/**
 * SQLSTATE classes of a server that can't be reached, refuses our connection (28, 3D, 55), is out of resources, is
 * stopping, or has a fault of its own (58).
 */
const OUTAGES = ['08', '28', '3D', '53', '55', '57', '58']
const SOCKET_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'ENOENT',
  'EPIPE',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EMFILE',
  'CERT_HAS_EXPIRED',
])

/** Whether a query failed because the database is unavailable, not because of the query itself. */
export function isStoreOutage(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    const code = 'code' in at ? String(at.code) : ''
    if (SOCKET_CODES.has(code) || code === READ_ONLY) return true
    if (code.length === 5 && OUTAGES.includes(code.slice(0, 2))) return true
    if (isUnanswered(at) || /^Connection terminated/.test(at.message)) return true
  }
  return false
}

/** Whether the error, or one that caused it, has one of these SQLSTATE codes. */
export function hasCode(error: unknown, codes: readonly string[]): boolean {
  for (let at = error; at instanceof Error; at = at.cause)
    if ('code' in at && codes.includes(String(at.code))) return true
  return false
}

/** SQLSTATE classes: data exceptions, constraint violations, exceeded limits. */
const REFUSALS = ['22', '23', '54']

/** Whether the database refuses these values, however often they are sent. */
export function isRefusedData(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    const code = 'code' in at ? String(at.code) : ''
    if (code.length === 5 && REFUSALS.includes(code.slice(0, 2))) return true
  }
  return false
}

/** The first line of what went wrong, never the SQL of a query. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0])
  if (isQueryError(error)) return reasonOf((error as Error).cause)
  return error instanceof Error ? error.message.split('\n', 1)[0] || error.name : String(error)
}

/** Drizzle's error, whose message is the query. */
const isQueryError = (error: unknown): boolean =>
  error instanceof Error && 'query' in error && 'params' in error

/** Whether it comes from a query, and not from another part of the service. */
export function isStoreFault(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause)
    if (isQueryError(at) || ('severity' in at && 'routine' in at)) return true
  return false
}

/** The cause and the remedy in one line, for an error that comes from a query. */
export const describeStoreFault = (error: unknown): string =>
  `The database failed: ${reasonOf(error)}. ${explainStoreFault(error).remedy}`

/** What an operator can do about a database that fails or can't be reached. */
export function explainStoreFault(error: unknown): {
  kind: 'bad-input' | 'slow' | 'refused' | 'full' | 'unreachable'
  remedy: string
} {
  if (isQueryError(error)) return explainStoreFault((error as Error).cause)
  const { code = '', message = '' } = (error ?? {}) as { code?: string; message?: string }
  const known = REMEDIES[code]
  if (known) return { kind: known[0], remedy: known[1] }
  if (/timeout/i.test(message))
    return { kind: 'slow', remedy: 'Check the network, a firewall and the load of the database server.' }
  if (/^[0-9A-Z]{5}$/.test(code) && /\d/.test(code))
    return { kind: 'refused', remedy: "Look for this message in the database server's log." }
  return {
    kind: 'unreachable',
    remedy: 'Start the database server, or correct the host and port in DATABASE_URL.',
  }
}

const PASSWORD = ['refused', 'Correct the user and password in DATABASE_URL, or pg_hba.conf.'] as const
const FILE = ['bad-input', 'Correct DATABASE_URL: it names a file that is missing, or is no URL.'] as const

const REMEDIES: Record<string, readonly [ReturnType<typeof explainStoreFault>['kind'], string]> = {
  '28P01': PASSWORD,
  28000: PASSWORD,
  '3D000': ['bad-input', 'Create the database, or correct its name in DATABASE_URL.'],
  // `pg` never causes this error in PostgreSQL itself, so it comes from a pooler.
  '08P01': [
    'refused',
    "Change the settings of the pooler that DATABASE_URL leads to, or remove what it refuses from DATABASE_URL's parameters.",
  ],
  [READ_ONLY]: ['refused', 'Connect to the primary server.'],
  42501: ['refused', 'Grant this right to the role in DATABASE_URL, or use the owner of the database.'],
  53100: ['full', 'Free space on the disk of the database server.'],
  53300: ['full', "Raise PostgreSQL's max_connections, or lower WORKERS or the number of nodes."],
  '57P03': ['slow', 'Wait until the database server has started.'],
  ENOENT: FILE,
  ERR_INVALID_URL: FILE,
}
