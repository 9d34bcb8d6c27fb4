import { createServer } from 'node:http'
import { printListing } from './print-listing.ts'

/** The reference: the same bytes from a Buffer, with nothing around them. */
export async function serveRaw(launches: number): Promise<number> {
  const { identity, gzip } = await printListing(launches)
  const server = createServer((request, response) => {
    const isGzip = request.headers['accept-encoding'] === 'gzip'
    const { bytes, etag } = isGzip ? gzip : identity
    const headers = {
      'Content-Type': 'application/json; charset=utf-8',
      ETag: etag,
      'Cache-Control': 'public, max-age=5, stale-while-revalidate=60',
      Vary: 'Accept-Encoding',
    }
    if (request.headers['if-none-match'] === etag) {
      response.writeHead(304, headers)
      response.end()
      return
    }
    response.writeHead(200, {
      ...headers,
      ...(isGzip ? { 'Content-Encoding': 'gzip' } : {}),
      'Content-Length': bytes.length,
    })
    response.end(bytes)
  })
  return new Promise(resolve => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port))
  })
}
