import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { addressOf, launchRecord, MINUTE_MS } from '../../testing/launch-rows.ts'
import { canMountDisk, mountSmallDisk } from '../../testing/small-disk.ts'
import { type NetworkSegment, OtherListings, openListingsFile } from './listings-file.ts'
import { createNetworkListings } from './network-listings.ts'

const LAUNCH_PAGE = 'https://slipway.example/launches/{genesisAddress}'
const NEVER = new AbortController().signal

async function createFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'slipway-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

const openIn = (folder: string, launchPage = LAUNCH_PAGE) => openListingsFile({ folder, launchPage })

async function encode(count: number): Promise<NetworkSegment[]> {
  const listings = createNetworkListings({ launchPage: LAUNCH_PAGE, clock: Date.now })
  const records = Array.from({ length: count }, (_, at) =>
    launchRecord(`launch ${at} ☃`, {
      version: at,
      spotlight: at % 3 === 0,
      ...(at % 2 === 0 && { agent: addressOf(`agent ${at}`), verifiedSocials: ['x' as const] }),
      ...(at % 4 === 0 && { startsAt: new Date(Date.now() + MINUTE_MS) }),
      ...(at % 5 === 0 && { graduatedAt: new Date() }),
    }),
  )
  await listings.update(records.map(listings.toListed), [])
  return listings.segments().map(segment => ({ network: 'chain-devnet', segment }))
}

/** Everything that a segment holds, as a short text: comparing the bytes of every launch would take minutes. */
function describe({ network, segment: { launches, nextStartMs, encoded } }: NetworkSegment): string {
  const { plain, deflated, digest, ...sums } = encoded ?? {}
  const parts = [plain, deflated, digest].map(part => part?.toString('base64'))
  const listed = launches.map(launch => ({ ...launch, source: '', start: 0, json: launch.json }))
  const content = JSON.stringify([nextStartMs, listed, parts, sums])
  return `${network} ${launches.length} ${createHash('sha256').update(content).digest('hex')}`
}

/** The segments up to the first error, and the error. */
async function readAll(folder: string): Promise<{ segments: string[]; error?: unknown }> {
  const segments: string[] = []
  try {
    for await (const segment of openIn(folder).read()) segments.push(describe(segment))
  } catch (error) {
    return { segments, error }
  }
  return { segments }
}

let few: NetworkSegment[]
let described: string[]
beforeAll(async () => {
  few = (await encode(300)).slice(0, 3)
  described = few.map(describe)
})

test('segments are read as they were written', async () => {
  const folder = await createFolder()
  const segments = await encode(5_000)
  expect(segments.length).toBeGreaterThan(30)
  await openIn(folder).write(segments, NEVER)
  expect(await readAll(folder)).toEqual({ segments: segments.map(describe) })
  expect((await stat(join(folder, 'listings.cache'))).mode & 0o777).toBe(0o600)
  expect(await readdir(folder)).toEqual(['listings.cache'])
})

test('a folder that does not exist is empty, and is created with the file', async () => {
  const folder = join(await createFolder(), 'new')
  expect(await readAll(folder)).toEqual({ segments: [] })
  await openIn(folder).write(few, NEVER)
  expect(await readAll(folder)).toEqual({ segments: described })
})

test('a file that is damaged or cut anywhere yields only what is intact', async () => {
  const folder = await createFolder()
  const path = join(folder, 'listings.cache')
  await openIn(folder).write(few, NEVER)
  const intact = await readFile(path)
  async function expectError(content: Buffer, what: string) {
    await writeFile(path, content)
    const { segments, error } = await readAll(folder)
    expect(error, what).toBeInstanceOf(Error)
    expect(segments, what).toEqual(described.slice(0, segments.length))
    expect(segments.length, what).toBeLessThanOrEqual(few.length)
  }
  for (let at = 0; at < intact.length; at += at < 100 ? 1 : 797) {
    const damaged = Buffer.from(intact)
    damaged.writeUInt8(intact.readUInt8(at) ^ (1 << (at % 8)), at)
    await expectError(damaged, `damaged at ${at}`)
    await expectError(intact.subarray(0, at), `cut at ${at}`)
  }
  await expectError(Buffer.concat([intact, Buffer.from('more')]), 'continued')
})

test('a file for other pages or of another program is refused', async () => {
  const folder = await createFolder()
  await openIn(folder, 'https://elsewhere.example/{genesisAddress}').write(few, NEVER)
  const { segments, error } = await readAll(folder)
  expect([segments, error]).toEqual([[], expect.any(OtherListings)])
  await openListingsFile({ folder, launchPage: LAUNCH_PAGE, build: 'another' }).write(few, NEVER)
  expect(await readAll(folder)).toEqual({ segments: [], error: expect.any(OtherListings) })
  await openIn(folder).write(few, NEVER)
  expect(await readAll(folder)).toEqual({ segments: described })
})

test('a write that is interrupted keeps the earlier file and leaves nothing behind', async () => {
  const folder = await createFolder()
  await openIn(folder).write(few, NEVER)
  const stopping = new AbortController()
  const [first, ...rest] = (await encode(5_000)) as [NetworkSegment, ...NetworkSegment[]]
  const last: NetworkSegment = {
    ...first,
    get segment() {
      stopping.abort()
      return first.segment
    },
  }
  const write = openIn(folder).write([first, ...rest, last], stopping.signal)
  await expect(write).rejects.toThrow('abort')
  expect(await readdir(folder)).toEqual(['listings.cache'])
  expect(await readAll(folder)).toEqual({ segments: described })
})

test('what a killed node left behind is replaced', async () => {
  const folder = await createFolder()
  await writeFile(join(folder, 'listings.cache.partial'), Buffer.alloc(10_000_000))
  await openIn(folder).write(few, NEVER)
  expect(await readdir(folder)).toEqual(['listings.cache'])
  expect(await readAll(folder)).toEqual({ segments: described })
})

test.skipIf(!canMountDisk)(
  'on a disk that is nearly full, nothing is written, and the earlier file is kept',
  async () => {
    const disk = mountSmallDisk('4m')
    await openIn(disk.folder).write(few, NEVER)
    const segments = await encode(2_000)
    disk.fill()
    await expect(openIn(disk.folder).write(segments, NEVER)).rejects.toThrow('too little free space')
    expect((await readdir(disk.folder)).sort()).toEqual(['filler', 'listings.cache'])
    expect(await readAll(disk.folder)).toEqual({ segments: described })
  },
)
