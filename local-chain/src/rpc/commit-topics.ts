import type { Commitment } from '../ledger/account.ts'
import type { Chain, Commit } from '../ledger/create-chain.ts'

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
