import type { Address } from '@slipway/schema/address'
import { ServiceError } from '@slipway/schema/errors'
import type { ChainAccount } from '../chain/account-reader.ts'
import { decodeBucket } from '../chain/accounts/bucket.ts'
import type { ChainRpc } from '../chain/rpc/create-rpc.ts'

interface MissingCheck {
  /** Some endpoint has such an account after all. Those that lack it are no longer used, so read again. */
  isElsewhere: boolean
  /** Set if the endpoints that lack the accounts can't be trusted. */
  doubt: unknown
}

/** Examines accounts that should exist but were not on the chain. `isPresent` says what counts as having one. */
export type CheckMissing = (
  missing: readonly Address[],
  isPresent: (account: ChainAccount) => boolean,
) => Promise<MissingCheck>

const SAMPLE = 99
const MISSING_SHARE_MAX = 0.05

/**
 * Even if every endpoint says that an account is missing, the endpoints may be empty or incomplete. So this also reads
 * other buckets from the index. If those are missing too, or the index has no others, the endpoints can't be trusted:
 * saying that there is nothing to claim could be wrong.
 */
export function createMissingCheck({
  reader,
  sample,
  onDoubt = () => {},
}: {
  reader: Pick<ChainRpc, 'fetchAccounts' | 'confirmMissing'>
  /** Some buckets that the store knows. */
  sample(): Promise<Address[]>
  /** The endpoints that lack these accounts can't be trusted. */
  onDoubt?(missing: readonly Address[], doubt: unknown): void
}): CheckMissing {
  function inDoubt(missing: readonly Address[], doubt: unknown): MissingCheck {
    onDoubt(missing, doubt)
    return { isElsewhere: false, doubt }
  }

  async function isChainComplete(missing: readonly Address[]): Promise<boolean> {
    const others = (await sample()).filter(address => !missing.includes(address)).slice(0, SAMPLE)
    if (others.length === 0) return false
    const { accounts } = await reader.fetchAccounts(others)
    const absent = accounts.filter(account => !decodeBucket(account).exists).length
    return absent <= others.length * MISSING_SHARE_MAX
  }

  return async (missing, isPresent) => {
    try {
      const { found } = await reader.confirmMissing(missing, isPresent)
      if (found.length > 0) return { isElsewhere: true, doubt: undefined }
    } catch (doubt) {
      return inDoubt(missing, doubt)
    }
    if (await isChainComplete(missing)) return { isElsewhere: false, doubt: undefined }
    return inDoubt(missing, new ServiceError('SERVICE_UNAVAILABLE'))
  }
}
