import type { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { createConnectionQueues } from './connection-queues.ts'

const socketOf = () => {
  const socket = { isDestroyed: false, on() {}, destroy: () => (socket.isDestroyed = true) }
  return socket
}

test.each([
  [2, [false, false, true]],
  [0, [false, false, false]],
])(
  'with at most %i waiting connections per client, those beyond are closed; 0 is no limit',
  (perClientMax, closed) => {
    const queues = createConnectionQueues({ findServing: () => undefined, perClientMax })
    const sockets = [socketOf(), socketOf(), socketOf()]
    for (const socket of sockets) queues.handOver(socket as unknown as Socket, 1, 'client')
    expect(sockets.map(({ isDestroyed }) => isDestroyed)).toEqual(closed)
  },
)
