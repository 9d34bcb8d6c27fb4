import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { startRpcProxy } from './rpc-proxy.ts'

test('a caller that disconnects before it has sent everything causes no unhandled rejection', async () => {
  const reasons: unknown[] = []
  const note = (reason: unknown) => void reasons.push(reason)
  process.on('unhandledRejection', note)
  onTestFinished(() => void process.off('unhandledRejection', note))
  const { url } = await startRpcProxy('http://127.0.0.1:9')
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  await once(socket, 'connect')
  socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n{')
  await new Promise(resolve => setTimeout(resolve, 100))
  socket.destroy()
  await new Promise(resolve => setTimeout(resolve, 100))
  expect(reasons).toEqual([])
})
