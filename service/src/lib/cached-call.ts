/**
 * Shares one run of the work with every caller that arrives while it runs, or within `keptMs` after it. Errors are
 * not kept.
 */
export function createCachedCall<T>(work: () => Promise<T>, keptMs: number): () => Promise<T> {
  let last: Promise<T> | undefined
  let endsMs = 0
  return () => {
    if (last && performance.now() < endsMs) return last
    const run = work()
    last = run
    endsMs = Number.POSITIVE_INFINITY
    run.then(
      () => {
        endsMs = performance.now() + keptMs
      },
      () => {
        last = undefined
      },
    )
    return run
  }
}
