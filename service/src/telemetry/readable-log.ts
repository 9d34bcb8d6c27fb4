import { CLEAR_LINE, printable, type Style } from '../lib/terminal.ts'

interface LogLine {
  level?: string
  time?: string
  msg?: string
  err?: LoggedError
  [field: string]: unknown
}

interface LoggedError {
  message?: string
  code?: string
  stack?: string
  cause?: LoggedError
}

const COLORS: Record<string, Parameters<Style>[0]> = {
  warn: 'yellow',
  error: 'red',
  fatal: ['bold', 'red'],
}

/**
 * Turns JSON lines of the log into lines for people: time, level, message and fields. A line replaces a progress
 * line.
 */
export const formatLogLines = (lines: string, style: Style): string =>
  lines
    .split('\n')
    .filter(line => line !== '')
    .map(line => formatLine(line, style))
    .join('')

function formatLine(text: string, style: Style): string {
  const { level = '', time = '', msg = '', err, leftOut, ...fields } = JSON.parse(text) as LogLine
  const [message, rest] = msg === 'request' ? describeRequest(fields) : [msg, fields]
  const facts = Object.entries(rest).map(
    ([name, value]) => style('dim', `${printable(name)}=`) + formatValue(value),
  )
  if (leftOut !== undefined) facts.push(style('dim', `(${formatValue(leftOut)} similar left out before)`))
  const head = [
    style('dim', new Date(time).toTimeString().slice(0, 8)),
    style(COLORS[level] ?? 'dim', printable(level).padEnd(5)),
    COLORS[level] ? style(COLORS[level], printable(message)) : printable(message),
  ]
  return `${CLEAR_LINE}${[...head, ...facts].join(' ')}\n${err ? formatErrorOf(level, err, style) : ''}`
}

function describeRequest({ method, path, status, us, requestId: _, ...rest }: Record<string, unknown>) {
  return [`${method} ${path} ${status} in ${(Number(us) / 1_000).toFixed(1)} ms`, rest] as const
}

function formatValue(value: unknown): string {
  if (typeof value === 'number') return `${Number(value.toFixed(3))}`
  return printable(typeof value === 'string' && /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value))
}

/** A warning is about something that is expected to fail now and then, so its error is one line, without a stack. */
const formatErrorOf = (level: string, error: LoggedError, style: Style) =>
  level === 'error' || level === 'fatal' ? formatError(error, style) : `         ${summarizeError(error)}\n`

function summarizeError({ message = '', code, cause }: LoggedError): string {
  const [first = ''] = message.split('\n', 1)
  const summary = printable(`${first}${code === undefined ? '' : ` (${code})`}`)
  return cause ? `${summary}, caused by ${summarizeError(cause)}` : summary
}

function formatError({ message = '', code, stack, cause }: LoggedError, style: Style): string {
  const frames = (stack ?? '').split('\n').filter(line => /^\s+at /.test(line))
  const lines = [`${message}${code === undefined ? '' : ` (${code})`}`, ...frames.map(frame => frame.trim())]
  const [first = '', ...others] = lines.flatMap(line => line.split('\n')).map(printable)
  return `${[`         ${first}`, ...others.map(line => style('dim', `           ${line}`))].join('\n')}\n${
    cause ? formatError({ ...cause, message: `caused by ${cause.message}` }, style) : ''
  }`
}
