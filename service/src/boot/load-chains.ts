import { Worker } from 'node:worker_threads'

/**
 * Starts the thread of the embedded chains. It loads its modules, beside those that this one has to load, and then waits
 * for its settings.
 */
export function loadChains(): Worker {
  // The build puts the thread's script next to all others.
  const thread = new Worker(new URL('./chains-thread.js', import.meta.url))
  // A start that fails before must not wait for it.
  thread.unref()
  return thread
}
