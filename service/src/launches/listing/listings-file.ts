import { createHash } from 'node:crypto'
import { createWriteStream, existsSync, readFileSync } from 'node:fs'
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { crc32 } from 'node:zlib'
import type { Network } from '@slipway/schema/network'
import { readFreeBytes } from '../../lib/free-bytes.ts'
import { readVersion } from '../../lib/read-version.ts'
import { crc32Shift } from './gzip-join.ts'
import { type LaunchKeys, ListedLaunch, NO_SOCIALS } from './listed-launch.ts'
import { createSegment, type EncodedSegment, inflateSegment, type Segment } from './listing.ts'

export interface NetworkSegment {
  network: Network
  segment: Segment
}

/**
 * The encoded listings, kept between starts. The file may be older than the store, so each launch that is read must be compared
 * with its stored version.
 */
export interface ListingsFile {
  /** Yields nothing if there is no file. Throws if it is from another version of the program, damaged or can't be read. */
  read(): AsyncGenerator<NetworkSegment>
  /** Replaces the file. Segments must be encoded. */
  write(segments: readonly NetworkSegment[], signal: AbortSignal): Promise<void>
}

/** The listings were written by another version of the program, or for other addresses of pages. */
export class OtherListings extends Error {}

const FILE = 'listings.cache'
const PARTIAL = '.partial'
/** How many times the size of the file must be free before it is written. */
const FREE_FACTOR = 3
/** What a launch takes beside its compressed JSON. */
const KEYS_BYTES_MAX = 250

export function openListingsFile({
  folder,
  launchPage,
  build = readBuild(),
}: {
  folder: string
  launchPage: string
  /** Of the program. Another one may write launches differently. */
  build?: string
}): ListingsFile {
  const path = join(folder, FILE)
  // Another version of Node may compress differently.
  const writer = JSON.stringify({ version: readVersion(), build, node: process.version, launchPage })

  function* records(segments: readonly NetworkSegment[]): Generator<Buffer> {
    yield* encodeRecord([writer, segments.length], Buffer.alloc(0))
    for (const { network, segment } of segments) {
      const { plain, digest, crc, deflated } = segment.encoded as EncodedSegment
      const sums = [plain.length, crc, digest.toString('base64')]
      yield* encodeRecord([network, ...sums, segment.launches.map(toKeys)], deflated)
    }
  }

  return {
    async *read() {
      const file = await open(path).catch(error => {
        if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
        throw error
      })
      if (!file) return
      try {
        let expected: number | undefined
        for await (const record of readRecords(file)) {
          if (expected === undefined) expected = parseHeader(record, writer)
          else {
            expected -= 1
            yield await decodeSegment(record)
          }
        }
        if (expected !== 0) throw new Error('the file is cut')
      } finally {
        await file.close()
      }
    },
    async write(segments, signal) {
      await createFolder(folder)
      await checkSpace(folder, segments)
      // What a node that was killed has left is overwritten. If two write at the same time, readers find the file damaged.
      const partial = `${path}${PARTIAL}`
      try {
        const sink = createWriteStream(partial, { mode: 0o600 })
        await pipeline(Readable.from(records(segments)), sink, { signal })
        await rename(partial, path)
      } catch (error) {
        await rm(partial, { force: true }).catch(() => {})
        throw error
      }
    },
  }
}

/** Changes with every build: the main file names the others, whose names have the hash of their content. */
function readBuild(): string {
  const main = join(dirname(fileURLToPath(import.meta.url)), 'main.js')
  // Tests run the sources, which are not built.
  return existsSync(main) ? createHash('sha256').update(readFileSync(main)).digest('base64url') : 'sources'
}

/** The embedded database may be on the same disk, and must never find it full because of this file. */
async function checkSpace(folder: string, segments: readonly NetworkSegment[]): Promise<void> {
  let bytes = 0
  for (const { segment } of segments)
    bytes += (segment.encoded?.deflated.length ?? 0) + KEYS_BYTES_MAX * segment.launches.length
  if ((await readFreeBytes(folder)) < FREE_FACTOR * bytes)
    throw new Error(`there is too little free space for ${Math.ceil(bytes / 1e6)} MB`)
}

/** A part of the file, with a checksum, so that damage is noticed: what is known about a segment, and its compressed bytes. */
interface FileRecord {
  json: string
  deflated: Buffer
}

/** A checksum of everything after it, and the lengths of the JSON and of the compressed bytes. */
const HEAD_BYTES = 3 * 4
/** Takes a few milliseconds to decode. */
const CHUNK_BYTES = 1024 * 1024

