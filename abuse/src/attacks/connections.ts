import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Attack } from '../attack.ts'
import { createClient } from '../http-client.ts'
import { watchHealth } from '../watch-health.ts'

const OPEN_MAX = 1_000

/** One client opens thousands of connections and sends half a request on each. */
export const connections: Attack = {
  name: 'connections',
  async run({ port }, { isShort }) {
    const count = isShort ? 1_100 : 5_000
    const sockets: Socket[] = []
    const countOpen = () =>
      sockets.filter(({ readyState }) => ['opening', 'open'].includes(readyState)).length
    let isOtherServed = false
    const health = await watchHealth(port, async () => {
      for (let opened = 0; opened < count; opened += 1) {
        const socket = connect({ host: '127.0.0.1', port, localAddress: '127.0.0.70' })
        socket.on('error', () => {})
        socket.on('connect', () => socket.write('GET /v1/launches HTTP/1.1\r\nHost: a\r\nX-Slow: '))
        sockets.push(socket)
        if (opened % 100 === 99) await sleep(10)
      }
      for (let waits = 0; countOpen() > OPEN_MAX && waits < 100; waits += 1) await sleep(100)
      const other = createClient(port, { localAddress: '127.0.0.71' })
      isOtherServed = (await other.send('GET', '/v1/launches')).status === 200
      other.close()
    })
    const open = countOpen()
    for (const socket of sockets) socket.destroy()
    return [
      {
        what: `open out of ${count} connections of one client`,
        value: open,
        unit: 'connections',
        atMost: OPEN_MAX,
      },
      { what: '/healthz meanwhile', value: health.longestMs, unit: 'ms', atMost: 500 },
      { what: 'other clients refused', value: isOtherServed ? 0 : 1, unit: 'requests', atMost: 0 },
    ]
  },
}
