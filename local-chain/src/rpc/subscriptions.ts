import type { Address } from '@solana/kit'
import type { Commitment } from '../ledger/account.ts'
import type { Chain, Commit } from '../ledger/create-chain.ts'
import { accountFormat, encodeNotifiedAccount } from './encode-account.ts'
import { parseFilters } from './filters.ts'
import { internalError, invalidParams, RpcError, toJson } from './json-rpc.ts'
import {
  API_VERSION,
  booleanOf,
  commitmentOf,
  type MethodName,
  type Params,
  parseParams,
  toAddress,
  toSignature,
  wrongType,
} from './params.ts'

type Kind = 'account' | 'program' | 'signature' | 'logs' | 'slot' | 'root'

/** One subscription of a connection. */
interface Subscriber {
  notify(result: unknown): void
  end(): void
}
/** Returns a function that stops the notifications. */
type Start = (subscriber: Subscriber) => () => void

const SUBSCRIPTIONS_PER_CONNECTION_MAX = 10_000

/** The subscriptions of all connections. */
export function createSubscriptionHub(chain: Chain) {
  const { subscribe, size, close } = createSubscriptionKinds(chain)
  let lastId = 0

  /** Handles the calls of one connection. `send` must not throw, whatever the state of the socket. */
  function connect(send: (text: string) => void) {
    const open = new Map<number, { kind: Kind; cancel(): void }>()

    function add(kind: Kind, start: Start): number {
      if (open.size >= SUBSCRIPTIONS_PER_CONNECTION_MAX) {
        throw internalError('Internal Error: Subscription refused. Node subscription limit reached')
      }
      const id = ++lastId
      const cancel = start({
        notify(result) {
          if (!open.has(id)) return
          const params = { result, subscription: id }
          send(toJson({ jsonrpc: '2.0', method: `${kind}Notification`, params }))
        },
        end: () => end(id),
      })
      open.set(id, { kind, cancel })
      return id
    }

    function end(id: number): boolean {
      open.get(id)?.cancel()
      return open.delete(id)
    }

    return {
      call(method: string, raw: unknown): { result: unknown } | undefined {
        const match = /^(account|program|signature|logs|slot|root)(Subscribe|Unsubscribe)$/.exec(method)
        if (!match) return undefined
        const kind = match[1] as Kind
        const params = parseParams(method as MethodName, raw)
        if (match[2] === 'Subscribe') return { result: add(kind, subscribe[kind](params)) }
        const id = params.u64(0)
        if (open.get(id)?.kind !== kind) throw invalidParams('Invalid subscription id.')
        return { result: end(id) }
      },
      close() {
        for (const id of [...open.keys()]) end(id)
      },
    }
  }

  return {
    connect,
    /** Number of active listeners. A leak would show here. */
    size,
    close,
  }
}

/** What each kind of subscription listens to and sends. */
function createSubscriptionKinds(chain: Chain) {
  const slotListeners = new Set<(slot: number, parent: number) => void>()
  const rootListeners = new Set<(root: number) => void>()
  let lastNotified = chain.clock.slot()
  const stopSlots = chain.on('slot', slot => {
    for (const listener of slotListeners) listener(slot, lastNotified)
    lastNotified = slot
    for (const listener of rootListeners) listener(chain.clock.finalizedSlot())
  })
  // After the listener above: subscribers get a slot before the commits that became final with it.
  const topics = createCommitTopics(chain)

  const subscribe: Record<Kind, (params: Params) => Start> = {
    account(params) {
      const address = parseSubject('pubkey', () => params.address(0))
      const config = params.config(1)
      const format = accountFormat(config)
      const commitment = commitmentOf(config)
      return ({ notify }) =>
        topics.listen(commitment, `account:${address}`, commit => {
          const account = commit.accounts.get(address) ?? CLOSED_ACCOUNT
          notify(withContext(commit, encodeNotifiedAccount(account, format, chain.account)))
        })
    },

    program(params) {
      const program = parseSubject('pubkey', () => params.address(0))
      const config = params.config(1)
      const format = accountFormat(config)
      const filters = parseFilters(config.filters)
      const commitment = commitmentOf(config)
      return ({ notify }) =>
        topics.listen(commitment, `program:${program}`, commit => {
          for (const [pubkey, account] of commit.accounts) {
            if (account?.owner !== program || !filters.every(accepts => accepts(account))) continue
            const encoded = encodeNotifiedAccount(account, format, chain.account)
            notify(withContext(commit, { account: encoded, pubkey }))
          }
        })
    },

    signature(params) {
      const signature = parseSubject('signature', () => toSignature(params.string(0)))
      const config = params.config(1)
      const commitment = commitmentOf(config)
      const received = booleanOf(config, 'enableReceivedNotification')
      return ({ notify, end }) => {
        // The result ends the subscription.
        const finish = (at: { slot: number }, err: unknown) => {
          notify(withContext(at, { err }))
          end()
        }
        const known = chain.history.get(signature)
        if (known && known.slot <= chain.slotAt(commitment)) {
          // Sent after the response that contains the subscription's id.
          setImmediate(() => finish({ slot: chain.slotAt(commitment) }, known.err))
          return () => {}
        }
        // Before the listener that ends the subscription: below `finalized`, the same commit triggers both.
        const stopReceived = received
          ? topics.listen('confirmed', `signature:${signature}`, commit =>
              notify(withContext(commit, 'receivedSignature')),
            )
          : () => {}
        const stopFinished = topics.listen(commitment, `signature:${signature}`, commit =>
          finish(commit, commit.transaction?.err ?? null),
        )
        return () => {
          stopReceived()
          stopFinished()
        }
      }
    },

    logs(params) {
      const mentioned = mentionedAddress(params.raw(0))
      const commitment = commitmentOf(params.config(1))
      return ({ notify }) =>
        topics.listen(commitment, 'logs', commit => {
          const tx = commit.transaction
          if (!tx || (mentioned && !tx.keys.includes(mentioned))) return
          notify(withContext(commit, { err: tx.err, logs: tx.logs, signature: tx.signature }))
        })
    },

    slot:
      () =>
      ({ notify }) => {
        // A busy machine skips slots. The parent is the last slot that was notified, because another one would look
        // like a gap to clients.
        const listener = (slot: number, parent: number) =>
          notify({ parent, root: chain.clock.finalizedSlot(), slot })
        slotListeners.add(listener)
        return () => slotListeners.delete(listener)
      },

    root:
      () =>
      ({ notify }) => {
        rootListeners.add(notify)
        return () => rootListeners.delete(notify)
      },
  }

  return {
    subscribe,
    size: () => topics.size() + slotListeners.size + rootListeners.size,
    close() {
      topics.close()
      stopSlots()
    },
  }
}

