import type { Address } from '@slipway/schema/address'
import { BUCKET_LAYOUTS } from '../chain/accounts/bucket-layouts.ts'
import { GENESIS_PROGRAM, SYSTEM_PROGRAM } from '../chain/addresses/programs.ts'
import type { ChainRpc } from '../chain/rpc/create-rpc.ts'
import type { PayingKind, WalletBucket } from '../store/wallet-buckets.ts'

export type ProgramReader = Pick<ChainRpc, 'fetchProgramAccounts'>

/** Somebody waits for it; and 8 MB are some 30,000 addresses. */
const LIMITS = { attemptMs: 2_000, totalMs: 3_000, bytesMax: 8 * 1024 * 1024 }

/**
 * Which buckets of the program name this wallet: a node looks through all of them, once for each kind, because the wallet
 * stands at another place in each. Only their addresses are asked for; what they hold is read like that of any other.
 */
export async function searchBuckets(reader: ProgramReader, wallet: Address): Promise<WalletBucket[]> {
  // Its bytes are zeros, and so is the place of the wallet in every bucket that pays nobody: thousands, and none of them his.
  if (wallet === SYSTEM_PROGRAM) return []
  const found = await Promise.all(
    WALLET_PLACES.map(async ({ kind, firstByte, offset }) => {
      const { accounts } = await reader.fetchProgramAccounts(GENESIS_PROGRAM, {
        filters: [
          { memcmp: { offset: 0, bytes: Uint8Array.of(firstByte) } },
          { memcmp: { offset, bytes: wallet } },
        ],
        dataSlice: { offset: 0, length: 0 },
        limits: LIMITS,
      })
      return accounts.map(({ address }) => ({ address, kind }))
    }),
  )
  return found.flat()
}

const WALLET_PLACES = BUCKET_LAYOUTS.flatMap(({ kind, firstByte, creatorFee }) =>
  creatorFee ? [{ kind: kind as PayingKind, firstByte, offset: creatorFee.wallet }] : [],
)
