import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import { errorBody, errorFamilyOf } from '@slipway/schema/error-family'
import { ERRORS, type ErrorCode } from '@slipway/schema/errors'
import type { ConnectionError } from 'fastify'

const CODES: Record<string, ErrorCode> = {
  HPE_HEADER_OVERFLOW: 'HEADERS_TOO_LARGE',
  ERR_HTTP_REQUEST_TIMEOUT: 'REQUEST_TIMEOUT',
}

/** Answers a request that Node could not parse. */
export function answerClientError(error: ConnectionError, socket: Socket): void {
  if (error.code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  // Node passes the unparsed bytes as a Buffer, contrary to the framework's type.
  const received = error.rawPacket as Buffer | { data: number[] } | undefined
  const line = Buffer.isBuffer(received) ? received.toString('latin1') : ''
  refuseSocket(socket, line, CODES[error.code] ?? 'BAD_REQUEST')
}

/** Answers on the raw connection, in the error format of the path in the request line. */
export function refuseSocket(socket: Socket, requestLine: string, code: ErrorCode): void {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  const { status, text } = ERRORS[code]
  const [method = '', path = ''] = requestLine.split(' ', 2)
  const body = JSON.stringify(errorBody(errorFamilyOf(method, path), text))
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
      method === 'HEAD' ? '' : body,
    ].join('\r\n'),
  )
}
