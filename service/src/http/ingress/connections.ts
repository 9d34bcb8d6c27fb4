import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import { hasNetworkPlace, networkOf } from '../../lib/client-network.ts'
import { createLru } from '../../lib/create-lru.ts'
import { limitKey, parseAddress, type TrustsProxy } from './read-request.ts'

/** What is known about a connection. There is one object per connection, which all of its requests share. */
export interface Connection {
  readonly address: string
  /** The client that the connection counts for. */
  readonly clientKey: string
  /** A trusted proxy: its clients are limited by their own addresses, so the proxy isn't. */
  readonly isProxy: boolean
  /** The last response is decided. Anything that arrives after that is not read. */
  isClosing: boolean
  lastRequest: IncomingMessage | undefined
  /** The turn of the event loop in which its last request arrived. */
  turn: number
  share: TurnShare
  refusals: number
}

/** A client's requests in one turn, on all of its connections. */
interface TurnShare {
  turn: number
  /** Requests that were the first of the turn on their connection. */
  first: number
  pipelined: number
}

export interface Connections {
  /** Applies the limits to the connections of a server. */
  guard(server: Server): void
  of(socket: Socket): Connection
  open(): Iterable<Socket>
  /** Counts a refused request. Returns true if it must be the last one on its connection. */
  countRefusal(connection: Connection): boolean
}

type CloseReason = 'connections' | 'pipelining' | 'refusals'

/**
 * Counts requests after the first on the same connection. Ordinary clients that pipeline have a few dozen in flight.
 */
const PIPELINED_PER_TURN_MAX = 100
/**
 * For a client that recently exceeded a limit: its pipelined requests and, separately, its first requests on each
 * connection.
 */
const SLOWED_PER_TURN_MAX = 16
/** A refusal costs as many system calls as an answer. This and the delay below bound how many a client can cause. */
const REFUSALS_MAX = 25
const SLOWED_MS = 10_000
/** New connections of a slowed client are read one after another. Reconnecting costs the client time, not the node. */
const SLOWED_INTERVAL_MS = 25
/** Bounds the memory. */
const SLOWED_CLIENTS_MAX = 10_000
/** Makes Node's parser skip the rest of what it was given, as after an upgrade. */
const STOP_PARSING = 2

/**
 * Limits how much of the event loop one client can take: connections at a time, requests that it pipelines in one turn
 * of the loop, and refused requests on one connection. A connection that exceeds a limit is closed. After either of the
 * last two, its client is slowed down for some seconds.
 */
