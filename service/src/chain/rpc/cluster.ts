/** Which cluster a network's name refers to. Every endpoint of the network must belong to it. */
export interface ClusterIdentity {
  /**
   * The genesis hash that endpoints must have; undefined if none is recorded and this endpoint can't be the right one.
   * Rejects if the store can't be reached and nothing is known yet.
   */
  expectedHash(endpoint: CheckedEndpoint): Promise<string | undefined>
}

/** The endpoint that is being checked. */
interface CheckedEndpoint {
  genesisHash: string
  /** How many of these accounts it lacks. */
  countMissing(addresses: readonly string[]): Promise<number>
}

/** How long a node trusts what it last read from the store. */
const CACHE_MS = 5_000

/** Keeps the identity in the store, so that all nodes and all restarts agree on it. */
export function createClusterIdentity({
  find,
  record,
  sample,
  now = () => performance.now(),
}: {
  find(): Promise<string | undefined>
  /** Records a hash if none is recorded. Returns the recorded one. */
  record(hash: string): Promise<string>
  /** Some accounts that the store already holds for the network. */
  sample(): Promise<readonly string[]>
  now?(): number
}): ClusterIdentity {
  let known: { hash: string; readAtMs: number } | undefined

  async function findOrRecord(endpoint: CheckedEndpoint): Promise<string | undefined> {
    const found = await find()
    if (found !== undefined) return found
    // The row is gone, for instance because a backup was restored: what this node knows still holds.
    if (known) return record(known.hash)
    // A store from before hashes were recorded: an endpoint that lacks its accounts must not decide for all nodes.
    const accounts = await sample()
    if (accounts.length > 0 && (await endpoint.countMissing(accounts)) > accounts.length / 2) return undefined
    return record(endpoint.genesisHash)
  }

  return {
    async expectedHash(endpoint) {
      if (known && now() - known.readAtMs < CACHE_MS) return known.hash
      const readAtMs = now()
      try {
        const hash = await findOrRecord(endpoint)
        if (hash === undefined) return undefined
        known = { hash, readAtMs }
      } catch (error) {
        // The identity changes only by an operator's command, so an old copy is still right.
        if (!known) throw error
      }
      return known.hash
    },
  }
}
