import pino from 'pino'
import type { LogLevel } from '../config.ts'

export interface Log extends pino.Logger {
  /** Writes complete JSON lines, bypassing the level and the serializers. */
  writeLines(lines: string): void
}

/** Lines are buffered for this long, or until there are enough for one write. A terminal shows each line at once. */
const FLUSH_MS = 200
const WRITE_BYTES = 16_000
/** If the reader of a pipe stops reading, further lines are dropped. */
const BUFFER_BYTES_MAX = 16 << 20

/** Writes JSON lines to standard output. Buffered lines are written when the process ends. */
export function createLog(level: LogLevel): Log {
  const isTerminal = process.stdout.isTTY
  const output = pino.destination({
    dest: 1,
    sync: isTerminal,
    ...(!isTerminal && { minLength: WRITE_BYTES, maxLength: BUFFER_BYTES_MAX, periodicFlush: FLUSH_MS }),
  })
  // A full disk must not stop the service. Writing is tried again with the next lines.
  output.on('error', () => {})
  const log = pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: label => ({ level: label }) },
      serializers: { err: describeError },
    },
    output,
  )
  return Object.assign(log, { writeLines: (lines: string) => void output.write(lines) })
}

/** Keeps only known fields: an error object of a library can hold connections, keys and passwords. */
export function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) }
  const { name, message, stack, cause } = error
  const code = 'code' in error ? { code: String(error.code) } : {}
  return { name, message, ...code, stack, ...(cause === undefined ? {} : { cause: describeError(cause) }) }
}
