/** Returns a function that makes `run` happen `delayMs` later. Calls until then change nothing. */
export function createRunSoon(delayMs: number, run: () => void): () => void {
  let isPlanned = false
  return () => {
    if (isPlanned) return
    isPlanned = true
    setTimeout(() => {
      isPlanned = false
      run()
    }, delayMs).unref()
  }
}
