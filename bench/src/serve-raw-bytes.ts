import { createServer } from 'node:http'

export interface RawAnswer {
  path: string
  body: string
  etag: string
  cacheControl: string
}

/** The reference: these answers from Buffers, with nothing around them. */
export async function serveRawBytes(answers: RawAnswer[]): Promise<number> {
  const byPath = new Map(
    answers.map(({ path, body, etag, cacheControl }) => {
      const headers = {
        'Content-Type': 'application/json; charset=utf-8',
        ETag: etag,
        'Cache-Control': cacheControl,
      }
      return [path, { headers, etag, bytes: Buffer.from(body) }]
    }),
  )
  const server = createServer((request, response) => {
    const answer = byPath.get(request.url ?? '')
    if (!answer) {
      response.writeHead(404).end()
      return
    }
    if (request.headers['if-none-match'] === answer.etag) {
      response.writeHead(304, answer.headers)
      response.end()
      return
    }
    response.writeHead(200, { ...answer.headers, 'Content-Length': answer.bytes.length })
    response.end(answer.bytes)
  })
  return new Promise(resolve => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port))
  })
}
