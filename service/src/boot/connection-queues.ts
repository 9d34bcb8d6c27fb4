import type { Socket } from 'node:net'
import type { Peer } from '../lib/peer.ts'

/** A connection that waits for a worker, or that a worker has not acknowledged yet. */
interface Waiting {
  socket: Socket
  key: number
  client: string | undefined
}

/** Connections that wait for one worker, or while no worker serves. */
const WAITING_MAX = 1_000

/** Hands connections over to workers, and keeps those that no worker has taken yet. */
export function createConnectionQueues<Worker extends Peer>({
  findServing,
  perClientMax,
}: {
  findServing(key: number): Worker | undefined
  /** How many connections of one client may wait; 0 for no limit. */
  perClientMax: number
}) {
  /** While no worker serves. */
  const waiting: Waiting[] = []
  /** For each worker, the connection that it has not acknowledged, and those behind it. */
  const handing = new Map<Worker, Waiting[]>()
  /** How many connections of each client wait. */
  const waitingOf = new Map<string, number>()
  let isClosed = false

  function give(one: Waiting) {
    const worker = findServing(one.key)
    const queue = worker ? (handing.get(worker) ?? []) : waiting
    if (isClosed || queue.length >= WAITING_MAX) return drop(one)
    queue.push(one)
    if (!worker) return
    handing.set(worker, queue)
    if (queue.length === 1) worker.tell('connection', undefined, one.socket)
  }

  /** Closes the connection here. If a worker has it, it stays open there. */
  function drop({ socket, client }: Waiting) {
    socket.destroy()
    if (client === undefined) return
    const left = (waitingOf.get(client) ?? 0) - 1
    if (left > 0) waitingOf.set(client, left)
    else waitingOf.delete(client)
  }

  return {
    handOver(socket: Socket, key: number, client?: string) {
      // It is not read here, so nothing else would notice.
      socket.on('error', () => {})
      const count = client === undefined ? 0 : (waitingOf.get(client) ?? 0)
      if (perClientMax > 0 && count >= perClientMax) return void socket.destroy()
      if (client !== undefined) waitingOf.set(client, count + 1)
      give({ socket, key, client })
    },
    /** A worker serves from now on. */
    giveWaiting() {
      for (const one of waiting.splice(0)) give(one)
    },
    /** One connection at a time: those behind it can still go to another worker if this one ends. */
    takenOver(worker: Worker) {
      const queue = handing.get(worker) ?? []
      const one = queue.shift()
      if (one) drop(one)
      if (queue[0]) worker.tell('connection', undefined, queue[0].socket)
      else handing.delete(worker)
    },
    /** The worker has ended. It may have read from the first of its connections, so only the others can go to another. */
    passOn(worker: Worker) {
      const [first, ...others] = handing.get(worker) ?? []
      handing.delete(worker)
      if (first) drop(first)
      for (const one of others) give(one)
    },
    close() {
      isClosed = true
      for (const one of waiting.splice(0)) drop(one)
    },
  }
}
