export interface Options {
  /** The database is in its subfolder `db`. */
  dataDir: string
  /**
   * A server has one owner, the service. Commands are guests: they share the owner's server or, if none is running,
   * start one that the last guest stops.
   */
  role: 'owner' | 'guest'
  /** How many connections the caller may open. PostgreSQL's default is enough without it. */
  connections?: number
  log: Log
}

export interface Log {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

export interface EmbeddedPostgres {
  /** Options for `pg`; the host is the folder that holds the server's Unix socket. */
  connection: { host: string; port: number; user: string; database: string; ssl: false }
  /** False if another process started the server and this one joined it. */
  startedHere: boolean
  /** Takes about three seconds at most. A guest leaves the server running while others use it. */
  stop(): Promise<void>
}

/** Its message is the one line that an operator sees: it says what is wrong and ends with what to do. */
export class EmbeddedPostgresError extends Error {
  override name = 'EmbeddedPostgresError'
}

/** Turns a failure of PostgreSQL, initdb or the file system into one line for the operator. */
export function explainFailure(dataDir: string, failure: unknown, logPath?: string): EmbeddedPostgresError {
  if (failure instanceof EmbeddedPostgresError) return failure
  const text = failure instanceof Error ? failure.message : String(failure)
  const known = knownFailures.find(([pattern]) => pattern.test(text))
  const line = known ? known[1] : `cannot be used: ${text.trim()}${logPath ? ` (see ${logPath})` : ''}`
  return new EmbeddedPostgresError(`DATA_DIR ${dataDir} ${line}`, { cause: failure })
}

const knownFailures: [RegExp, string][] = [
  [
    /ENOSPC|EDQUOT|No space left on device|Disk quota exceeded/i,
    'is on a full disk: free at least 100 MB there, then start again.',
  ],
  [
    /EROFS|Read-only file system/i,
    'is on a read-only file system: mount it writable, or choose another DATA_DIR.',
  ],
  [
    /EACCES|EPERM|Permission denied|Operation not permitted/i,
    'is not accessible to this user: make it owned and writable by the user that runs Slipway, or choose another DATA_DIR.',
  ],
  [
    /could not look up effective user ID/i,
    'cannot be used by this user, which has no entry in /etc/passwd: add one, run as a user that has one, or set DATABASE_URL.',
  ],
]
