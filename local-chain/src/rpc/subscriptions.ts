import type { Address } from '@solana/kit'
import type { ChainAccount, Commitment } from '../ledger/account.ts'
import type { Chain, Commit } from '../ledger/create-chain.ts'
import { type AccountFormat, accountFormat, encodeNotifiedAccount } from './encode-account.ts'
import { internalError, invalidParams } from './errors.ts'
import { parseFilters } from './filters.ts'
import { toJson } from './json.ts'
import { API_VERSION, booleanOf, commitmentOf, type Params, parseParams, toSignature } from './params.ts'
import { mentionedAddress, parseSubject } from './subscription-params.ts'

type Deliver = (commit: Commit) => void
type Subscription = { readonly kind: Kind; readonly cancel: () => void }
type Kind = 'account' | 'program' | 'signature' | 'logs' | 'slot' | 'root'

const SUBSCRIPTIONS_PER_CONNECTION_MAX = 10_000

/**
 * The subscriptions of all connections. Subscribers are looked up by account, owner or signature, never by scanning all
 * subscriptions. A commit is delivered at once at `processed` and `confirmed`, and at `finalized` when it is final.
 */
export function createSubscriptionHub(chain: Chain) {
  const topics = new Map<string, Set<Deliver>>()
  const slotListeners = new Set<(slot: number, parent: number) => void>()
  const rootListeners = new Set<(root: number) => void>()
  let lastId = 0

  const listen = (topic: string, deliver: Deliver) => {
    const set = topics.get(topic) ?? new Set()
    topics.set(topic, set)
    set.add(deliver)
    return () => {
      set.delete(deliver)
      if (set.size === 0) topics.delete(topic)
    }
  }
  const publish = (topic: string, commit: Commit) => {
    const set = topics.get(topic)
    if (set) for (const deliver of [...set]) deliver(commit)
  }
  const publishAll = (commit: Commit, final: boolean) => {
    const level = final ? 'final' : 'now'
    for (const address of commit.accounts.keys()) publish(`${level}:account:${address}`, commit)
    const owners = new Set([...commit.accounts.values()].flatMap(account => account?.owner ?? []))
    for (const owner of owners) publish(`${level}:program:${owner}`, commit)
    if (!commit.transaction) return
    publish(`${level}:signature:${commit.transaction.signature}`, commit)
    publish(`${level}:logs`, commit)
  }
  const stopCommits = chain.on('commit', commit => publishAll(commit, false))
  let lastNotified = chain.clock.slot()
  const stopSlots = chain.on('slot', (slot, finalized) => {
    for (const listener of slotListeners) listener(slot, lastNotified)
    lastNotified = slot
    for (const listener of rootListeners) listener(chain.clock.finalizedSlot())
    for (const commit of finalized) publishAll(commit, true)
  })

  const encode = (account: ChainAccount, format: AccountFormat) =>
    encodeNotifiedAccount(account, format, chain.account)

  const levelOf = (commitment: Commitment) => (commitment === 'finalized' ? 'final' : 'now')

  return {
    /** Handles the calls of one connection. `send` must not throw, whatever the state of the socket. */
    connect(send: (text: string) => void) {
      const open = new Map<number, Subscription>()

      const notify = (kind: Kind, id: number, result: unknown) => {
        if (open.has(id)) {
          send(
            toJson({ jsonrpc: '2.0', method: `${kind}Notification`, params: { result, subscription: id } }),
          )
        }
      }
      const context = (commit: Commit) => ({ apiVersion: API_VERSION, slot: commit.slot })
      const add = (kind: Kind, start: (id: number) => () => void): number => {
        if (open.size >= SUBSCRIPTIONS_PER_CONNECTION_MAX) {
          throw internalError('Internal Error: Subscription refused. Node subscription limit reached')
        }
        const id = ++lastId
        open.set(id, { kind, cancel: start(id) })
        return id
      }
      const end = (id: number) => {
        open.get(id)?.cancel()
        return open.delete(id)
      }

      const subscribe: Record<Kind, (params: Params) => number> = {
        account(params) {
          const address = parseSubject('pubkey', () => params.address(0))
          const config = params.config(1)
          const format = accountFormat(config)
          const topic = `${levelOf(commitmentOf(config))}:account:${address}`
          return add('account', id =>
            listen(topic, commit => {
              const account = commit.accounts.get(address) ?? CLOSED_ACCOUNT
              notify('account', id, {
                context: context(commit),
                value: encode(account, format),
              })
            }),
          )
        },

        program(params) {
          const program = parseSubject('pubkey', () => params.address(0))
          const config = params.config(1)
          const format = accountFormat(config)
          const filters = parseFilters(config.filters)
          const topic = `${levelOf(commitmentOf(config))}:program:${program}`
          return add('program', id =>
            listen(topic, commit => {
              for (const [pubkey, account] of commit.accounts) {
                if (account?.owner !== program || !filters.every(accepts => accepts(account))) continue
                const value = { account: encode(account, format), pubkey }
                notify('program', id, { context: context(commit), value })
              }
            }),
          )
        },

        signature(params) {
          const signature = parseSubject('signature', () => toSignature(params.string(0)))
          const config = params.config(1)
          const commitment = commitmentOf(config)
          const received = booleanOf(config, 'enableReceivedNotification')
          return add('signature', id => {
            const notifyValue = (slot: number, value: unknown) =>
              notify('signature', id, { context: { apiVersion: API_VERSION, slot }, value })
            // The result ends the subscription.
            const finish = (slot: number, err: unknown) => {
              notifyValue(slot, { err })
              end(id)
            }
            const known = chain.history.get(signature)
            if (known && known.slot <= chain.slotAt(commitment)) {
              // Sent after the response that contains the subscription's id.
              setImmediate(() => finish(chain.slotAt(commitment), known.err))
              return () => {}
            }
            const stops: (() => void)[] = []
            // Before the listener that ends the subscription: below `finalized`, the same commit triggers both.
            if (received) {
              stops.push(
                listen(`now:signature:${signature}`, commit => notifyValue(commit.slot, 'receivedSignature')),
              )
            }
            stops.push(
              listen(`${levelOf(commitment)}:signature:${signature}`, commit =>
                finish(commit.slot, commit.transaction?.err ?? null),
              ),
            )
            return () => {
              for (const stop of stops) stop()
            }
          })
        },

        logs(params) {
          const filter = params.raw(0)
          const mentioned = mentionedAddress(filter)
          const topic = `${levelOf(commitmentOf(params.config(1)))}:logs`
          return add('logs', id =>
            listen(topic, commit => {
              const tx = commit.transaction
              if (!tx || (mentioned && !tx.keys.includes(mentioned))) return
              const value = { err: tx.err, logs: tx.logs, signature: tx.signature }
              notify('logs', id, { context: context(commit), value })
            }),
          )
        },

        slot: () =>
          add('slot', id => {
            // A busy machine skips slots. The parent is the last slot that was notified, because another one would look like
            // a gap to clients.
            const listener = (slot: number, parent: number) =>
              notify('slot', id, { parent, root: chain.clock.finalizedSlot(), slot })
            slotListeners.add(listener)
            return () => slotListeners.delete(listener)
          }),

        root: () =>
          add('root', id => {
            const listener = (root: number) => notify('root', id, root)
            rootListeners.add(listener)
            return () => rootListeners.delete(listener)
          }),
      }

      return {
        call(method: string, raw: unknown): { result: unknown } | undefined {
          const match = /^(account|program|signature|logs|slot|root)(Subscribe|Unsubscribe)$/.exec(method)
          if (!match) return undefined
          const kind = match[1] as Kind
          const params = parseParams(method, raw)
          if (match[2] === 'Subscribe') return { result: subscribe[kind](params) }
          const id = params.u64(0)
          if (open.get(id)?.kind !== kind) throw invalidParams('Invalid subscription id.')
          return { result: end(id) }
        },
        close() {
          for (const id of [...open.keys()]) end(id)
        },
      }
    },

    /** Number of active listeners. A leak would show here. */
    size: () =>
      [...topics.values()].reduce((sum, set) => sum + set.size, 0) + slotListeners.size + rootListeners.size,
    close() {
      stopCommits()
      stopSlots()
    },
  }
}

/** What subscribers get for a closed account. */
const CLOSED_ACCOUNT = {
  lamports: 0n,
  owner: '11111111111111111111111111111111' as Address,
  data: new Uint8Array(),
  executable: false,
}
