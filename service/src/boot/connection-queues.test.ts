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

test('the connections of a worker that hangs go to another; of one that has ended, all but the first', () => {
  for (const mayHaveRead of [false, true]) {
    const given: Socket[][] = [[], []]
    const workers = given.map(list => ({
      tell: (_name: string, _input: unknown, socket?: Socket) => void (socket && list.push(socket)),
    }))
    const [hung, other] = workers as [(typeof workers)[0], (typeof workers)[0]]
    let serving = hung
    const queues = createConnectionQueues({ findServing: () => serving, perClientMax: 0 })
    const sockets = [socketOf(), socketOf()] as unknown as [Socket, Socket]
    for (const socket of sockets) queues.handOver(socket, 1)
    serving = other
    queues.passOn(hung, { mayHaveRead })
    queues.takenOver(other)
    expect(given).toEqual([[sockets[0]], mayHaveRead ? [sockets[1]] : sockets])
  }
})
