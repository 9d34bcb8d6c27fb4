/** Its message is the one line an operator sees: it names DATA_DIR and ends with what to do. */
export class EmbeddedPostgresError extends Error {
  override name = 'EmbeddedPostgresError'
}

/** What PostgreSQL, initdb or the file system said, as a line for the operator. */
export function explainFailure(dataDir: string, said: unknown, logPath?: string): EmbeddedPostgresError {
  if (said instanceof EmbeddedPostgresError) return said
  const text = said instanceof Error ? said.message : String(said)
  const known = knownFailures.find(([pattern]) => pattern.test(text))
  const line = known ? known[1] : `cannot be used: ${text.trim()}${logPath ? ` (see ${logPath})` : ''}`
  return new EmbeddedPostgresError(`DATA_DIR ${dataDir} ${line}`, { cause: said })
}

const knownFailures: [RegExp, string][] = [
  [
    /ENOSPC|EDQUOT|No space left on device|Disk quota exceeded/i,
    'is on a full disk: free at least 100 MB there, then start again.',
  ],
  [/EROFS|Read-only file system/i, 'is on a read-only file system: mount it writable or choose another.'],
  [
    /EACCES|EPERM|Permission denied|Operation not permitted/i,
    'is not accessible to this user: make it owned and writable by the user that runs Slipway, or choose another.',
  ],
  [
    /could not look up effective user ID/i,
    'cannot get a database: this user has no entry in /etc/passwd. Add one, run as a user that has one, or set DATABASE_URL.',
  ],
]
