import { setTimeout as sleep } from 'node:timers/promises'
import type { Server } from './server-process.ts'
import type { Setup } from './setup.ts'
import { startServer } from './start-server.ts'
import type { Log } from './types.ts'

const pauseMsMax = 5_000
const steadyMs = 10_000

export interface Supervised {
  stop(): Promise<void>
  /** Stops watching and lets the server run on. */
  leave(): void
}

/** Starts the server again whenever it ends without our doing, in the same place, so that pools find it by themselves. */
export function supervise(first: Server, setup: Setup, log: Log): Supervised {
  let current = first
  let ending = false
  const ended = new AbortController()
  const watching = watch()
  return {
    async stop() {
      ending = true
      ended.abort()
      await current.stop()
      // A restart that was under way ends what it has started.
      await watching
    },
    leave() {
      ending = true
      ended.abort()
      current.leave()
    },
  }

  async function watch() {
    let pauseMs = 100
    for (;;) {
      const since = Date.now()
      const how = await current.exited
      if (ending) return
      pauseMs = Date.now() - since > steadyMs ? 100 : Math.min(pauseMs * 2, pauseMsMax)
      log.error({ how, dataDir: setup.place.named }, 'PostgreSQL ended unexpectedly and is started again')
      await restart()
    }

    async function restart() {
      while (!ending) {
        try {
          const started = await startServer(setup, server => {
            current = server
            if (ending) server.stop()
          })
          await started?.session.end().catch(() => {})
          if (started) return
        } catch (error) {
          if (!ending) log.error({ err: error }, 'PostgreSQL could not be started again, trying on')
        }
        await sleep(pauseMs, undefined, { signal: ended.signal, ref: false }).catch(() => {})
        pauseMs = Math.min(pauseMs * 2, pauseMsMax)
      }
    }
  }
}
