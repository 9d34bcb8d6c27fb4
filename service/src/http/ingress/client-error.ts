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
  if (speaksHttp2(requestLine)) socket.end(http2Refusal())
  else socket.end(httpRefusal(requestLine, code))
  // Closing at once would discard the answer if the client is still sending.
  setTimeout(() => socket.destroy(), CLOSE_MS).unref()
}

function httpRefusal(requestLine: string, code: ErrorCode): string {
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

const SETTINGS = 4
const HEADERS = 1
const DATA = 0
const GOAWAY = 7
const END_STREAM = 1
const END_HEADERS = 4
/** The first stream that a client opens. */
const STREAM = 1

const PREFACE = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'

/** Whether a client speaks HTTP/2 without negotiation. It reads only frames, so it must get frames. */
function speaksHttp2(received: string): boolean {
  // The preface alone may come from a person who tries it by hand.
  return received.startsWith(PREFACE) && received.length > PREFACE.length
}

/** A 400 to the first request of such a client (RFC 9113), and the end of the connection. */
function http2Refusal(): Buffer {
  const { status, text } = ERRORS.BAD_REQUEST
  const body = Buffer.from(JSON.stringify(errorBody('launches', 'BAD_REQUEST')))
  const headers = Buffer.concat([
    Buffer.from([0x8c]), // `:status: 400` is entry 12 of the static table.
    literal(31, 'application/json; charset=utf-8'), // content-type
    literal(28, `${body.length}`), // content-length
    namedLiteral(ERROR_HEADER.toLowerCase(), 'BAD_REQUEST'),
  ])
  // The last handled stream, and the code for no error.
  const goAway = Buffer.concat([
    Buffer.from([0, 0, 0, STREAM, 0, 0, 0, 0]),
    Buffer.from(`HTTP/1.1 ${status} ${text}`),
  ])
  return Buffer.concat([
    frame(SETTINGS, 0, 0, Buffer.alloc(0)),
    frame(HEADERS, END_HEADERS, STREAM, headers),
    frame(DATA, END_STREAM, STREAM, body),
    frame(GOAWAY, 0, 0, goAway),
  ])
}

function frame(type: number, flags: number, stream: number, payload: Buffer): Buffer {
  const head = Buffer.alloc(9)
  head.writeUIntBE(payload.length, 0, 3)
  head.writeUInt8(type, 3)
  head.writeUInt8(flags, 4)
  head.writeUInt32BE(stream, 5)
  return Buffer.concat([head, payload])
}

/** A header whose name is an entry from 15 to 141 of the static table of RFC 7541, with a short value. */
function literal(name: number, value: string): Buffer {
  return Buffer.concat([Buffer.from([0x0f, name - 15]), shortText(value)])
}

/** A header whose name is not in any table. */
function namedLiteral(name: string, value: string): Buffer {
  return Buffer.concat([Buffer.from([0]), shortText(name), shortText(value)])
}

/** A text of fewer than 127 characters, preceded by its length. */
const shortText = (text: string) => Buffer.concat([Buffer.from([text.length]), Buffer.from(text)])
