import pino from 'pino'
import type { LogLevel } from '../environment.ts'
import { createStyle, type Style } from '../lib/terminal.ts'
import { messageOf, stackOf } from '../lib/without-values.ts'
import { formatLogLines } from './readable-log.ts'

export interface Log extends pino.Logger {
  /** Writes complete JSON lines, bypassing the level and the serializers. */
  writeLines(lines: string): void
  readonly worker: number | undefined
}

/** Lines are buffered for this long, or until there are enough for one write. A terminal shows each line at once. */
const FLUSH_MS = 200
const WRITE_BYTES = 16_000
/** If the reader of a pipe stops reading, further lines are dropped. */
const BUFFER_BYTES_MAX = 16 << 20

interface LogTarget {
  stream?: { fd: number; isTTY: boolean }
  /** Decides about colours. */
  env?: Record<string, string | undefined>
  /** The number of this worker, which every line has. */
  worker?: number
}

/**
 * Writes JSON lines to standard output, or readable lines if it is a terminal. Buffered lines are written when the
 * process ends.
 */
export function createLog(
  level: LogLevel,
  { stream = process.stdout, env = {}, worker }: LogTarget = {},
): Log {
  const isTerminal = stream.isTTY
  const output = pino.destination({
    dest: stream.fd,
    sync: isTerminal,
    ...(!isTerminal && { minLength: WRITE_BYTES, maxLength: BUFFER_BYTES_MAX, periodicFlush: FLUSH_MS }),
  })
  // A full disk must not stop the service. Writing is tried again with the next lines.
  output.on('error', () => {})
  const target = isTerminal ? formatInto(output, createStyle(stream, env)) : output
  const log = pino(
    {
      level,
      base: worker === undefined ? null : { worker },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: label => ({ level: label }) },
      serializers: { err: describeError },
    },
    target,
  )
  return Object.assign(log, { worker, writeLines: (lines: string) => void target.write(lines) })
}

/** For a terminal, formatting each line again is fast enough. */
const formatInto = (output: { write(lines: string): unknown }, style: Style) => ({
  write: (lines: string) => void output.write(formatLogLines(lines, style)),
})

/** Keeps only known fields: an error object of a library can hold connections, keys and passwords. */
export function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) }
  const { name, cause } = error
  const code = 'code' in error && error.code !== undefined ? { code: String(error.code) } : {}
  return {
    name,
    message: messageOf(error),
    ...code,
    stack: stackOf(error),
    ...(cause === undefined ? {} : { cause: describeError(cause) }),
  }
}
