import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { createSnapshot, type Encoding, type Representation, type Snapshot } from '../../endpoint/endpoint.ts'
import { createCachedCall } from '../../lib/kept-reads.ts'
import { contextOf } from '../request-context.ts'
import { sendBody, writeSnapshotHead } from '../response/send-snapshot.ts'

/** A file of the reference. */
interface StaticFile {
  contentType: string
  cacheControl: string
  /** Names and values, instead of the usual security headers. */
  headers?: readonly string[]
  /** False for a format that is compressed already. */
  isCompressible?: boolean
  /** People open it in a browser. */
  isPage?: boolean
  /** Called once, when the file is first requested, so that start-up does not wait for it. */
  read(): Buffer | Promise<Buffer>
}

/** Serves a file at a path, with its ETag, and compressed if the client accepts that. */
export function mountFile(app: FastifyInstance, path: string, file: StaticFile): void {
  app.get(path, { config: { isPage: file.isPage ?? false } }, createFileSender(file))
}

export type SendFile = (request: FastifyRequest, reply: FastifyReply) => Promise<void>

export function createFileSender(file: StaticFile): SendFile {
  const load = createLoader(file)
  return async (request, reply) => {
    const snapshot = await load()
    reply.hijack()
    const body = writeSnapshotHead(request.raw, reply.raw, contextOf(request.raw), { ...file, snapshot })
    sendBody(reply.raw, body)
  }
}

function createLoader({ read, isCompressible = true }: StaticFile): () => Promise<Snapshot> {
  return createCachedCall(async () => {
    const bytes = await read()
    return isCompressible ? compress(bytes) : createSnapshot(bytes)
  }, Number.POSITIVE_INFINITY)
}

const GZIP_LEVEL = 6
/** The viewer takes half a second, on the thread pool. Higher qualities take seconds and save little. */
const BROTLI_QUALITY = 7

async function compress(bytes: Buffer): Promise<Snapshot> {
  const { identity } = createSnapshot(bytes)
  const [zipped, brotli] = await Promise.all([
    promisify(gzip)(bytes, { level: GZIP_LEVEL }),
    promisify(brotliCompress)(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
  ])
  return { identity, gzip: encoded(identity, 'gzip', zipped), br: encoded(identity, 'br', brotli) }
}

function encoded({ etag }: Representation, encoding: Encoding, bytes: Buffer): Representation {
  return { encoding, etag: `${etag.slice(0, -1)}-${encoding}"`, parts: [bytes], length: bytes.length }
}
