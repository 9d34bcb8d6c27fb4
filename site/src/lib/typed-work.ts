import { useEffect } from 'react'

/** Everything that was typed and not sent yet. `isKept`: it survives a reload. */
const holders = new Set<{ isKept: boolean }>()

/** Whether something would be lost, or its owner disturbed, if the page reloaded by itself now. */
export const hasTypedWork = (): boolean => holders.size > 0

/** From now on: returns a function that tells whether something is typed that was not there before, as in a dialog. */
export function watchTypedWork(): () => boolean {
  const before = new Set(holders)
  return () => [...holders].some(holder => !before.has(holder))
}

/** Notes that something is typed. While it would be lost, the browser asks before it leaves or reloads the page. */
export function useTypedWork(isTyped: boolean, { isKept }: { isKept: boolean }): void {
  useEffect(() => {
    if (!isTyped) return undefined
    const holder = { isKept }
    holders.add(holder)
    if (!isKept) addEventListener('beforeunload', ask)
    return () => {
      holders.delete(holder)
      if (![...holders].some(one => !one.isKept)) removeEventListener('beforeunload', ask)
    }
  }, [isTyped, isKept])
}

const ask = (event: BeforeUnloadEvent) => event.preventDefault()