function encodeRecord(value: unknown[], deflated: Buffer): Buffer[] {
  const json = Buffer.from(JSON.stringify(value))
  const head = Buffer.alloc(HEAD_BYTES)
  head.writeUInt32LE(json.length, 4)
  head.writeUInt32LE(deflated.length, 8)
  // The checksum of nothing would start again from zero.
  const body = [json, deflated].filter(part => part.length > 0)
  head.writeUInt32LE(body.reduce((sum, part) => crc32(part, sum), crc32(head.subarray(4))))
  return [head, ...body]
}

/** Reads records until the end of the file. Throws at the first one that is damaged or cut. */
async function* readRecords(file: FileHandle): AsyncGenerator<FileRecord> {
  let left = (await file.stat()).size
  let chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES)
  let [start, end] = [0, 0]

  /** The next bytes of the file. They are valid until the next call. */
  async function take(length: number): Promise<Buffer> {
    if (length > left) throw new Error('the file is cut or damaged')
    if (end - start < length) {
      const next = length > chunk.length ? Buffer.allocUnsafeSlow(length) : chunk
      chunk.copy(next, 0, start, end)
      ;[chunk, start, end] = [next, 0, end - start]
      while (end < length) {
        const { bytesRead } = await file.read(chunk, end, chunk.length - end)
        if (bytesRead === 0) throw new Error('the file is cut')
        end += bytesRead
      }
    }
    start += length
    left -= length
    return chunk.subarray(start - length, start)
  }

  while (left > 0) {
    const head = await take(HEAD_BYTES)
    const [checksum, jsonLength, length] = [head.readUInt32LE(0), head.readUInt32LE(4), head.readUInt32LE(8)]
    const headSum = crc32(head.subarray(4))
    const body = await take(jsonLength + length)
    if (crc32(body, headSum) !== checksum) throw new Error('the file is damaged')
    // Kept for as long as the segment, so it must not be a view of the chunk.
    const deflated = Buffer.allocUnsafeSlow(length)
    body.copy(deflated, 0, jsonLength)
    yield { json: body.toString('utf8', 0, jsonLength), deflated }
  }
}

function parseHeader({ json }: FileRecord, writer: string): number {
  const [writtenBy, segments] = JSON.parse(json) as [string, number]
  if (writtenBy !== writer) throw new OtherListings(`written by ${writtenBy}`)
  return segments
}

type SavedKeys = ReturnType<typeof toKeys>

const toKeys = (launch: ListedLaunch) =>
  [
    launch.genesisAddress,
    launch.version,
    launch.mint,
    launch.agent ?? 0,
    launch.activityMs,
    launch.startMs,
    launch.status,
    launch.spotlight,
    launch.registeredMs,
    launch.verifiedSocials.length > 0 ? launch.verifiedSocials : 0,
    launch.length,
    launch.createdToken,
    launch.isShortened,
  ] as const

async function decodeSegment({ json, deflated }: FileRecord): Promise<NetworkSegment> {
  const [network, length, crc, digest, saved] = JSON.parse(json) as [
    Network,
    number,
    number,
    string,
    SavedKeys[],
  ]
  const plain = await inflateSegment(deflated, length)
  let at = 0
  const launches = saved.map(keys => {
    const length = keys[10]
    const launch = new ListedLaunch(fromKeys(keys), { source: plain, start: at + 1, length })
    at += 1 + length
    return launch
  })
  const encoded = {
    plain,
    digest: Buffer.from(digest, 'base64'),
    crc,
    crcShift: crc32Shift(length),
    deflated,
  }
  return { network, segment: { ...createSegment(launches), encoded } }
}

const fromKeys = (keys: SavedKeys): LaunchKeys => ({
  genesisAddress: keys[0],
  version: keys[1],
  mint: keys[2],
  agent: keys[3] === 0 ? undefined : keys[3],
  activityMs: keys[4],
  startMs: keys[5],
  status: keys[6],
  spotlight: keys[7],
  registeredMs: keys[8],
  verifiedSocials: keys[9] === 0 ? NO_SOCIALS : keys[9],
  createdToken: keys[11],
  isShortened: keys[12],
})

/** An embedded database in the folder may run as another user, who must be able to pass through. */
const createFolder = (folder: string) =>
  mkdir(folder, { mode: 0o711 }).catch(error => {
    if (error.code !== 'EEXIST') throw error
  })
