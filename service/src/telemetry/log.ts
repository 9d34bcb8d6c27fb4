import pino from 'pino'
import type { LogLevel } from '../environment.ts'
import { createStyle, type Style } from '../lib/terminal.ts'
import { messageOf, stackOf } from '../lib/without-values.ts'
import { type LogOutput, openLogOutput } from './log-output.ts'
import { formatLogLines } from './readable-log.ts'

export interface Log extends pino.Logger {
  /** Writes complete JSON lines, bypassing the level and the serializers. */
  writeLines(lines: string): void
  readonly worker: number | undefined
}

interface LogTarget {
  stream?: { fd: number; isTTY: boolean }
  /** Decides about colours. */
  env?: Record<string, string | undefined>
  /** The number of this worker, which every line has. */
  worker?: number
  /** Lines could not be written. */
  onDropped?(lines: number): void
}

/**
 * Writes JSON lines to standard output, or readable lines if it is a terminal, which shows each line at once. Buffered
 * lines are written when the process ends.
 */
export function createLog(
  level: LogLevel,
  { stream = process.stdout, env = {}, worker, onDropped = () => {} }: LogTarget = {},
): Log {
  const output = openLogOutput(stream.fd, { isSync: stream.isTTY, onDropped })
  const target = stream.isTTY ? formatInto(output, createStyle(stream, env)) : output
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
  return Object.assign(log, { worker, writeLines: (lines: string) => target.write(lines) })
}

/** For a terminal, formatting each line again is fast enough. */
const formatInto = (output: LogOutput, style: Style) => ({
  write: (lines: string) => output.write(formatLogLines(lines, style)),
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
