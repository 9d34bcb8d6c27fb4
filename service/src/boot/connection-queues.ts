import type { Socket } from 'node:net'
import { hasNetworkPlace, networkOf } from '../lib/client-network.ts'
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
export function createConnectionQueues<Worker extends Pick<Peer, 'tell'>>({
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
  /** How many connections of each client wait, and of each IPv6 network. */
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
    count(client, -1)
  }

  const countOf = (key: string) => waitingOf.get(key) ?? 0

  function count(client: string | undefined, change: 1 | -1) {
    if (client === undefined) return
    for (const key of [client, networkOf(client)]) {
      if (key === undefined) continue
      const next = countOf(key) + change
      if (next > 0) waitingOf.set(key, next)
      else waitingOf.delete(key)
    }
  }

  function isOverLimit(client: string, queued: number): boolean {
    const free = WAITING_MAX - queued
    if (!hasNetworkPlace(client, { perClient: perClientMax || WAITING_MAX, free, countOf })) return true
    return perClientMax > 0 && countOf(client) >= perClientMax
  }

  return {
    handOver(socket: Socket, key: number, client?: string) {
      // It is not read here, so nothing else would notice.
      socket.on('error', () => {})
      const worker = findServing(key)
      const queued = (worker ? handing.get(worker) : waiting)?.length ?? 0
      if (client !== undefined && isOverLimit(client, queued)) return void socket.destroy()
      count(client, 1)
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
    /** The worker takes no connections for now, so they go to others. If it may have read the first, that one is closed. */
    passOn(worker: Worker, { mayHaveRead = false } = {}) {
      const queue = handing.get(worker) ?? []
      handing.delete(worker)
      const [first] = mayHaveRead ? queue.splice(0, 1) : []
      if (first) drop(first)
      for (const one of queue) give(one)
    },
    close() {
      isClosed = true
      for (const one of waiting.splice(0)) drop(one)
    },
  }
}
