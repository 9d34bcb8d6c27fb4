import type { Worker } from '../boot/worker-pool.ts'
import { resultWithin } from '../lib/deadline.ts'
import { PeerGone } from '../lib/peer.ts'

/** A worker that hangs must not keep others from being asked for their state. */
const ANSWER_MS_MAX = 3_000

/** The answers of all that have not ended or hung meanwhile. */
export async function askWorkers<T>(
  workers: readonly Pick<Worker, 'ask'>[],
  name: string,
  input?: unknown,
): Promise<T[]> {
  const answers = await Promise.all(
    workers.map(worker =>
      resultWithin(ANSWER_MS_MAX, worker.ask<T>(name, input)).catch(error => {
        if (!(error instanceof PeerGone)) throw error
        return undefined
      }),
    ),
  )
  return answers.filter(answer => answer !== undefined)
}
