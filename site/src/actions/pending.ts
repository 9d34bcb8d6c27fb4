import type { Network } from '@slipway/client'
import { createStoredList } from '../lib/stored-list.ts'

/** Signed transactions whose outcome the person does not know yet. The list survives a reload. */
export interface PendingAction {
  /** What is done to what, such as `withdraw:chain-mainnet:<agent>`. There is one at a time. */
  key: string
  title: string
  network: Network
  signatures: string[]
  lastValidBlockHeight: number
  /** Whose holdings the transactions change. */
  wallets?: string[]
  /** What each transaction is about, if the action says so. */
  subjects?: string[]
  /** Where to go on when everything is confirmed. */
  next?: { text: string; href: string }
  /** Where to continue if not everything is confirmed. */
  resume?: { text: string; href: string }
  /** Whether a node has accepted any of them. */
  isSent?: boolean
  /** The draft of a form that is done with when everything is confirmed. */
  draft?: string
  /** Whether its outcome is known, so that it can be done again. */
  isSettled?: boolean
}

function isPending(value: unknown): value is PendingAction {
  const { key, title, network, signatures, lastValidBlockHeight } = (value ?? {}) as Partial<PendingAction>
  return (
    [key, title, network].every(text => typeof text === 'string') &&
    Array.isArray(signatures) &&
    signatures.length > 0 &&
    signatures.every(signature => typeof signature === 'string') &&
    Number.isSafeInteger(lastValidBlockHeight)
  )
}

const stored = createStoredList('pending-actions', isPending)
export const { read: readPending, onChanged: onPendingChanged } = stored

export function savePending(action: PendingAction): void {
  stored.write([...readPending().filter(({ key }) => key !== action.key), action])
}

export function settlePending(action: PendingAction): void {
  stored.write(readPending().map(one => (isSame(one, action) ? { ...one, isSettled: true } : one)))
}

/** Notes that a node has accepted one of its transactions. */
export function notePendingSent(key: string): void {
  stored.write(readPending().map(one => (one.key === key ? { ...one, isSent: true } : one)))
}

/** The same action may be done again, with other transactions. */
export const isSame = (one: PendingAction, other: PendingAction): boolean =>
  one.signatures[0] === other.signatures[0]

export function removePending(key: string): void {
  stored.write(readPending().filter(one => one.key !== key))
}

/**
 * Runs work that only one tab may do at a time. Returns undefined without running it if another tab does it now. The
 * browser releases the lock when a tab is closed.
 */
export async function runAlone<Result>(
  key: string,
  work: () => Promise<Result>,
): Promise<{ result: Result } | undefined> {
  return navigator.locks.request(lockName(key), { ifAvailable: true }, async lock =>
    lock ? { result: await work() } : undefined,
  )
}

const lookedUpHere = new Set<string>()

/** Whether this tab is looking up its outcome. */
export const isLookedUpHere = (key: string): boolean => lookedUpHere.has(key)

/** Runs work as soon as no other tab works on the same. */
export async function runNext<Result>(
  key: string,
  signal: AbortSignal,
  work: () => Promise<Result>,
): Promise<Result> {
  return navigator.locks.request(lockName(key), { signal }, async () => {
    lookedUpHere.add(key)
    try {
      return await work()
    } finally {
      lookedUpHere.delete(key)
    }
  })
}

/** Whether this or another tab works on it now. */
export async function isRunning(key: string): Promise<boolean> {
  const { held = [] } = (await navigator.locks?.query()) ?? {}
  return held.some(({ name }) => name === lockName(key))
}

const lockName = (key: string) => `slipway:${key}`
