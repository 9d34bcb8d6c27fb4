import { EventEmitter, once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createConnections } from './connections.ts'
import { createProxyTrust } from './read-request.ts'

const REQUEST = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'

/** A server for which everything happens in one turn of the event loop. */
async function startServer({ trustsAll = false } = {}) {
  const closed: string[] = []
  let handled = 0
  const server = createServer((_request, response) => {
    handled += 1
    response.end('x')
  })
  const connections = createConnections({
    perClientMax: 0,
    trusts: () => trustsAll,
    currentTurn: () => 1,
    onClosed: reason => closed.push(reason),
  })
  connections.guard(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo

  /** Sends requests on a new connection, and counts the answers until all have arrived or the connection is closed. */
  async function send(requests: number, localAddress = '127.0.0.1'): Promise<number> {
    const socket = connect({ host: '127.0.0.1', port, localAddress })
    onTestFinished(() => void socket.destroy())
    socket.on('error', () => {})
    socket.write(REQUEST.repeat(requests))
    let received = ''
    const answers = () => received.split('HTTP/1.1 200').length - 1
    await new Promise<void>(resolve => {
      socket.on('close', () => resolve())
      socket.on('data', chunk => {
        received += chunk
        if (answers() === requests) resolve()
      })
    })
    return answers()
  }
  return { server, send, closed, handled: () => handled }
}

test("a client's connections share its pipelining limit in one turn", async () => {
  const { send, closed } = await startServer()
  expect(await send(60)).toBe(60)
  // A connection that exceeds it is closed, and its answers are lost.
  expect(await send(60)).toBeLessThan(60)
  expect(closed).toEqual(['pipelining'])
  expect(await send(60, '127.0.0.2')).toBe(60)
})

test('a client that sends one request on each of its connections is never closed', async () => {
  const { send, closed } = await startServer()
  const answers = await Promise.all(Array.from({ length: 150 }, () => send(1)))
  expect(answers).toEqual(Array.from({ length: 150 }, () => 1))
  expect(closed).toEqual([])
})

test('a client that has exceeded its share gets a smaller one, for single requests too', async () => {
  const { send, closed } = await startServer()
  await send(150)
  const answers = await Promise.all(Array.from({ length: 20 }, () => send(1)))
  expect(answers.filter(count => count === 1)).toHaveLength(16)
  expect(closed).toHaveLength(5)
})

test('each connection of a trusted proxy has a share of its own', async () => {
  const { send, closed } = await startServer({ trustsAll: true })
  expect([await send(60), await send(60), await send(60)]).toEqual([60, 60, 60])
  expect(closed).toEqual([])
  await send(150)
  expect(closed).toEqual(['pipelining'])
})

test('this version of Node lets us stop in the middle of a batch of pipelined requests, by the undocumented parser.onIncoming', async () => {
  const { server, send, closed, handled } = await startServer()
  let parsed = 0
  server.on('connection', (socket: Socket & { parser?: { onIncoming: (...args: unknown[]) => number } }) => {
    const { parser } = socket
    if (!parser) throw new Error('sockets of HTTP servers no longer have a parser')
    const next = parser.onIncoming
    parser.onIncoming = (...args) => {
      parsed += 1
      return next(...args)
    }
  })
  await send(500)
  expect(closed).toEqual(['pipelining'])
  // The first request, the hundred that may be pipelined, and the one at which Node stops parsing.
  expect({ handled: handled(), parsed }).toEqual({ handled: 101, parsed: 102 })
})

test('a trusted proxy is not slowed down, whatever its clients do', async () => {
  const { send, closed } = await startServer({ trustsAll: true })
  await send(150)
  expect([await send(60), await send(60)]).toEqual([60, 60])
  expect(closed).toEqual(['pipelining'])
})

/** A stand-in for a server: real connections can't come from these addresses. */
function createGuarded({ perClientMax = 0 } = {}) {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const server = new EventEmitter() as Server
  const read: Socket[] = []
  server.on('connection', socket => read.push(socket))
  const closed: string[] = []
  const connections = createConnections({
    perClientMax,
    trusts: createProxyTrust(['2001:db8::1']),
    currentTurn: () => 1,
    onClosed: reason => closed.push(reason),
  })
  connections.guard(server)
  const connectFrom = (remoteAddress: string) => {
    const socket = Object.assign(new EventEmitter(), {
      remoteAddress,
      destroy: () => void socket.emit('close'),
    }) as EventEmitter
    server.emit('connection', socket)
    return socket as unknown as Socket
  }
  return { connections, connectFrom, read, closed }
}

test('limits of other clients in the network of a trusted proxy do not affect the proxy', () => {
  const { connections, connectFrom, read, closed } = createGuarded({ perClientMax: 2 })
  const others = [connectFrom('2001:db8::2'), connectFrom('2001:db8::3')]
  expect(read).toEqual(others)
  connectFrom('2001:db8::4')
  expect(closed).toEqual(['connections'])
  const proxy = Array.from({ length: 5 }, () => connectFrom('2001:db8::1'))
  expect(read.slice(2)).toEqual(proxy)
  // The others are slowed down from now on.
  for (let refusals = 0; refusals < 25; refusals += 1)
    connections.countRefusal(connections.of(others[0] as Socket))
  others[0]?.emit('close')
  for (const address of ['2001:db8::5', '2001:db8::1', '2001:db8::1']) connectFrom(address)
  expect(read.slice(7).map(({ remoteAddress }) => remoteAddress)).toEqual([
    '2001:db8::5',
    '2001:db8::1',
    '2001:db8::1',
  ])
  others[1]?.emit('close')
  connectFrom('2001:db8::6')
  expect(read).toHaveLength(10)
  vi.advanceTimersByTime(25)
  expect(read).toHaveLength(11)
})

test('500 clients of one /48 hold as many connections as 16 clients, and others can still connect', () => {
  const { connectFrom, read } = createGuarded({ perClientMax: 2 })
  const sockets = Array.from({ length: 500 }, (_, at) => connectFrom(`2001:db8:1:${at.toString(16)}::1`))
  expect(read).toHaveLength(32)
  connectFrom('2001:db8:2::1')
  connectFrom('192.0.2.7')
  expect(read).toHaveLength(34)
  sockets[0]?.emit('close')
  connectFrom('2001:db8:1:fff::1')
  expect(read).toHaveLength(35)
})
