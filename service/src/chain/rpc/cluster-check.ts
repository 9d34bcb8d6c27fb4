import type { ClusterIdentity } from './cluster.ts'
import { AttemptFailed } from './fault.ts'
import type { SlotMark } from './slot-mark.ts'

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

/** The oldest check that an answer may rely on. Half of it later, the next request renews the check. */
const CHECK_MS_MAX = 10_000

export function createClusterCheck({
  identity,
  mark,
  fetchHash,
  countMissing,
  onForeign,
  onIdentityChanged,
}: {
  identity: ClusterIdentity
  mark: SlotMark
  fetchHash(): Promise<string>
  countMissing(addresses: readonly string[]): Promise<number>
  /** The endpoint belongs to another cluster, or to ours again. */
  onForeign(foreign: ForeignCluster | undefined): void
  /** An operator switched the network to another cluster. */
  onIdentityChanged(): void
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
    running ??= run().finally(() => {
      running = undefined
    })
    // A check that runs in the background reports through `onForeign`.
    running.catch(() => {})
    return running
  }

  function assertOurs() {
    if (foreign) throw failure(foreign)
  }

  return {
    async begin() {
      const ageMs = performance.now() - passedAtMs
      const checked = ageMs > CHECK_MS_MAX / 2 ? check() : undefined
      if (ageMs === Number.POSITIVE_INFINITY) await checked
      return async () => {
        if (ageMs > CHECK_MS_MAX) await checked
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
