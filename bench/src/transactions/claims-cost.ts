import {
  getBondingCurveBucketV2AccountDataSerializer,
  getRaydiumCpmmBucketV2AccountDataSerializer,
} from '@metaplex-foundation/genesis'
import { TOKEN_PROGRAM } from '@slipway/launch-model/programs'
import { createKeypair } from '@slipway/local-chain/ledger/keypair'
import type { Address } from '@slipway/schema/address'
import type { AccountReader } from '@slipway/service/chain/account-reader'
import { decodePoolState } from '@slipway/service/chain/accounts/pool-state'
import { createClaims } from '@slipway/service/creator-rewards/claim-creator-rewards'
import { createTokenAccounts } from '@slipway/service/creator-rewards/token-accounts'
import { createWalletRewards } from '@slipway/service/creator-rewards/wallet-rewards'
import { createDeadline } from '@slipway/service/lib/deadline'
import { buildLaunches } from '@slipway/service/official-clients/launches-with-fees'
import { claimWithUmi, stockUmi } from '@slipway/service/official-clients/stock-umi'
import type { WalletBucket } from '@slipway/service/store/buckets'

/** The CPU time in milliseconds and the memory of one claim of a wallet with many buckets, without network or store. */
export interface ClaimsCost {
  transactions: number
  umiMs: number
  /** With addresses that were never derived before. */
  firstMs: number
  againMs: number
  reads: number
  /** The most memory that a claim used while it was built, without the accounts themselves. */
  heapMegabytes: number
}

const CLAIMS_MAX = 256
const BLOCKHASH = { blockhash: 'EkSnNWid2cvwEVnVx9aBqawnmiCNiDgp3gUdkDPTKN1N', lastValidBlockHeight: 1 }
const ROUNDS = 5
const WARM_UP_BUCKETS = 400

/** Runs in a process of its own. `umiFirst` sets the order. */
export async function measureClaimsCost([buckets, umiFirst]: [number, boolean]): Promise<ClaimsCost> {
  const world = makeWorld(buckets)
  // Another wallet first, so that the code of both is already optimised.
  const warm = makeWorld(WARM_UP_BUCKETS)
  await ours(warm)
  theirs(warm)
  let umi: ReturnType<typeof theirs> | undefined
  if (umiFirst) umi = theirs(world)
  const { transactions, ...cost } = await ours(world)
  umi ??= theirs(world)
  if (umi.transactions.join() !== transactions.join()) throw new Error('the transactions differ')
  return { transactions: transactions.length, umiMs: umi.ms, ...cost }
}

function makeWorld(buckets: number) {
  const creator = createKeypair().address
  const { made, accounts } = buildLaunches(
    Array.from({ length: buckets / 2 }, (_, at) => ({
      creator,
      curve: { accrued: BigInt(1_000 + 7 * at), claimed: 0n },
      amm: { accrued: BigInt(1_003 + 7 * at), claimed: 0n, pool: at % 3 === 0 ? 5n : 0n },
    })),
    () => 1n,
  )
  const known = made.flatMap(({ primary, amm }): WalletBucket[] => [
    { address: primary, kind: 'bondingCurveV2' },
    { address: amm, kind: 'raydiumCpmmV2' },
  ])
  return { creator, made, accounts, known }
}
type World = ReturnType<typeof makeWorld>

