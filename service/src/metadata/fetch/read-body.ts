import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib'
import { DocumentRefused } from '../document-result.ts'

export const ACCEPT_ENCODING = 'gzip, deflate, br'

/** Reads and decompresses a body. Stops at the limit, which applies to both forms. */
export async function readBody(
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
    return await decompress(wire, bytesMax)
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
