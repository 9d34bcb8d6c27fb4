import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib'
import pLimit from 'p-limit'
import { type buildConnector, Client } from 'undici'
import { DocumentRefused } from '../fetched-document.ts'

interface HopOptions {
  /** Already checked. The connection goes to one of these and nowhere else. */
  addresses: readonly string[]
  signal: AbortSignal
  bytesMax: number
  headerBytesMax: number
  /** Additional certificate authorities, as PEM. */
  ca?: string | undefined
}

type HopAnswer =
  | { kind: 'body'; bytes: Uint8Array }
  | { kind: 'redirect'; location: string | undefined }
  | { kind: 'status'; status: number }

const REDIRECTS = new Set([301, 302, 303, 307, 308])

/** Sends one GET on its own connection and closes it, so that no host leaves anything behind for the next. */
export async function fetchHop(url: URL, options: HopOptions): Promise<HopAnswer> {
  const client = new Client(url.origin, {
    connect: createConnect(options),
    maxHeaderSize: options.headerBytesMax,
    pipelining: 0,
    // The signal is the only clock.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  try {
    const { statusCode, headers, body } = await client.request({
      method: 'GET',
      path: url.pathname + url.search,
      headers: {
        accept: 'application/json, */*;q=0.5',
        'accept-encoding': ACCEPT_ENCODING,
        'user-agent': 'slipway',
      },
      signal: options.signal,
    })
    // An error in a body that we stop reading must not end the process.
    body.on('error', () => {})
    if (REDIRECTS.has(statusCode)) return { kind: 'redirect', location: single(headers.location) }
    if (statusCode !== 200) return { kind: 'status', status: statusCode }
    if (Number(single(headers['content-length'])) > options.bytesMax) throw new DocumentRefused('too-large')
    const encoding = headers['content-encoding']
    return {
      kind: 'body',
      bytes: await readBody(body, { encoding: encoding?.toString(), bytesMax: options.bytesMax }),
    }
  } finally {
    client.destroy().catch(() => {})
  }
}

const single = (header: string | string[] | undefined) => (typeof header === 'string' ? header : undefined)

function createConnect({ addresses, signal, ca }: HopOptions): buildConnector.connector {
  const entries = addresses.map(address => ({ address, family: isIP(address) }))
  const lookup: LookupFunction = (_name, { all }, answer) => {
    const [first] = entries
    if (all) answer(null, entries)
    else answer(null, first?.address ?? '', first?.family)
  }
  return ({ hostname, port, protocol }, callback) => {
    const secure = protocol === 'https:'
    const host = hostname.replace(/^\[|\]$/g, '')
    const target = { host, port: Number(port || (secure ? 443 : 80)), lookup, autoSelectFamily: true }
    const socket: Socket = secure
      ? connectTls({
          ...target,
          ...(isIP(host) ? {} : { servername: host }),
          ALPNProtocols: ['http/1.1'],
          ca,
        })
      : connectTcp(target)
    let settled = false
    const settle = (error: Error | null) => {
      if (settled) return
      settled = true
      signal.removeEventListener('abort', stop)
      if (error) callback(error, null)
      else callback(null, socket)
    }
    const stop = () => socket.destroy(new DocumentRefused('timeout'))
    signal.addEventListener('abort', stop, { once: true })
    socket.once(secure ? 'secureConnect' : 'connect', () => settle(null))
    // Never removed: an unhandled error while the socket changes owners would end the process.
    socket.on('error', settle)
    socket.once('close', () => settle(new DocumentRefused('unreachable', 'ECONNRESET')))
    if (signal.aborted) stop()
  }
}

const ACCEPT_ENCODING = 'gzip, deflate, br'

/** A brotli decoder takes 16 MiB, whatever it returns, and a thread that the whole process shares. */
const limitDecompression = pLimit(2)

/** Reads and decompresses a body. Stops at the limit, which applies to both forms. */
async function readBody(
  body: AsyncIterable<Uint8Array>,
  { encoding, bytesMax }: { encoding: string | undefined; bytesMax: number },
): Promise<Uint8Array> {
  const decompress = chooseDecompression(encoding)
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body) {
    length += chunk.length
    if (length > bytesMax) throw new DocumentRefused('too-large')
    chunks.push(chunk)
  }
  const wire = Buffer.concat(chunks, length)
  if (!decompress) return wire
  try {
    return await limitDecompression(() => decompress(wire, bytesMax))
  } catch (error) {
    const tooLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
    throw new DocumentRefused(tooLarge ? 'too-large' : 'bad-encoding')
  }
}

type Decompress = (wire: Buffer, bytesMax: number) => Promise<Uint8Array>

/** Undefined for a body that is not compressed. Only one layer is accepted: more would only hide a bomb. */
function chooseDecompression(encoding: string | undefined): Decompress | undefined {
  switch (encoding?.trim().toLowerCase() ?? '') {
    case '':
    case 'identity':
      return undefined
    case 'gzip':
    case 'x-gzip':
      return (wire, bytesMax) => promisify(gunzip)(wire, { maxOutputLength: bytesMax })
    case 'br':
      return (wire, bytesMax) => promisify(brotliDecompress)(wire, { maxOutputLength: bytesMax })
    case 'deflate':
      // The standard requires a zlib header; some servers leave it out.
      return (wire, bytesMax) =>
        promisify(((wire[0] ?? 0) & 0x0f) === 8 ? inflate : inflateRaw)(wire, { maxOutputLength: bytesMax })
    default:
      throw new DocumentRefused('bad-encoding')
  }
}
