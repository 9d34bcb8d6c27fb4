import type { AddressInfo } from 'node:net'
import { CORE_PROGRAM, GENESIS_PROGRAM } from '@slipway/launch-model/programs'
import { expect, onTestFinished, test } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import { followPrograms } from './follow-programs.ts'
import type { FollowLimits } from './following.ts'

const topics = [
  {
    name: 'buckets',
    program: GENESIS_PROGRAM,
    filters: [{ memcmp: { offset: 0, bytes: Uint8Array.of(26) } }],
  },
  { name: 'assets', program: CORE_PROGRAM, filters: [], isOptional: true },
]
const quick: Partial<FollowLimits> = {
  // The nodes in these tests don't answer pings.
  silenceMs: 60_000,
  pingMs: 50,
  reconnectMsMin: 10,
  reconnectMsMax: 40,
  refusedMs: 60,
}

type Message = { id: number; method: string; params: unknown[] }
type Answer = { result: unknown } | { error: { code: number; message: string } } | undefined

/** A node whose answers the test chooses, with its sockets and the requests on them. */
async function startNode(decide: (message: Message, socket: WebSocket) => Answer) {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', autoPong: false })
  const sockets: WebSocket[] = []
  server.on('connection', socket => {
    sockets.push(socket)
    socket.on('message', data => {
      const message = JSON.parse(String(data)) as Message
      const answer = decide(message, socket)
      if (answer) socket.send(JSON.stringify({ jsonrpc: '2.0', id: message.id, ...answer }))
    })
  })
  await new Promise(resolve => server.on('listening', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.terminate()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { url: `ws://127.0.0.1:${port}`, sockets }
}

function follow(url: string, limits = quick) {
  const events: string[] = []
  const following = followPrograms({
    url,
    topics,
    limits,
    observer: {
      onChange: ({ topic, slot, address, data }) => events.push(`${topic} ${slot} ${address} ${data.length}`),
      onSlot: slot => events.push(`slot ${slot}`),
      onLive: () => events.push('live'),
      onDown: (reason, isRefused) => events.push(`${isRefused ? 'refused' : 'lost'}: ${reason}`),
      onTopicRefused: (topic, reason) => events.push(`${topic} refused: ${reason}`),
    },
  })
  onTestFinished(() => following.close())
  return events
}

const grant = ({ id }: Message): Answer => ({ result: 100 + id })
const notify = (socket: WebSocket | undefined, subscription: number, slot: number, data: string) =>
  socket?.send(
    JSON.stringify({
      jsonrpc: '2.0',
      method: 'programNotification',
      params: {
        subscription,
        result: {
          context: { slot },
          value: { pubkey: CORE_PROGRAM, account: { data: [data, 'base64'], owner: GENESIS_PROGRAM } },
        },
      },
    }),
  )

test('subscribes at confirmed, is live once all subscriptions are granted, and passes changes on', async () => {
  const calls: Message[] = []
  const { url, sockets } = await startNode(message => {
    calls.push(message)
    return grant(message)
  })
  const events = follow(url)
  await expect.poll(() => events).toEqual(['live'])
  expect(calls.map(({ method }) => method)).toEqual(['slotSubscribe', 'programSubscribe', 'programSubscribe'])
  expect(calls[1]?.params).toEqual([
    GENESIS_PROGRAM,
    {
      commitment: 'confirmed',
      encoding: 'base64',
      filters: [{ memcmp: { offset: 0, bytes: 'Gg==', encoding: 'base64' } }],
    },
  ])
  notify(sockets[0], 102, 7, 'AAAA')
  notify(sockets[0], 103, 8, '')
  // A notification of an unknown subscription.
  notify(sockets[0], 999, 9, '')
  await expect
    .poll(() => events)
    .toEqual(['live', `buckets 7 ${CORE_PROGRAM} 3`, `assets 8 ${CORE_PROGRAM} 0`])
})

test('a broken connection is reported and re-established', async () => {
  const { url, sockets } = await startNode(grant)
  const events = follow(url)
  await expect.poll(() => events).toEqual(['live'])
  sockets[0]?.terminate()
  await expect.poll(() => events).toEqual(['live', 'lost: closed (1006)', 'live'])
})

test('a silent connection counts as dead', async () => {
  const { url } = await startNode(grant)
  const events = follow(url, { ...quick, silenceMs: 300 })
  await expect.poll(() => events.length, { timeout: 10_000 }).toBeGreaterThan(2)
  expect(events.slice(0, 3)).toEqual(['live', 'lost: no slot was reported for too long', 'live'])
})

test('a malformed message ends the connection, because a change may be lost', async () => {
  const { url, sockets } = await startNode(grant)
  const events = follow(url)
  await expect.poll(() => events).toEqual(['live'])
  notify(sockets[0], 102, 7, '===')
  await expect.poll(() => events).toEqual(['live', 'lost: received a malformed message', 'live'])
})

test('a refused optional topic is reported and the others continue; a refused required topic ends the session', async () => {
  let refused = CORE_PROGRAM
  const { url, sockets } = await startNode(message =>
    message.params[0] === refused ? { error: { code: -32601, message: 'not on this plan' } } : grant(message),
  )
  const events = follow(url)
  await expect.poll(() => events).toEqual(['assets refused: not on this plan', 'live'])
  refused = GENESIS_PROGRAM
  sockets[0]?.terminate()
  await expect.poll(() => events.slice(3)).toContain('refused: buckets was refused: not on this plan')
})

test('reconnecting continues while nothing listens', async () => {
  const events = follow('ws://127.0.0.1:9')
  await expect.poll(() => events.length).toBeGreaterThan(2)
  expect(new Set(events)).toEqual(new Set(['lost: ECONNREFUSED']))
})
