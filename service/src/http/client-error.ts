import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import { errorBody } from '@slipway/schema/error-family'
import { ERRORS, type ErrorCode } from '@slipway/schema/errors'

const CODES: Record<string, ErrorCode> = {
  HPE_HEADER_OVERFLOW: 'HEADERS_TOO_LARGE',
  ERR_HTTP_REQUEST_TIMEOUT: 'REQUEST_TIMEOUT',
}

/** Answers what was no HTTP request at all: it has no path, and so no family. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const { status, text } = ERRORS[CODES[error.code ?? ''] ?? 'BAD_REQUEST']
  const body = JSON.stringify(errorBody('launches', text))
  socket.end(
    [
      `HTTP/1.1 ${status} ${text}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Access-Control-Allow-Origin: *',
      'X-Content-Type-Options: nosniff',
      `X-Request-Id: ${randomUUID()}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  )
}
