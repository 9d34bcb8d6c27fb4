import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createConnections } from './connections.ts'

const REQUEST = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'

/** A server for which everything happens in one turn of the event loop. */
async function startServer({ trustsAll = false } = {}) {
  const closed: string[] = []
  const server = createServer((_request, response) => response.end('x'))
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
  return { send, closed }
}

test("a client's connections share what it may pipeline in one turn", async () => {
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
