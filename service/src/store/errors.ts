import { isUnanswered } from './database.ts'

/**
 * SQLSTATE classes of a server that can't be reached, refuses our connection (28, 3D, 55), is out of resources, is
 * stopping, or has a fault of its own (58).
 */
const OUTAGES = ['08', '28', '3D', '53', '55', '57', '58']
/** After a failover, the former primary is a standby. */
export const READ_ONLY = '25006'
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