const withContext = ({ slot }: Pick<Commit, 'slot'>, value: unknown) => ({
  context: { apiVersion: API_VERSION, slot },
  value,
})

/** What subscribers get for a closed account. */
const CLOSED_ACCOUNT = {
  lamports: 0n,
  owner: '11111111111111111111111111111111' as Address,
  data: new Uint8Array(),
  executable: false,
}

/** Over WebSocket, a node has its own message for a text that is not a valid address or signature. */
function parseSubject<T>(kind: string, parse: () => T): T {
  try {
    return parse()
  } catch (error) {
    if (error instanceof RpcError && error.message.startsWith('Invalid param:'))
      throw invalidParams(`Invalid Request: Invalid ${kind} provided`)
    throw error
  }
}

/** The address that a logs subscription filters by; undefined means all transactions. */
function mentionedAddress(filter: unknown): Address | undefined {
  if (filter === 'all' || filter === 'allWithVotes') return undefined
  if (typeof filter !== 'object' || filter === null || !('mentions' in filter))
    throw wrongType(filter, 'string or map')
  const { mentions } = filter
  if (!Array.isArray(mentions) || mentions.length !== 1) {
    throw invalidParams('Invalid Request: Only 1 address supported')
  }
  return parseSubject('mentions', () => toAddress(mentions[0]))
}

type CommitTopic = `account:${string}` | `program:${string}` | `signature:${string}` | 'logs'
type Deliver = (commit: Commit) => void

interface CommitTopics {
  /** Delivers the topic's commits at this commitment. Returns a function that stops it. */
  listen(commitment: Commitment, topic: CommitTopic, deliver: Deliver): () => void
  /** Number of active listeners. */
  size(): number
  close(): void
}

/**
 * Delivers commits to listeners. They are looked up by account, owner or signature, never by scanning all of them. A
 * commit is delivered at once at `processed` and `confirmed`, and at `finalized` when it is final.
 */
export function createCommitTopics(chain: Chain): CommitTopics {
  const listeners = new Map<string, Set<Deliver>>()

  function publish(key: string, commit: Commit) {
    const set = listeners.get(key)
    if (set) for (const deliver of [...set]) deliver(commit)
  }

  function publishAll(commit: Commit, level: 'now' | 'final') {
    for (const address of commit.accounts.keys()) publish(`${level}:account:${address}`, commit)
    const owners = new Set([...commit.accounts.values()].flatMap(account => account?.owner ?? []))
    for (const owner of owners) publish(`${level}:program:${owner}`, commit)
    if (!commit.transaction) return
    publish(`${level}:signature:${commit.transaction.signature}`, commit)
    publish(`${level}:logs`, commit)
  }

  const stopCommits = chain.on('commit', commit => publishAll(commit, 'now'))
  const stopSlots = chain.on('slot', (_, finalized) => {
    for (const commit of finalized) publishAll(commit, 'final')
  })

  return {
    listen(commitment, topic, deliver) {
      const key = `${commitment === 'finalized' ? 'final' : 'now'}:${topic}`
      const set = listeners.get(key) ?? new Set()
      listeners.set(key, set)
      set.add(deliver)
      return () => {
        set.delete(deliver)
        if (set.size === 0) listeners.delete(key)
      }
    },
    size: () => [...listeners.values()].reduce((sum, set) => sum + set.size, 0),
    close() {
      stopCommits()
      stopSlots()
    },
  }
}