async function ours({ creator, accounts, known }: World) {
  let reads = 0
  let heapBytesMax = 0
  const reader: AccountReader = {
    async fetchAccounts(addresses) {
      reads += Math.ceil(addresses.length / 100)
      heapBytesMax = Math.max(heapBytesMax, process.memoryUsage().heapUsed)
      return {
        slot: 1,
        accounts: addresses.map(address => {
          const account = accounts.get(address)
          // A copy, as it would arrive from the network.
          if (account) return { exists: true, address, ...account, data: Uint8Array.from(account.data) }
          return { exists: false, address }
        }),
      }
    },
  }
  const notCalled = () => Promise.reject(new Error('not called'))
  const tokenAccounts = createTokenAccounts(reader, notCalled)
  const claimRewards = createClaims({
    readRewards: createWalletRewards({
      requestMs: 3_000,
      reader: { ...reader, confirmCluster: notCalled },
      expectedTokenAccounts: tokenAccounts.expectedFor,
      findKnown: async () => ({ isIndexComplete: true, buckets: known }),
      search: notCalled,
      remember: () => {},
      checkMissing: notCalled,
      onMissing: () => {},
    }),
    tokenAccounts,
    blockhash: { latest: async () => BLOCKHASH, newer: async () => BLOCKHASH },
  })
  const claim = () =>
    claimRewards({ wallet: creator, payer: creator }, { client: '', deadline: createDeadline(60_000) })
  const timed = async () => {
    const start = process.cpuUsage()
    const { transactions } = await claim()
    return { ms: millisSince(start), transactions }
  }
  globalThis.gc?.()
  const before = process.memoryUsage().heapUsed
  const first = await timed()
  const readsOfFirst = reads
  const heapMegabytes = (Math.max(heapBytesMax, process.memoryUsage().heapUsed) - before) / 1_048_576
  const again: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) again.push((await timed()).ms)
  return {
    transactions: first.transactions,
    firstMs: first.ms,
    againMs: again.sort((a, b) => a - b)[ROUNDS >> 1] as number,
    reads: readsOfFirst,
    heapMegabytes,
  }
}

/** The same with the official serializers and builders. Our own code fills in what they lack. */
function theirs({ creator, made, accounts }: World) {
  const umi = stockUmi(creator)
  const start = process.cpuUsage()
  const [curves, pools] = [
    getBondingCurveBucketV2AccountDataSerializer(),
    getRaydiumCpmmBucketV2AccountDataSerializer(),
  ]
  const dataOf = (address: Address) => accounts.get(address)?.data as Uint8Array
  const claims = made.flatMap(({ primary, amm, pool }) => {
    const [curve] = curves.deserialize(dataOf(primary))
    const [bucket] = pools.deserialize(dataOf(amm))
    const { baseMint, quoteMint } = mintsOf(bucket.bucket)
    const account = accounts.get(pool)
    if (!account) throw new Error('no pool')
    const state = decodePoolState({ exists: true, address: pool, ...account }, { baseMint, quoteMint })
    if (!state.exists) throw new Error('no pool')
    const waiting = state.creatorFees.quote
    const common = {
      payer: creator,
      wallet: creator,
      baseMint,
      quoteMint,
      quoteTokenProgram: TOKEN_PROGRAM,
      createsTokenAccount: true,
      blockhash: BLOCKHASH.blockhash,
    }
    return [
      {
        amount: curve.creatorFeeAccrued - curve.creatorFeeClaimed,
        claim: {
          ...common,
          bucket: { kind: 'bondingCurveV2' as const, genesis: plain(curve.bucket.genesis), address: primary },
        },
      },
      {
        amount: bucket.creatorFeeAccrued - bucket.creatorFeeClaimed + waiting,
        claim: {
          ...common,
          bucket: { kind: 'raydiumCpmmV2' as const, genesis: plain(bucket.bucket.genesis), address: amm },
          ...(waiting > 0n && { collect: { ...state, baseTokenProgram: TOKEN_PROGRAM } }),
        },
      },
    ]
  })
  const transactions = claims
    .sort((a, b) => Number(b.amount - a.amount) || (a.claim.bucket.address < b.claim.bucket.address ? -1 : 1))
    .slice(0, CLAIMS_MAX)
    .map(({ claim }) => claimWithUmi(umi, claim))
  return { ms: millisSince(start), transactions }
}

function millisSince(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1_000
}

const plain = (key: unknown) => key as Address

function mintsOf(bucket: { baseMint: unknown; quoteMint: unknown }) {
  const some = (option: unknown) =>
    typeof option === 'string' ? plain(option) : (option as { value: Address }).value
  return { baseMint: some(bucket.baseMint), quoteMint: some(bucket.quoteMint) }
}
