import { type Codec, decodeWhole } from '@slipway/launch-model/bytes/codec'
import { GENESIS_KEY, genesisAccountLayout } from '@slipway/launch-model/genesis-account'
import { TRANSACTION_VERSIONS } from '@slipway/launch-model/history/transaction'
import { BUCKET_KINDS, DEPOSIT_KINDS } from '@slipway/launch-model/kinds/kinds'
import { GENESIS_PROGRAM } from '@slipway/launch-model/programs'
import type { Address } from '@slipway/schema/address'
import type { ChainAccount } from './account-reader.ts'
import { SLOT_MS_MAX, SLOT_MS_MIN } from './rpc/slot-time.ts'

/** What the tests run on: the embedded chain reports the same. */
export const TESTED = { version: '3.0.10', featureSet: 3_640_012_085, at: '2026-11-19' }

/** What a network does that this version was never run with. Each kind is noted once, until the process ends. */
export interface Drift {
  /** A transaction is newer than every version that is read. */
  noteTransaction(): void
  noteAccounts(found: { accounts: readonly ChainAccount[]; software?: string | undefined }): void
  /** A launch has parts that could not be read. */
  noteUnread(genesis: Address, count: number): void
  /** What was noted, what is affected, and since when. It may be public, so it names no hosts. */
  list(): string[]
}

type DriftKind = 'transaction version' | 'kind of bucket' | 'account size' | 'software'

/** `onFirst` is called once for each kind. */
export function createDrift(onFirst: (kind: DriftKind, sentence: string) => void): Drift {
  const noted = new Map<DriftKind, string>()
  /** The software and the sizes of accounts that have been looked at: every read passes here. */
  const checked = new Set<string | number>()

  function note(kind: DriftKind, sentence: string | undefined) {
    if (sentence === undefined || noted.has(kind)) return
    noted.set(kind, `${sentence} (first seen ${new Date().toISOString()})`)
    onFirst(kind, sentence)
  }

  function isNew(key: string | number): boolean {
    if (checked.has(key)) return false
    if (checked.size < CHECKED_MAX) checked.add(key)
    return true
  }

  return {
    noteTransaction: () => note('transaction version', NEWER_TRANSACTION),
    noteAccounts({ accounts, software }) {
      if (software !== undefined && isNew(software)) {
        const newer = describeVersion(software)
        note('software', newer && `an endpoint ${newer}`)
      }
      for (const account of accounts) {
        if (!account.exists || account.owner !== GENESIS_PROGRAM) continue
        const { data } = account
        if (isNew(data.length * 256 + (data[0] ?? 0)))
          note('account size', describeSize(account.address, data))
      }
    },
    noteUnread: (genesis, count) =>
      note(
        'kind of bucket',
        `launch ${genesis} has ${count} ${count === 1 ? 'part' : 'parts'} of a kind that this version can't read, or that an endpoint lacks: positions and holders say how many are missing`,
      ),
    list: () => [...noted.values()],
  }
}

const CHECKED_MAX = 10_000

const NEWER_TRANSACTION = `there are transactions of a version above ${TRANSACTION_VERSIONS[0]}, which this service can't read: trades in them are missing, and their launches are shown as incomplete`

/** By the first byte. Strangers can't make an account that begins with one of these: new accounts are all zeros. */
const LAYOUTS = new Map<number | undefined, { name: string; layout: Codec<unknown> }>([
  [GENESIS_KEY, { name: 'launch', layout: genesisAccountLayout }],
  ...BUCKET_KINDS.map(({ key, name, layout }) => [key, { name, layout }] as const),
  ...DEPOSIT_KINDS.map(
    ({ name, deposits: { key, layout } }) => [key, { name: `${name} deposit`, layout }] as const,
  ),
])

function describeSize(address: Address, data: Uint8Array): string | undefined {
  const kind = LAYOUTS.get(data[0])
  if (!kind) return undefined
  try {
    decodeWhole(kind.layout, data)
    return undefined
  } catch {
    return `account ${address} (${kind.name}) has ${data.length} bytes, which is not the layout that this version knows: launches with such accounts may be wrong or missing`
  }
}

/** What a cluster does that this version was never run with, and what is affected; undefined if nothing is. */
export function describeSlotTime(slotMs: number | undefined): string | undefined {
  if (slotMs === undefined || (slotMs >= SLOT_MS_MIN && slotMs <= SLOT_MS_MAX)) return undefined
  return `slots take ${Math.round(slotMs)} ms, which is not between ${SLOT_MS_MIN} and ${SLOT_MS_MAX} ms: true responses may be refused after a stop`
}

/** A feature set is a hash. Only the version of the node's software says which one is newer. */
export function describeVersion(version: string, featureSet?: unknown): string | undefined {
  if (featureSet === TESTED.featureSet || !isNewer(version, TESTED.version)) return undefined
  const features = featureSet === undefined ? '' : ` (feature set ${featureSet})`
  return `runs version ${version}${features}, newer than ${TESTED.version}, with which this service was tested on ${TESTED.at}: transactions and programs may behave differently`
}

function isNewer(version: string, tested: string): boolean {
  const [a, b] = [version, tested].map(text => text.split('.').map(part => Number.parseInt(part, 10)))
  const at = a?.findIndex((part, index) => part !== b?.[index]) ?? -1
  return at !== -1 && (a?.[at] ?? 0) > (b?.[at] ?? 0)
}
