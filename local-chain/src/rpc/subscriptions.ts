import type { Address } from '@solana/kit'
import type { ChainAccount, Commitment } from '../ledger/account.ts'
import type { Chain, Commit } from '../ledger/create-chain.ts'
import { type AccountFormat, accountFormat, encodeNotifiedAccount } from './encode-account.ts'
import { internalError, invalidParams } from './errors.ts'
import { parseFilters } from './filters.ts'
import { toJson } from './json.ts'
import { API_VERSION, booleanOf, commitmentOf, type Params, readParams, toSignature } from './params.ts'
import { mentionedAddress, named } from './subscription-params.ts'

type Deliver = (commit: Commit) => void
type Subscription = { readonly kind: Kind; readonly cancel: () => void }
type Kind = 'account' | 'program' | 'signature' | 'logs' | 'slot' | 'root'

export const SUBSCRIPTIONS_PER_CONNECTION_MAX = 10_000

/**
 * Who listens to what, over all connections. Deliveries are found by account, owner or signature, never by going
 * through all subscriptions; a commit is delivered at once at `processed` and `confirmed`, and again when it is final.
 */
export function createSubscriptionHub(chain: Chain) {
  const topics = new Map<string, Set<Deliver>>()
  const slotListeners = new Set<(slot: number, parent: number) => void>()
  const rootListeners = new Set<(root: number) => void>()
  let lastId = 0

  const join = (topic: string, deliver: Deliver) => {
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
  let newest = chain.clock.slot()
  const stopSlots = chain.on('slot', (slot, finalized) => {
    for (const listener of slotListeners) listener(slot, newest)
    newest = slot
    for (const listener of rootListeners) listener(chain.clock.finalizedSlot())
    for (const commit of finalized) publishAll(commit, true)
  })

  const describe = (account: ChainAccount, format: AccountFormat) =>
    encodeNotifiedAccount(account, format, chain.account)

  const levelOf = (commitment: Commitment) => (commitment === 'finalized' ? 'final' : 'now')

  return {
    /** The calls of one connection. `send` must not throw, whatever state the socket is in. */
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
          const address = named('pubkey', () => params.address(0))
          const config = params.config(1)
          const format = accountFormat(config)
          const topic = `${levelOf(commitmentOf(config))}:account:${address}`
          return add('account', id =>
            join(topic, commit => {
              const account = commit.accounts.get(address) ?? GONE
              notify('account', id, {
                context: context(commit),
                value: describe(account, format),
              })
            }),
          )
        },

        program(params) {
          const program = named('pubkey', () => params.address(0))
          const config = params.config(1)
          const format = accountFormat(config)
          const filters = parseFilters(config.filters)
          const topic = `${levelOf(commitmentOf(config))}:program:${program}`
          return add('program', id =>
            join(topic, commit => {
              for (const [pubkey, account] of commit.accounts) {
                if (account?.owner !== program || !filters.every(accepts => accepts(account))) continue
                const value = { account: describe(account, format), pubkey }
                notify('program', id, { context: context(commit), value })
              }
            }),
          )
        },

        signature(params) {
          const signature = named('signature', () => toSignature(params.string(0)))
          const config = params.config(1)
          const commitment = commitmentOf(config)
          const received = booleanOf(config, 'enableReceivedNotification')
          return add('signature', id => {
            const tell = (slot: number, value: unknown) =>
              notify('signature', id, { context: { apiVersion: API_VERSION, slot }, value })
            // It fires once, and the subscription is over.
            const settle = (slot: number, err: unknown) => {
              tell(slot, { err })
              end(id)
            }
            const known = chain.history.get(signature)
            if (known && known.slot <= chain.slotAt(commitment)) {
              // After the answer that tells the caller the subscription's number.
              setImmediate(() => settle(chain.slotAt(commitment), known.err))
              return () => {}
            }
            const leave: (() => void)[] = []
            // In front of what ends the subscription: at the lower commitments both happen at once.
            if (received) {
              leave.push(join(`now:signature:${signature}`, commit => tell(commit.slot, 'receivedSignature')))
            }
            leave.push(
              join(`${levelOf(commitment)}:signature:${signature}`, commit =>
                settle(commit.slot, commit.transaction?.err ?? null),
              ),
            )
            return () => {
              for (const stop of leave) stop()
            }
          })
        },

        logs(params) {
          const filter = params.raw(0)
          const mentioned = mentionedAddress(filter)
          const topic = `${levelOf(commitmentOf(params.config(1)))}:logs`
          return add('logs', id =>
            join(topic, commit => {
              const tx = commit.transaction
              if (!tx || (mentioned && !tx.keys.includes(mentioned))) return
              const value = { err: tx.err, logs: tx.logs, signature: tx.signature }
              notify('logs', id, { context: context(commit), value })
            }),
          )
        },

        slot: () =>
          add('slot', id => {
            // A busy machine passes slots by. Whoever follows the chain takes a parent that was never told for a gap.
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
          const params = readParams(method, raw)
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

    /** How many topics and listeners are alive: what a leak would show in. */
    size: () =>
      [...topics.values()].reduce((sum, set) => sum + set.size, 0) + slotListeners.size + rootListeners.size,
    close() {
      stopCommits()
      stopSlots()
    },
  }
}

/** What subscribers are told of an account that was closed. */
const GONE = {
  lamports: 0n,
  owner: '11111111111111111111111111111111' as Address,
  data: new Uint8Array(),
  executable: false,
}
