import { AttemptFailed } from './fault.ts'
import { RPC_LIMITS } from './limits.ts'
import type { SlotMark } from './slot-mark.ts'

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
    // The row is gone, for instance because a backup was restored. The hash that this node knows is still valid.
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

/** Whether one endpoint still belongs to the network's cluster. All checks reject with `AttemptFailed`. */
export interface ClusterCheck {
  /**
   * Await it before a request. It checks an endpoint that is new or returns from a rest; an old check is refreshed in
   * parallel with the request. Await the returned function before using the answer.
   */
  begin(): Promise<() => Promise<void>>
  /** Checks now, unless a check was sent after this time. */
  passedSince(ms: number): Promise<void>
  /** The endpoint rests: it is checked again before its next use. */
  forget(): void
  foreign(): ForeignCluster | undefined
}

export interface ForeignCluster {
  genesisHash: string
  /** Undefined if no hash is recorded and the endpoint lacks the accounts that the store holds. */
  expected: string | undefined
}

export function createClusterCheck({
  identity,
  mark,
  fetchHash,
  countMissing,
  onForeign,
  onIdentityChanged,
  ageMsMax = RPC_LIMITS.checkMsMax,
}: {
  identity: ClusterIdentity
  mark: SlotMark
  fetchHash(): Promise<string>
  countMissing(addresses: readonly string[]): Promise<number>
  /** The endpoint belongs to another cluster, or to ours again. */
  onForeign(foreign: ForeignCluster | undefined): void
  /** An operator switched the network to another cluster. */
  onIdentityChanged(): void
  /** See `checkMsMax`. */
  ageMsMax?: number
}): ClusterCheck {
  /** When the last check that passed was sent. */
  let passedAtMs = Number.NEGATIVE_INFINITY
  let slotWhenPassed = 0
  let expectedBefore: string | undefined
  let foreign: ForeignCluster | undefined
  let running: Promise<void> | undefined

  async function run(): Promise<void> {
    const sentAtMs = performance.now()
    const genesisHash = await fetchHash()
    const expected = await identity.expectedHash({ genesisHash, countMissing }).catch(error => {
      if (error instanceof AttemptFailed) throw error
      throw new AttemptFailed({ kind: 'unchecked' }, `the store did not answer: ${error.message}`)
    })
    if (expectedBefore !== undefined && expected !== expectedBefore) onIdentityChanged()
    expectedBefore = expected
    if (genesisHash === expected) {
      passedAtMs = sentAtMs
      slotWhenPassed = mark.slot()
      if (foreign) onForeign(undefined)
      foreign = undefined
      return
    }
    passedAtMs = Number.NEGATIVE_INFINITY
    mark.goBackTo(slotWhenPassed)
    const isNew = foreign === undefined
    foreign = { genesisHash, expected }
    if (isNew) onForeign(foreign)
    throw failure(foreign)
  }

  function check(): Promise<void> {
    if (running) return running
    const started = run().finally(() => {
      if (running === started) running = undefined
    })
    running = started
    // A check that runs in the background reports through `onForeign`.
    started.catch(() => {})
    return started
  }

  function assertOurs() {
    if (foreign) throw failure(foreign)
  }

  return {
    async begin() {
      const ageMs = performance.now() - passedAtMs
      const checked = ageMs > ageMsMax / 2 ? check() : undefined
      if (ageMs === Number.POSITIVE_INFINITY) await checked
      return async () => {
        if (ageMs > ageMsMax) await checked
        assertOurs()
      }
    },
    async passedSince(ms) {
      if (passedAtMs >= ms) return
      // A check that is already under way may have been sent too early.
      await running?.catch(() => {})
      if (passedAtMs < ms) await check()
    },
    forget() {
      passedAtMs = Number.NEGATIVE_INFINITY
      // The check that is under way may hang. Calls that wait for it get its result; later ones start a new check.
      running = undefined
    },
    foreign: () => foreign,
  }
}

const failure = (foreign: ForeignCluster) => new AttemptFailed({ kind: 'foreign' }, describeForeign(foreign))

export const describeForeign = ({ genesisHash, expected }: ForeignCluster) =>
  expected === undefined
    ? `serves another cluster (genesis hash ${genesisHash}): it lacks the accounts that the database holds`
    : `serves another cluster (genesis hash ${genesisHash}, expected ${expected})`

/** For tests and measurements on a chain without a store. */
export const UNCHECKED: ClusterCheck = {
  begin: async () => async () => {},
  passedSince: async () => {},
  forget() {},
  foreign: () => undefined,
}
