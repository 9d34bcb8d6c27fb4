import { ServiceError } from '@slipway/schema/errors'
import { createSemaphore } from '../lib/semaphore.ts'
import { CONNECTIONS } from './database.ts'

/** Runs a query once few enough others are running. Throws `TOO_MANY_REQUESTS` if too many wait, or it waits too long. */
export type RunHeavy = <T>(work: () => Promise<T>) => Promise<T>

const WAITING_MAX = 32
const WAIT_MS_MAX = 2_000

/** Searches and deep pages leave most of a pool's connections to other requests. */
export function createHeavyQueries(connections = CONNECTIONS): RunHeavy {
  const permits = Math.max(1, Math.round(connections / 3))
  const turns = createSemaphore({ permits, waitingMax: WAITING_MAX })
  return async work => {
    if ((await turns.acquire(AbortSignal.timeout(WAIT_MS_MAX))) !== 'acquired')
      throw new ServiceError('TOO_MANY_REQUESTS')
    return work().finally(turns.release)
  }
}
