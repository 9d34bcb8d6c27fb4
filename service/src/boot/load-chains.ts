import { Worker } from 'node:worker_threads'

/** The thread of the embedded chains. */
export interface ChainsThread {
  thread: Worker
  /** Rejects when the thread ends, whatever the reason. */
  ended: Promise<never>
}

/** Starts the thread. It loads its modules while the main thread loads others, and then waits for its settings. */
export function loadChains(): ChainsThread {
  // The build puts the thread's script next to all others.
  const thread = new Worker(new URL('./chains-thread.js', import.meta.url))
  // If start-up fails before the chains are started, the process must be able to exit.
  thread.unref()
  const ended = new Promise<never>((_, reject) => {
    thread.on('error', reject)
    thread.on('exit', () => reject(new Error('the thread of the embedded chains has ended')))
  })
  // A failure is reported where this is awaited. Until then it must not end the process.
  ended.catch(() => {})
  return { thread, ended }
}
