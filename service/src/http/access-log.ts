/** One answered request. */
export interface AccessLine {
  requestId: string
  method: string
  /** Without the query, where callers sometimes put what is nobody else's business. */
  path: string
  status: number
  ms: number
  client: string
  /** The caller went away before the last byte. */
  aborted: boolean
}

/** The line as the logger would have written it, laid out by hand and in ASCII: it is written for every request. */
export function formatAccessLine(line: AccessLine, timeMs: number): string {
  // Only what a caller can choose needs escaping; the id was checked when it came in.
  return `{"level":"info","time":"${isoTime(timeMs)}","requestId":"${line.requestId}","method":"${line.method}","path":${quote(line.path)},"status":${line.status},"us":${Math.round(line.ms * 1_000)},"client":"${line.client}",${line.aborted ? '"aborted":true,' : ''}"msg":"request"}\n`
}

const NOT_ASCII = /[\u0080-\uffff]/g
let quotedPath = ''
let quotedText = '""'

/** The same path is asked for again and again. */
function quote(path: string): string {
  if (path !== quotedPath) {
    quotedPath = path
    quotedText = JSON.stringify(path).replace(
      NOT_ASCII,
      code => `\\u${code.charCodeAt(0).toString(16).padStart(4, '0')}`,
    )
  }
  return quotedText
}

let knownMs = 0
let knownText = ''

/** Many lines share a millisecond; its text is made once. */
export function isoTime(timeMs: number): string {
  if (timeMs !== knownMs) {
    knownMs = timeMs
    knownText = new Date(timeMs).toISOString()
  }
  return knownText
}
