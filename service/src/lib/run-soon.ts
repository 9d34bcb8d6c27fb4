/** Returns a function that runs `run` after `delayMs`. Further calls before then have no effect. */
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
