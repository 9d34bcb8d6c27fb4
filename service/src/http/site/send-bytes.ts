import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Encoding, Representation, Snapshot } from '../../endpoint/endpoint.ts'
import { chooseRepresentation } from '../response/send-snapshot.ts'

/** A page or a file in all of its encodings. */
export type Bytes = Snapshot

type Encoded = { identity: Uint8Array } & { [encoding in 'gzip' | 'br']?: Uint8Array }

export function toBytes({ identity, gzip, br }: Encoded): Bytes {
  const tag = createHash('sha256').update(identity).digest('base64url').slice(0, 27)
  const represent = (encoding: Encoding, bytes: Uint8Array): Representation => ({
    encoding,
    etag: encoding === 'identity' ? `"${tag}"` : `"${tag}-${encoding}"`,
    parts: [Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)],
    length: bytes.byteLength,
  })
  return {
    identity: represent('identity', identity),
    ...(gzip && { gzip: represent('gzip', gzip) }),
    ...(br && { br: represent('br', br) }),
  }
}

/** Sends bytes in the encoding that the client prefers, or 304 if it has them. The other headers are set already. */
export function sendBytes(request: FastifyRequest, reply: FastifyReply, bytes: Bytes): FastifyReply {
  const { representation, notModified } = chooseRepresentation(
    bytes,
    request.headers['accept-encoding'] as string | undefined,
    request.headers['if-none-match'],
  )
  reply.header('ETag', representation.etag)
  if (bytes.gzip) reply.header('Vary', 'Accept-Encoding')
  // Only a success can be unchanged (RFC 9110, 13.2.1).
  if (notModified && reply.statusCode === 200) return reply.code(304).removeHeader('Content-Type').send()
  if (representation.encoding !== 'identity') reply.header('Content-Encoding', representation.encoding)
  return reply.send(representation.parts[0])
}
