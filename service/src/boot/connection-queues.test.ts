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
  "a client's waiting connections beyond a limit of %i are closed; 0 disables the limit",
  (perClientMax, closed) => {
    const queues = createConnectionQueues({ findServing: () => undefined, perClientMax })
    const sockets = [socketOf(), socketOf(), socketOf()]
    for (const socket of sockets) queues.handOver(socket as unknown as Socket, 1, 'client')
    expect(sockets.map(({ isDestroyed }) => isDestroyed)).toEqual(closed)
  },
)
