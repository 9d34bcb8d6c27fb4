import { headBytesOf } from '@slipway/launch-model/bucket'
import { LISTED_KINDS } from '@slipway/launch-model/kinds/kinds'
import { GENESIS_PROGRAM, IDENTITY_PROGRAM } from '@slipway/launch-model/programs'
import type { Address } from '@slipway/schema/address'
import type { Network } from '@slipway/schema/network'
import { decodeIdentity } from '../../chain/accounts/identity.ts'
import type { ChainCalls } from '../../chain/rpc/create-rpc.ts'
import type { ProgramAccount, ProgramFilter } from '../../chain/rpc/requests.ts'
import { saveBuckets } from '../../store/buckets.ts'
import type { Database } from '../../store/database.ts'
import { toBucketRow } from '../accounts/index-buckets.ts'
import { readInParts, SEARCH_LIMITS } from './read-in-parts.ts'

interface DiscoverParts {
  network: Network
  rpc: Pick<ChainCalls, 'fetchProgramAccounts' | 'confirmCluster'>
  database: Database
  signal: AbortSignal
  /** Receives every asset that an identity names. */
  onAgents(assets: Address[]): void
  /** From 0 to 1. */
  onShare(share: number): void
}

/** A kind of account: how to find it, and the offset of a byte that is evenly distributed. */
interface Kind {
  program: Address
  firstByte: number
  spreadAt: number
  bytes: number
  take(slot: number, accounts: readonly ProgramAccount[]): Promise<void>
}

const ROWS = 1_000
/** An identity is 104 bytes long; of buckets only the head is read. */
const IDENTITY_BYTES = 104
const IDENTITY_ASSET_AT = 8

/** Finds every identity and every bucket. Rows that would not change are not written. */
export async function discover(
  parts: DiscoverParts,
): Promise<{ accounts: number; buckets: ReadonlySet<Address> }> {
  const { rpc, signal, onShare } = parts
  const buckets = new Set<Address>()
  const kinds = [...identityKinds(parts), ...bucketKinds(parts, buckets)]
  let accounts = 0

  async function read({ program, firstByte, bytes, take }: Kind, more: ProgramFilter[]): Promise<number> {
    signal.throwIfAborted()
    const sinceMs = performance.now()
    const { slot, accounts: found } = await rpc.fetchProgramAccounts(program, {
      filters: [{ memcmp: { offset: 0, bytes: Uint8Array.of(firstByte) } }, ...more],
      dataSlice: { offset: 0, length: bytes },
      limits: SEARCH_LIMITS,
    })
    await rpc.confirmCluster(sinceMs)
    for (let at = 0; at < found.length; at += ROWS) {
      signal.throwIfAborted()
      await take(slot, found.slice(at, at + ROWS))
    }
    accounts += found.length
    return found.length
  }

  for (const [index, kind] of kinds.entries())
    await readInParts(
      kind.spreadAt,
      filters => read(kind, filters),
      share => onShare((index + share) / kinds.length),
    )
  return { accounts, buckets }
}

function identityKinds({ onAgents }: DiscoverParts): Kind[] {
  return [1, 2].map(firstByte => ({
    program: IDENTITY_PROGRAM,
    firstByte,
    spreadAt: IDENTITY_ASSET_AT,
    bytes: IDENTITY_BYTES,
    async take(_, accounts) {
      onAgents(
        accounts
          .map(decodeIdentity)
          .filter(identity => identity.exists)
          .map(({ asset }) => asset),
      )
    },
  }))
}

function bucketKinds({ database, network }: DiscoverParts, seen: Set<Address>): Kind[] {
  return LISTED_KINDS.map(kind => ({
    program: GENESIS_PROGRAM,
    firstByte: kind.key,
    spreadAt: kind.layout.offsetOf('genesis'),
    bytes: headBytesOf(kind),
    async take(slot, accounts) {
      const rows = accounts
        .map(account => toBucketRow(network, account, slot))
        .filter(row => row !== undefined)
      await database.run('buckets.index', db => saveBuckets(db, rows))
      for (const { address } of rows) seen.add(address)
    },
  }))
}
