import type { Exchange } from '../http/request-context.ts'

/**
 * The line as the logger would have written it, laid out by hand and in ASCII: it is written for every request.
 * One request is often like the one before, so what two lines have in common is put together once.
 */
export function formatAccessLine(exchange: Exchange, path: string, timeMs: number): string {
  // The id was checked when it came in: nothing in it needs escaping.
  return `${startOf(timeMs)}${exchange.id}${middleOf(exchange, path)}${Math.round(exchange.ms * 1_000)}${endOf(exchange)}`
}

let startMs = 0
let start = ''

function startOf(timeMs: number): string {
  if (timeMs !== startMs) {
    startMs = timeMs
    start = flat(`{"level":"info","time":"${new Date(timeMs).toISOString()}","requestId":"`)
  }
  return start
}

let middleLine = { method: '', path: '', status: 0 }
let middle = ''

function middleOf({ method, status }: Exchange, path: string): string {
  if (middleLine.status !== status || middleLine.path !== path || middleLine.method !== method) {
    middleLine = { method, path, status }
    middle = flat(`","method":"${method}","path":${quote(path)},"status":${status},"us":`)
  }
  return middle
}

let endLine = { client: '', isAborted: false }
let end = ''

function endOf({ client, isAborted }: Exchange): string {
  if (end === '' || endLine.client !== client || endLine.isAborted !== isAborted) {
    endLine = { client, isAborted }
    end = flat(`,"client":"${client}",${isAborted ? '"aborted":true,' : ''}"msg":"request"}\n`)
  }
  return end
}

const NOT_ASCII = /[\u0080-\uffff]/g

/** Callers choose the path. */
function quote(path: string): string {
  return JSON.stringify(path).replace(
    NOT_ASCII,
    code => `\\u${code.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** A text that was joined of parts is put together anew each time it is written, unless it was made of bytes. */
function flat(text: string): string {
  return Buffer.from(text, 'latin1').toString('latin1')
}
