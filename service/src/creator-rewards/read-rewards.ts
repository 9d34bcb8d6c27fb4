import type { Address } from '@slipway/schema/address'
import type { AccountReader, ChainAccount } from '../chain/account-reader.ts'
import { type Bucket, decodeBucket } from '../chain/accounts/bucket.ts'
import { decodeGenesisAccount } from '../chain/accounts/genesis-account.ts'
import { decodePoolState } from '../chain/accounts/pool-state.ts'
import { poolStateAddress } from '../chain/addresses/addresses.ts'
import type { PayingKind, WalletBucket } from '../store/wallet-buckets.ts'
import { claimableOf } from './claimable.ts'
import type { Reward } from './reward.ts'

export interface ReadRewards {
  /** In the order of the buckets; those that the chain does not have, or that pay somebody else, are left out. */
  rewards: Reward[]
  /** Buckets that no account was found for. */
  missing: Address[]
  /** The accounts that were read along, in their order. */
  alongside: ChainAccount[]
  /** The oldest state that anything was read at. */
  slot: number
}

/** A node's limit for one call, and how many calls one wallet has under way. */
const ADDRESSES_MAX = 100
const CALLS_MAX = 5
/** A wallet of ten thousand buckets is read in some forty steps; nobody waits for it longer than this. */
const READ_MS_MAX = 12_000

/**
 * What the buckets of a wallet hold now. One call for up to a hundred accounts: a curve is one, an AMM bucket two, itself
 * and its pool, and these two are always as of one slot. `alongside` rides in the first call. Larger wallets are read
 * in steps, so that they hold only a few answers in memory at a time.
 */
export async function readRewards(
  reader: AccountReader,
  wallet: Address,
  { buckets, alongside }: { buckets: readonly WalletBucket[]; alongside: readonly Address[] },
): Promise<ReadRewards> {
  const read: ReadRewards = { rewards: [], missing: [], alongside: [], slot: Number.POSITIVE_INFINITY }
  if (buckets.length === 0) return read
  const calls = planCalls(buckets, alongside.length)
  const deadlineMs = performance.now() + READ_MS_MAX
  for (let at = 0; at < calls.length; at += CALLS_MAX) {
    if (performance.now() > deadlineMs) throw new Error('a wallet has too many buckets to be read in time')
    const steps = calls.slice(at, at + CALLS_MAX).map(async (call, index) => {
      const extra = at + index === 0 ? alongside : []
      const addresses = [...call.flatMap(accountsOf), ...extra]
      const { slot, accounts } = await reader.fetchAccounts(addresses)
      read.slot = Math.min(read.slot, slot)
      const absent = new Set(accounts.flatMap(({ exists, address }) => (exists ? [] : address)))
      read.missing.push(...call.map(({ address }) => address).filter(address => absent.has(address)))
      if (extra.length > 0) read.alongside = accounts.slice(-extra.length)
      return decodeCall(call, accounts, wallet)
    })
    read.rewards.push(...(await toRewards(reader, (await Promise.all(steps)).flat())))
  }
  return read
}

/** The pool's address follows from the bucket's. */
const accountsOf = ({ address, kind }: WalletBucket): Address[] =>
  kind === 'raydiumCpmmV2' ? [address, poolStateAddress(address)] : [address]

function planCalls(buckets: readonly WalletBucket[], taken: number): WalletBucket[][] {
  const calls: WalletBucket[][] = [[]]
  let size = taken
  for (const bucket of buckets) {
    const more = bucket.kind === 'raydiumCpmmV2' ? 2 : 1
    if (size + more > ADDRESSES_MAX) {
      calls.push([])
      size = 0
    }
    calls.at(-1)?.push(bucket)
    size += more
  }
  return calls
}

interface Decoded {
  bucket: Bucket & { address: Address }
  pool: ChainAccount | undefined
}

/** What the chain says stands; the store may be old, and what it calls a bucket may be gone. */
function decodeCall(
  call: readonly WalletBucket[],
  accounts: readonly ChainAccount[],
  wallet: Address,
): Decoded[] {
  let at = 0
  return call.flatMap(({ kind }) => {
    const bucket = decodeBucket(accounts[at++] as ChainAccount)
    const pool = kind === 'raydiumCpmmV2' ? accounts[at++] : undefined
    const isOurs = bucket.exists && bucket.creatorFee?.wallet === wallet
    return isOurs ? [{ bucket, pool }] : []
  })
}

async function toRewards(reader: AccountReader, decoded: readonly Decoded[]): Promise<Reward[]> {
  const mints = await fetchMissingMints(reader, decoded)
  return decoded.flatMap(({ bucket, pool: account }) => {
    const { address, kind, genesis, creatorFee } = bucket
    const { baseMint, quoteMint } = { ...mints.get(genesis), ...bucket }
    if (!creatorFee || !baseMint || !quoteMint) return []
    const pool = account && decodePoolState(account, { baseMint, quoteMint })
    const found = pool?.exists ? pool : undefined
    return [
      {
        address,
        kind: kind as PayingKind,
        genesis,
        baseMint,
        quoteMint,
        accrued: creatorFee.accrued,
        claimed: creatorFee.claimed,
        ...claimableOf(creatorFee, found),
        pool: found,
      },
    ]
  })
}

/** A bucket from before the program wrote the mints into it has them in its launch: one more read, for those only. */
async function fetchMissingMints(
  reader: AccountReader,
  decoded: readonly Decoded[],
): Promise<Map<Address, { baseMint: Address; quoteMint: Address }>> {
  const without = decoded.filter(({ bucket }) => !bucket.baseMint || !bucket.quoteMint)
  const launches = [...new Set(without.map(({ bucket }) => bucket.genesis))]
  if (launches.length === 0) return new Map()
  const { accounts } = await reader.fetchAccounts(launches)
  return new Map(
    accounts.flatMap(account => {
      const launch = decodeGenesisAccount(account)
      return launch.exists ? [[launch.address, launch]] : []
    }),
  )
}
