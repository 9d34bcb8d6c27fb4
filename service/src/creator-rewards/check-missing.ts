import type { Address } from '@slipway/schema/address'
import { ServiceError } from '@slipway/schema/errors'
import type { ChainAccount } from '../chain/account-reader.ts'
import { decodeBucket } from '../chain/accounts/bucket.ts'
import type { ChainRpc } from '../chain/rpc/create-rpc.ts'

interface MissingCheck {
  /** Some endpoint has such an account after all. Endpoints that lack it are no longer used, so read again. */
  isElsewhere: boolean
  /** Set if the endpoints that lack the accounts can't be trusted. */
  doubt: unknown
}

/** Examines accounts that should exist but were not found. `isPresent` says whether an account is the expected one. */
export type CheckMissing = (
  missing: readonly Address[],
  isPresent: (account: ChainAccount) => boolean,
) => Promise<MissingCheck>

/** Twice as many accounts fit into one call. */
const SAMPLE = 49
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

  /**
   * One response has both the missing accounts and the others. With two responses, a node that lacked the accounts a
   * moment ago could by now have everything, and still seem to confirm that they are gone.
   */
  async function examine(missing: readonly Address[], isPresent: (account: ChainAccount) => boolean) {
    const others = (await sample()).filter(address => !missing.includes(address)).slice(0, SAMPLE)
    const again = missing.slice(0, SAMPLE)
    const { accounts } = await reader.fetchAccounts([...others, ...again])
    if (accounts.slice(others.length).some(isPresent)) return 'present'
    const absent = accounts.slice(0, others.length).filter(account => !decodeBucket(account).exists).length
    return others.length > 0 && absent <= others.length * MISSING_SHARE_MAX ? 'complete' : 'incomplete'
  }

  return async (missing, isPresent) => {
    try {
      const { found } = await reader.confirmMissing(missing, isPresent)
      if (found.length > 0) return { isElsewhere: true, doubt: undefined }
    } catch (doubt) {
      return inDoubt(missing, doubt)
    }
    const chain = await examine(missing, isPresent)
    if (chain === 'present') return { isElsewhere: true, doubt: undefined }
    if (chain === 'complete') return { isElsewhere: false, doubt: undefined }
    return inDoubt(missing, new ServiceError('SERVICE_UNAVAILABLE'))
  }
}
