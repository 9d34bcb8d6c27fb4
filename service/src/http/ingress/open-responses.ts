import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

export interface Unfinished {
  /** Calls back once: when the system has taken the whole response, or when its connection is gone. */
  add(socket: Socket, response: ServerResponse, onEnd: () => void): void
  /** The connections on which a response is still on its way. */
  sockets(): Set<Socket>
}

/** Responses that the system has not taken whole yet. */
export function createUnfinished(): Unfinished {
  const bySocket = new Map<Socket, Set<() => void>>()

  function endsOf(socket: Socket): Set<() => void> {
    const known = bySocket.get(socket)
    if (known) return known
    const ends = new Set<() => void>()
    bySocket.set(socket, ends)
    // A response that was still waiting for those before it on its connection is never told that this is closed.
    socket.once('close', () => {
      bySocket.delete(socket)
      for (const end of ends) end()
    })
    return ends
  }

  return {
    add(socket, response, onEnd) {
      const ends = endsOf(socket)
      const end = () => {
        if (ends.delete(end)) onEnd()
      }
      ends.add(end)
      response.on('close', end)
    },
    sockets() {
      const busy = new Set<Socket>()
      for (const [socket, ends] of bySocket) if (ends.size > 0) busy.add(socket)
      return busy
    },
  }
}
