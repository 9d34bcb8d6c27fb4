import pino from 'pino'
import type { LogLevel } from './config.ts'

export type Log = pino.Logger

/** JSON lines on standard output. */
export function createLog(level: LogLevel): Log {
  return pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: label => ({ level: label }) },
    serializers: { err: describeError },
  })
}

/** Only what is named here: an error object of a library can hold connections, keys and passwords. */
export function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) }
  const { name, message, stack, cause } = error
  const code = 'code' in error ? { code: String(error.code) } : {}
  return { name, message, ...code, stack, ...(cause === undefined ? {} : { cause: describeError(cause) }) }
}
