import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

interface OpenResponses {
  /** Calls back once: when the system has taken the whole response, or when its connection is closed. */
  add(socket: Socket, response: ServerResponse, onEnd: () => void): void
  /** Calls back when no response of the connection is open, or when it is closed. */
  whenSent(socket: Socket, callback: () => void): void
  /** The connections with a response that is not sent completely. */
  sockets(): Set<Socket>
}

/** Keeps track of the responses that the system has not taken completely. */
export function createOpenResponses(): OpenResponses {
  const bySocket = new Map<Socket, Set<() => void>>()
  const waiting = new Map<Socket, () => void>()

  function endsOf(socket: Socket): Set<() => void> {
    const known = bySocket.get(socket)
    if (known) return known
    const ends = new Set<() => void>()
    bySocket.set(socket, ends)
    // Node emits no event on a response that still waits for earlier ones when its connection closes.
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
        if (!ends.delete(end)) return
        onEnd()
        if (ends.size > 0) return
        waiting.get(socket)?.()
        waiting.delete(socket)
      }
      ends.add(end)
      response.on('close', end)
    },
    whenSent(socket, callback) {
      if (bySocket.get(socket)?.size) waiting.set(socket, callback)
      else callback()
    },
    sockets() {
      const busy = new Set<Socket>()
      for (const [socket, ends] of bySocket) if (ends.size > 0) busy.add(socket)
      return busy
    },
  }
}
