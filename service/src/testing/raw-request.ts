import { type IncomingHttpHeaders, request } from 'node:http'

interface RawResponse {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
  text: string
  json: () => unknown
}

/** Sends a request exactly as given: nothing is normalised, decoded or followed. */
export function rawRequest(
  origin: string,
  path: string,
  options: { method?: string; headers?: Record<string, string | string[]>; body?: string | Buffer } = {},
): Promise<RawResponse> {
  const { hostname, port } = new URL(origin)
  // Without a length, Node sends the body of a GET as stray bytes.
  const length =
    options.body === undefined || options.headers?.['transfer-encoding'] !== undefined
      ? {}
      : { 'content-length': `${Buffer.byteLength(options.body)}` }
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        hostname,
        port,
        path,
        method: options.method ?? 'GET',
        headers: { ...length, ...options.headers },
        agent: false,
      },
      response => {
        const chunks: Buffer[] = []
        response.on('data', chunk => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () => {
          const body = Buffer.concat(chunks)
          const text = body.toString()
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body,
            text,
            json: () => JSON.parse(text),
          })
        })
      },
    )
    outgoing.on('error', reject)
    outgoing.end(options.body)
  })
}