export function createConnections({
  perClientMax,
  trusts,
  currentTurn,
  onClosed,
}: {
  /** 0 disables the limit. */
  perClientMax: number
  trusts: TrustsProxy
  currentTurn: CurrentTurn
  onClosed(reason: CloseReason): void
}): Connections {
  const bySocket = new Map<Socket, Connection>()
  const byClient = new Map<string, { open: number; share: TurnShare }>()
  const openOf = new Map<string, number>()
  const slowed = createLru<string, { nextMs: number }>(SLOWED_CLIENTS_MAX, { ttl: SLOWED_MS })

  function add(socket: Socket): Connection {
    const connection = createConnection(socket.remoteAddress, trusts)
    bySocket.set(socket, connection)
    // Each of a proxy's connections may carry different clients.
    if (!connection.isProxy) countFor(connection, socket)
    socket.once('close', () => bySocket.delete(socket))
    return connection
  }

  function countFor(connection: Connection, socket: Socket) {
    const { clientKey } = connection
    const client = byClient.get(clientKey) ?? { open: 0, share: connection.share }
    byClient.set(clientKey, client)
    client.open += 1
    connection.share = client.share
    countForNetwork(clientKey, 1)
    socket.once('close', () => {
      client.open -= 1
      if (client.open === 0) byClient.delete(clientKey)
      countForNetwork(clientKey, -1)
    })
  }

  function countForNetwork(clientKey: string, change: 1 | -1) {
    const network = networkOf(clientKey)
    if (network === undefined) return
    const open = (openOf.get(network) ?? 0) + change
    if (open > 0) openOf.set(network, open)
    else openOf.delete(network)
  }

  /** The counts include the connection itself. */
  function isOverLimit({ clientKey }: Connection): boolean {
    if (perClientMax === 0) return false
    const countOf = (network: string) => (openOf.get(network) ?? 0) - 1
    const open = byClient.get(clientKey)?.open ?? 0
    return open > perClientMax || !hasNetworkPlace(clientKey, { perClient: perClientMax, countOf })
  }

  function slowDown({ clientKey, isProxy }: Connection) {
    if (isProxy) return
    const nextMs = slowed.get(clientKey)?.nextMs ?? 0
    slowed.set(clientKey, { nextMs })
  }

  /** How long the connection has to wait until it is read. */
  function waitMsOf({ clientKey }: Connection): number {
    const turns = slowed.get(clientKey)
    if (!turns) return 0
    const nowMs = performance.now()
    const startMs = Math.max(nowMs, turns.nextMs)
    turns.nextMs = startMs + SLOWED_INTERVAL_MS
    return startMs - nowMs
  }

  /** Counts a request. Returns false if the client has used up its share of this turn. */
  function take(connection: Connection): boolean {
    const turn = currentTurn()
    const isFirst = connection.turn !== turn
    connection.turn = turn
    const { share } = connection
    if (share.turn !== turn) Object.assign(share, { turn, first: 0, pipelined: 0 })
    const isSlowed = slowed.has(connection.clientKey)
    if (isFirst) {
      share.first += 1
      return !isSlowed || share.first <= SLOWED_PER_TURN_MAX
    }
    share.pipelined += 1
    return share.pipelined <= (isSlowed ? SLOWED_PER_TURN_MAX : PIPELINED_PER_TURN_MAX)
  }

  function limitRequests(socket: Socket, connection: Connection) {
    // Node documents no way to stop in the middle of what it has read, which can be thousands of requests.
    const { parser } = socket as Socket & { parser?: RequestParser }
    if (!parser) return
    const next = parser.onIncoming
    parser.onIncoming = (request, keepAlive) => {
      if (connection.isClosing) return STOP_PARSING
      if (take(connection)) return next(request, keepAlive)
      close(socket, connection, 'pipelining')
      return STOP_PARSING
    }
  }

  function close(socket: Socket, connection: Connection, reason: CloseReason) {
    connection.isClosing = true
    slowDown(connection)
    onClosed(reason)
    socket.destroy()
  }

  return {
    guard(server) {
      // A connection over the limit is closed before Node prepares to read it.
      const prepare = server.listeners('connection') as ((socket: Socket) => void)[]
      server.removeAllListeners('connection')
      server.on('connection', (socket: Socket) => {
        const connection = add(socket)
        if (!connection.isProxy && isOverLimit(connection)) {
          onClosed('connections')
          socket.destroy()
          return
        }
        const read = () => {
          if (socket.destroyed) return
          for (const listener of prepare) listener.call(server, socket)
          limitRequests(socket, connection)
          if (socket.readableFlowing === false) socket.resume()
        }
        const waitMs = waitMsOf(connection)
        if (waitMs === 0) return read()
        // Until Node's listeners are attached, an error would end the process.
        socket.on('error', () => socket.destroy())
        setTimeout(read, waitMs).unref()
      })
    },
    of: socket => bySocket.get(socket) ?? createConnection(socket.remoteAddress, trusts),
    open: () => bySocket.keys(),
    countRefusal(connection) {
      connection.refusals += 1
      if (connection.refusals < REFUSALS_MAX || connection.isProxy) return false
      connection.isClosing = true
      slowDown(connection)
      onClosed('refusals')
      return true
    },
  }
}

/**
 * The part of Node's parser that hands over requests. It is not documented, so it may be missing in another version.
 */
interface RequestParser {
  onIncoming: (request: IncomingMessage, keepAlive: boolean) => number
}

function createConnection(remoteAddress: string | undefined, trusts: TrustsProxy): Connection {
  // A connection that is already closed has no address.
  const address = (remoteAddress && parseAddress(remoteAddress)) || 'unknown'
  const isProxy = trusts(address)
  return {
    address,
    // Other machines in a proxy's network are clients, and their limits must not affect it.
    clientKey: isProxy ? address : limitKey(address),
    isProxy,
    isClosing: false,
    lastRequest: undefined,
    turn: 0,
    share: { turn: 0, first: 0, pipelined: 0 },
    refusals: 0,
  }
}

/** Numbers the turns of the event loop in which it is called, starting with 1. */
type CurrentTurn = () => number

export function createTurns(): CurrentTurn {
  let turn = 0
  let isOver = true
  const end = () => {
    isOver = true
  }
  return () => {
    if (isOver) {
      isOver = false
      turn += 1
      setImmediate(end)
    }
    return turn
  }
}
