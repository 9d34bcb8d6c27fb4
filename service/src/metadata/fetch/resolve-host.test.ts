import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { isIPv4 } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createResolveHost, resolveAddresses } from './resolve-host.ts'

const [A, AAAA] = [1, 28]
/** Longer than a test may take: a look-up that waits for it fails. */
const TIMEOUT_MS = 120_000

/** A name server that returns these addresses and never answers for the families in `silent`. */
async function startNameServer(addresses: string[], silent: number[] = []) {
  const socket = createSocket('udp4')
  const queries: number[] = []
  socket.on('message', (query, { port, address }) => {
    const end = query.indexOf(0, 12) + 5
    const type = query.readUInt16BE(end - 4)
    queries.push(type)
    if (silent.includes(type)) return
    const records = addresses.filter(known => isIPv4(known) === (type === A))
    const header = Buffer.from(query.subarray(0, 12))
    header.writeUInt16BE(0x8180, 2)
    header.writeUInt16BE(records.length, 6)
    header.writeUInt16BE(0, 10)
    const answers = records.map(record => {
      const data = Buffer.from(
        type === A
          ? record.split('.').map(Number)
          : record
              .split(':')
              .flatMap(group => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255]),
      )
      const head = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 1, 0, data.length])
      return Buffer.concat([head, data])
    })
    socket.send(Buffer.concat([header, query.subarray(12, end), ...answers]), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  onTestFinished(() => void socket.close())
  const servers = [`127.0.0.1:${socket.address().port}`]
  return { resolve: createResolveHost({ servers, timeoutMs: TIMEOUT_MS }), queries }
}

const options = () => ({ allowed: false, signal: new AbortController().signal })
const V6 = '2606:4700:0:0:0:0:0:1'

test('a name is looked up in both address families', async () => {
  const { resolve, queries } = await startNameServer(['93.184.216.34', V6, '8.8.8.8'])
  expect(await resolve('both.example', options())).toEqual(['93.184.216.34', '8.8.8.8', '2606:4700::1'])
  expect(queries.sort()).toEqual([A, AAAA])
})

test('a family that gets no answer does not hold up the other until it times out', async () => {
  const { resolve } = await startNameServer(['93.184.216.34', V6], [AAAA])
  expect(await resolve('half.example', options())).toEqual(['93.184.216.34'])
  const other = await startNameServer(['93.184.216.34', V6], [A])
  expect(await other.resolve('half.example', options())).toEqual(['2606:4700::1'])
})

test('an aborted look-up ends', async () => {
  const { resolve } = await startNameServer([], [A, AAAA])
  const controller = new AbortController()
  const resolving = resolve('silent.example', { allowed: false, signal: controller.signal })
  setTimeout(() => controller.abort(), 100)
  expect(await resolving).toEqual([])
})

test('a name with one private address among others is refused', async () => {
  const { resolve } = await startNameServer(['93.184.216.34', '10.0.0.1'])
  const url = new URL('http://mixed.example/')
  await expect(resolveAddresses(resolve, url, options())).rejects.toMatchObject({
    failure: { reason: 'private-address' },
  })
})

test('a name without addresses is unreachable, and at most eight addresses of a name are used', async () => {
  const url = new URL('http://name.example/')
  const none = await startNameServer([])
  await expect(resolveAddresses(none.resolve, url, options())).rejects.toMatchObject({
    failure: { reason: 'unreachable', detail: 'ENOTFOUND' },
  })
  const many = await startNameServer(Array.from({ length: 20 }, (_, index) => `8.8.8.${index}`))
  expect(await resolveAddresses(many.resolve, url, options())).toHaveLength(8)
})

test('an allowed name is looked up by the system', async () => {
  const { resolve, queries } = await startNameServer([])
  expect(await resolve('localhost', { ...options(), allowed: true })).toContain('127.0.0.1')
  expect(queries).toEqual([])
})
