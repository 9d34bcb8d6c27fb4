/** Which cluster stands behind a network's name. Every endpoint of the network must belong to it. */
export interface ClusterIdentity {
  /**
   * The genesis hash that endpoints must have. The first hash ever seen for a network is remembered for good.
   * Rejects when the store can't be reached and nothing is known yet.
   */
  expectedHash(seen: string): Promise<string>
}

/** How long a node trusts what it last read from the store. */
const REMEMBER_MS = 5_000

/** Remembers the identity in the store, so that all nodes and all restarts agree on it. */
export function createClusterIdentity({
  findOrRemember,
  now = () => performance.now(),
}: {
  /** Returns what the store remembers, which is `seen` if it remembered nothing. */
  findOrRemember(seen: string): Promise<string>
  now?(): number
}): ClusterIdentity {
  let known: { hash: string; readAtMs: number } | undefined
  return {
    async expectedHash(seen) {
      if (known && now() - known.readAtMs < REMEMBER_MS) return known.hash
      const readAtMs = now()
      try {
        known = { hash: await findOrRemember(seen), readAtMs }
      } catch (error) {
        // The identity changes only by an operator's command: an old copy is as good as a new one.
        if (!known) throw error
      }
      return known.hash
    },
  }
}
