import { setTimeout as sleep } from 'node:timers/promises'
import { openSession, type Session } from './session.ts'

/** The types of `pg` leave these two out. */
type Reffed = Session & { ref(): void; unref(): void }

export interface KeptLock {
  /** Takes it no more, and hands over the session that still has it, if there is one. */
  settle(): Session | undefined
}

/** Keeps a lock for as long as we live, taking it again whenever its session is lost with the server. */
export function keepLock(
  first: Session,
  { socketFolder, take }: { socketFolder: string; take: (session: Session) => Promise<boolean> },
): KeptLock {
  let session: Reffed | undefined
  let settled = false
  hold(first)
  return {
    settle() {
      settled = true
      session?.ref()
      return session
    },
  }

  function hold(taken: Session) {
    session = taken as Reffed
    // The lock must not keep a command alive that has nothing else to do.
    session.unref()
    taken.once('end', () => {
      session = undefined
      retake()
    })
  }

  async function retake() {
    while (!settled) {
      const next = await openSession(socketFolder).catch(() => undefined)
      const taken = next && (await take(next).catch(() => false))
      if (taken && !settled) return hold(next)
      await next?.end().catch(() => {})
      await sleep(50, undefined, { ref: false })
    }
  }
}
