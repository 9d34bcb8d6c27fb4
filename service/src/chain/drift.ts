import { SLOT_MS_MAX, SLOT_MS_MIN } from './rpc/slot-time.ts'

/** What the tests run on: the embedded chain reports the same. */
export const TESTED = { version: '3.0.10', featureSet: 3_640_012_085, at: '2026-11-19' }

/** What a cluster does that this version was never run with, and what is affected; undefined if nothing is. */
export function describeSlotTime(slotMs: number | undefined): string | undefined {
  if (slotMs === undefined || (slotMs >= SLOT_MS_MIN && slotMs <= SLOT_MS_MAX)) return undefined
  return `slots take ${Math.round(slotMs)} ms, which is not between ${SLOT_MS_MIN} and ${SLOT_MS_MAX} ms: true responses may be refused after a stop`
}

/** A feature set is a hash. Only the version of the node's software says which one is newer. */
export function describeVersion(version: string, featureSet: unknown): string | undefined {
  if (featureSet === TESTED.featureSet || !isNewer(version, TESTED.version)) return undefined
  return `runs version ${version} (feature set ${featureSet}), newer than ${TESTED.version}, with which this service was tested on ${TESTED.at}: transactions and programs may behave differently`
}

function isNewer(version: string, tested: string): boolean {
  const [a, b] = [version, tested].map(text => text.split('.').map(part => Number.parseInt(part, 10)))
  const at = a?.findIndex((part, index) => part !== b?.[index]) ?? -1
  return at !== -1 && (a?.[at] ?? 0) > (b?.[at] ?? 0)
}
