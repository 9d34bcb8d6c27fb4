import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import { ERROR_HEADER, ERRORS, type ErrorCode, errorBody, errorFamilyOf } from '@slipway/schema/errors'
import type { ConnectionError } from 'fastify'
import { EXPOSED } from '../response/common-headers.ts'

const CODES: Record<string, ErrorCode> = {
  HPE_HEADER_OVERFLOW: 'HEADERS_TOO_LARGE',
  ERR_HTTP_REQUEST_TIMEOUT: 'REQUEST_TIMEOUT',
}

/** Enough for the method and the part of the path that decides on the error format. */
const LINE_LENGTH_MAX = 200
/** How long the client has to read the answer. Anything it still sends is ignored. */
const CLOSE_MS = 1_000

/** The error of a request that Node could not parse, and its request line, as far as that is known. */
export function describeClientError(error: ConnectionError): { code: ErrorCode; requestLine: string } {
  // Node passes the unparsed bytes as a Buffer, contrary to the framework's type.
  const received = error.rawPacket as Buffer | { data: number[] } | undefined
  return {
    code: CODES[error.code] ?? 'BAD_REQUEST',
    requestLine: Buffer.isBuffer(received) ? received.toString('latin1', 0, LINE_LENGTH_MAX) : '',
  }
}

/** Answers on the raw connection, in the error format of the path in the request line. */
export function refuseSocket(socket: Socket, requestLine: string, code: ErrorCode): void {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  socket.end(formatRefusal(requestLine, code))
  // Closing at once would discard the answer if the client is still sending.
  setTimeout(() => socket.destroy(), CLOSE_MS).unref()
}

function formatRefusal(requestLine: string, code: ErrorCode): string {
  const { status, text } = ERRORS[code]
  const [method = '', path = ''] = requestLine.split(' ', 2)
  const body = JSON.stringify(errorBody(errorFamilyOf(method, path), code))
  return [
    `HTTP/1.1 ${status} ${text}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `${ERROR_HEADER}: ${code}`,
    'Access-Control-Allow-Origin: *',
    `Access-Control-Expose-Headers: ${EXPOSED}`,
    'X-Content-Type-Options: nosniff',
    `X-Request-Id: ${randomUUID()}`,
    'Connection: close',
    '',
    method === 'HEAD' ? '' : body,
  ].join('\r\n')
}
