import pino from 'pino'
import type { LogLevel } from '../config.ts'
import { createLogPages } from './log-pages.ts'
import { createPageSink } from './page-sink.ts'

export interface Log extends pino.Logger {
  /** Writes lines of ASCII that are complete as they are, past the level and the serializers. */
  writeLines(lines: string): void
}

/** Lines are gathered for this long, or until a page is full; a terminal is shown each at once. */
const FLUSH_MS = 200

/** JSON lines on standard output. What is still gathered is written when the process ends. */
export function createLog(level: LogLevel): Log {
  const sink = createPageSink(1)
  const pages = createLogPages(sink)
  const shown = (write: (line: string) => void) =>
    process.stdout.isTTY
      ? (line: string) => {
          write(line)
          pages.flush()
        }
      : write
  setInterval(pages.flush, FLUSH_MS).unref()
  process.once('exit', () => {
    sink.finish()
    pages.flush()
  })
  const log = pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: label => ({ level: label }) },
      serializers: { err: describeError },
    },
    { write: shown(pages.write) },
  )
  return Object.assign(log, { writeLines: shown(pages.writeAscii) })
}

/** Only what is named here: an error object of a library can hold connections, keys and passwords. */
export function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) }
  const { name, message, stack, cause } = error
  const code = 'code' in error ? { code: String(error.code) } : {}
  return { name, message, ...code, stack, ...(cause === undefined ? {} : { cause: describeError(cause) }) }
}
