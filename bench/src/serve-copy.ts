import { createServer, type IncomingMessage, request } from 'node:http'
import { listen } from './lib.ts'

interface Copy {
  etag: string
  ok: string[]
  notModified: string[]
  bytes: Buffer
}

/** Node adds these by itself. */
const OF_NODE = new Set(['date', 'connection', 'keep-alive'])

/** The reference: raw `node:http` that sends another server's responses from Buffers and does nothing else. */
export async function serveCopy({ port, paths }: { port: number; paths: string[] }): Promise<number> {
  const [plain, gzip] = [new Map<string, Copy>(), new Map<string, Copy>()]
  for (const path of paths) {
    plain.set(path, await copyAnswer(port, path, {}))
    gzip.set(path, await copyAnswer(port, path, { 'accept-encoding': 'gzip' }))
  }
  const server = createServer((request, response) => {
    const copies = request.headers['accept-encoding'] === 'gzip' ? gzip : plain
    const copy = copies.get(request.url as string) as Copy
    if (request.headers['if-none-match'] === copy.etag) {
      response.writeHead(304, copy.notModified)
      response.end()
      return
    }
    response.writeHead(200, copy.ok)
    response.end(copy.bytes)
  })
  return listen(server)
}

async function copyAnswer(port: number, path: string, requestHeaders: Record<string, string>): Promise<Copy> {
  const answer = await get(port, path, requestHeaders)
  const etag = answer.message.headers.etag as string
  const again = await get(port, path, { ...requestHeaders, 'if-none-match': etag })
  if (answer.message.statusCode !== 200 || again.message.statusCode !== 304)
    throw new Error(`${path} answered ${answer.message.statusCode} and ${again.message.statusCode}`)
  return {
    etag,
    ok: headersOf(answer.message),
    notModified: headersOf(again.message),
    bytes: answer.bytes,
  }
}

const headersOf = ({ rawHeaders }: IncomingMessage): string[] =>
  rawHeaders.filter((_, at) => !OF_NODE.has((rawHeaders[at - (at % 2)] as string).toLowerCase()))

function get(port: number, path: string, headers: Record<string, string>) {
  return new Promise<{ message: IncomingMessage; bytes: Buffer }>((resolve, reject) => {
    request({ port, path, headers, host: '127.0.0.1', agent: false }, async message => {
      const chunks: Buffer[] = await message.toArray()
      resolve({ message, bytes: Buffer.concat(chunks) })
    })
      .on('error', reject)
      .end()
  })
}
