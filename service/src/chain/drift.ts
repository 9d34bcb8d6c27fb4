import { type Codec, decodeWhole } from '@slipway/launch-model/bytes/codec'
import { GENESIS_KEY, genesisAccountLayout } from '@slipway/launch-model/genesis-account'
import { TRANSACTION_VERSIONS } from '@slipway/launch-model/history/transaction'
import { BUCKET_KINDS, DEPOSIT_KINDS } from '@slipway/launch-model/kinds/kinds'
import {
  decodePoolConfig,
  decodePoolData,
  poolConfigLayout,
  poolLayout,
} from '@slipway/launch-model/pool-state'
import {
  GENESIS_PROGRAM,
  IDENTITY_PROGRAM,
  RAYDIUM_PROGRAMS,
  TOKEN_PROGRAM,
} from '@slipway/launch-model/programs'
import type { Address } from '@slipway/schema/address'
import type { ChainAccount } from './account-reader.ts'
import { IDENTITY_BYTES } from './accounts/identity.ts'
import { SLOT_MS_MAX, SLOT_MS_MIN } from './rpc/slot-time.ts'

/** The node software that the embedded chain reports and imitates, so the one that the tests run on. */
export const TESTED = { version: '4.0.0', featureSet: 3_640_012_085, at: '2026-11-19' }

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

type DriftKind = 'transaction version' | 'kind of bucket' | 'account kind' | 'account size' | 'software'

/** `onFirst` is called once for each kind. */
export function createDrift(onFirst: (kind: DriftKind, sentence: string) => void): Drift {
  const noted = new Map<DriftKind, string>()
  /** The software and the sizes of accounts that have been looked at: every read passes here. */
  const checked = new Set<string>()

  function note(kind: DriftKind, sentence: string | undefined) {
    if (sentence === undefined || noted.has(kind)) return
    noted.set(kind, `${sentence} (first seen ${new Date().toISOString()})`)
    onFirst(kind, sentence)
  }

  function isNew(key: string): boolean {
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
        const describe = account.exists && PROGRAMS.get(account.owner)
        if (describe && isNew(`${account.owner} ${account.data.length} ${account.data[0]}`))
          note(...describe(account))
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

type FoundAccount = Extract<ChainAccount, { exists: true }>
type Found = [kind: DriftKind, sentence: string | undefined]

/** The programs whose accounts are read. */
const PROGRAMS = new Map<Address, (account: FoundAccount) => Found>([
  [GENESIS_PROGRAM, describeOfGenesis],
  [IDENTITY_PROGRAM, describeOfIdentity],
  [TOKEN_PROGRAM, describeOfToken],
  ...Object.values(RAYDIUM_PROGRAMS).map(program => [program, describeOfPool] as const),
])

/** By the first byte. Strangers can't make an account that begins with one of these: new accounts are all zeros. */
const LAYOUTS = new Map<number | undefined, { name: string; layout: Codec<unknown> }>([
  [GENESIS_KEY, { name: 'launch', layout: genesisAccountLayout }],
  ...BUCKET_KINDS.map(({ key, name, layout }) => [key, { name, layout }] as const),
  ...DEPOSIT_KINDS.map(
    ({ name, deposits: { key, layout } }) => [key, { name: `${name} deposit`, layout }] as const,
  ),
])
/** The highest account key of the launches' program that the official client knows. This service reads only some of them. */
export const GENESIS_KEYS_MAX = 28

function describeOfGenesis({ address, data }: FoundAccount): Found {
  const kind = LAYOUTS.get(data[0])
  if (!kind)
    return [
      'account kind',
      (data[0] ?? 0) > GENESIS_KEYS_MAX
        ? `account ${address} of the launches' program is of kind ${data[0]}, which this version doesn't know: what it holds is not shown`
        : undefined,
    ]
  const fits = isOfLayout(kind.layout, data)
  return ['account size', fits ? undefined : describeSize(address, kind.name, data, 'launches')]
}

function describeOfIdentity({ address, data }: FoundAccount): Found {
  const [version = 0] = data
  const bytes = IDENTITY_BYTES.get(version)
  if (bytes === undefined)
    return [
      'account kind',
      version > 0
        ? `account ${address} is an identity of version ${version}, which this version doesn't know: agents with such identities are not shown`
        : undefined,
    ]
  return [
    'account size',
    data.length === bytes ? undefined : describeSize(address, 'identity', data, 'agents'),
  ]
}

/** Mints, token accounts, and accounts with several owners. Those of Token-2022 have extensions, so any size. */
const TOKEN_BYTES = new Set([82, 165, 355])

function describeOfToken({ address, data }: FoundAccount): Found {
  const isKnown = TOKEN_BYTES.has(data.length) || data.every(byte => byte === 0)
  return ['account size', isKnown ? undefined : describeSize(address, 'token program', data, 'balances')]
}

function describeOfPool({ address, data }: FoundAccount): Found {
  const [pool, config] = [decodePoolData(data), decodePoolConfig(data)]
  const changed =
    (data.length > 0 && pool !== 'other-kind' && data.length !== poolLayout.size) ||
    (typeof config === 'object' && data.length !== poolConfigLayout.size)
  return ['account size', changed ? describeSize(address, 'pool', data, 'trades in pools') : undefined]
}

function isOfLayout(layout: Codec<unknown>, data: Uint8Array): boolean {
  try {
    decodeWhole(layout, data)
    return true
  } catch {
    return false
  }
}

const describeSize = (address: Address, name: string, data: Uint8Array, affected: string) =>
  `account ${address} (${name}) has ${data.length} bytes, which is not the layout that this version knows: ${affected} with such accounts may be wrong or missing`

/** What a cluster does that this version was never run with, and what is affected; undefined if nothing is. */
export function describeSlotTime(slotMs: number | undefined): string | undefined {
  if (slotMs === undefined || (slotMs >= SLOT_MS_MIN && slotMs <= SLOT_MS_MAX)) return undefined
  return `slots take ${Math.round(slotMs)} ms, which is not between ${SLOT_MS_MIN} and ${SLOT_MS_MAX} ms: true responses may be refused after a stop`
}

/**
 * A feature set is a hash, so only the version of the node's software says which one is newer. A patch release changes
 * no rules.
 */
export function describeVersion(version: string, featureSet?: unknown): string | undefined {
  if (featureSet === TESTED.featureSet || !isNewer(version, TESTED.version)) return undefined
  const features = featureSet === undefined ? '' : ` (feature set ${featureSet})`
  return `runs version ${version}${features}, newer than ${TESTED.version} (feature set ${TESTED.featureSet}), with which this service was tested on ${TESTED.at}: transactions and programs may behave differently`
}

function isNewer(version: string, tested: string): boolean {
  const [[major = 0, minor = 0], [testedMajor = 0, testedMinor = 0]] = [version, tested].map(text =>
    text.split('.').map(part => Number.parseInt(part, 10)),
  ) as [number[], number[]]
  return major > testedMajor || (major === testedMajor && minor > testedMinor)
}
