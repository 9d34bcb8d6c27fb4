import { Worker } from 'node:worker_threads'

/** The thread of the embedded chains. */
export interface ChainsThread {
  thread: Worker
  /** Rejects when the thread ends, whatever the reason. */
  ended: Promise<never>
}

/** Starts the thread. It loads its modules, beside those that this one has to load, and then waits for its settings. */
export function loadChains(): ChainsThread {
  // The build puts the thread's script next to all others.
  const thread = new Worker(new URL('./chains-thread.js', import.meta.url))
  // A start that fails before must not wait for it.
  thread.unref()
  const ended = new Promise<never>((_, reject) => {
    thread.on('error', reject)
    thread.on('exit', () => reject(new Error('the thread of the embedded chains has ended')))
  })
  // Whoever waits for the chains reports it.
  ended.catch(() => {})
  return { thread, ended }
}
