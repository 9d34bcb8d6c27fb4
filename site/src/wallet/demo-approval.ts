import { useSyncExternalStore } from 'react'

/** What the demo wallet asks the person about. */
export type ApprovalRequest = { account: string } & ({ transactions: number } | { text: string })

/** An amount that transactions move, in words. */
interface Moved {
  label: string
  amount: string
  note?: string
  /** Whether the note is a warning. */
  isDoubtful?: boolean
}

let moved: readonly Moved[] = []

/**
 * Says what the transactions that are signed next move. Other wallets find that out by themselves, in a window that
 * doesn't cover the page.
 */
export function describeApproval(amounts: readonly Moved[]): void {
  moved = amounts
}

interface Pending {
  request: ApprovalRequest
  moved: readonly Moved[]
  answer(isApproved: boolean): void
}

let pending: readonly Pending[] = []
const listeners = new Set<() => void>()

function change(next: readonly Pending[]) {
  pending = next
  for (const listener of listeners) listener()
}

/** Resolves with the person's answer. */
export function askForApproval(request: ApprovalRequest): Promise<boolean> {
  return new Promise(resolve => {
    const entry: Pending = {
      request,
      moved,
      answer(isApproved) {
        change(pending.filter(one => one !== entry))
        resolve(isApproved)
      },
    }
    change([...pending, entry])
  })
}

/** The request that waits for an answer. */
export function usePendingApproval(): Pending | undefined {
  return useSyncExternalStore(
    listener => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => pending[0],
    () => undefined,
  )
}
