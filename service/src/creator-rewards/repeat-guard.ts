import type { Address } from '@slipway/schema/address'
import { LRUCache } from 'lru-cache'
import type { Blockhash } from '../chain/account-reader.ts'
import type { Reward } from './reward.ts'

export interface RepeatGuard {
  /** Whether one of these claims would be, byte for byte, one that was given out for other rewards. */
  wouldRepeat(blockhash: Blockhash, payer: Address, claims: readonly Reward[]): boolean
  gave(blockhash: Blockhash, payer: Address, claims: readonly Reward[]): void
}

/** Blockhashes are kept for seconds only: what falls out of here is long on another one. */
const REMEMBERED_MAX = 20_000

/**
 * Amounts are not in a claim: two claims of one bucket by one payer differ in their blockhash and in nothing else. When a
 * claim has landed and new fees come in while the same blockhash is still kept, the next claim would be the very
 * transaction that landed: the chain refuses it, and to a wallet that looks for its signature it seems to have been paid.
 */
export function createRepeatGuard(): RepeatGuard {
  const given = new LRUCache<string, { blockhash: string; owed: string }>({ max: REMEMBERED_MAX })
  const key = (payer: Address, { address }: Reward) => `${payer} ${address}`
  const owedBy = ({ accrued, claimed, uncollected }: Reward) => `${accrued} ${claimed} ${uncollected}`
  return {
    wouldRepeat: ({ blockhash }, payer, claims) =>
      claims.some(claim => {
        const last = given.get(key(payer, claim))
        return last?.blockhash === blockhash && last.owed !== owedBy(claim)
      }),
    gave({ blockhash }, payer, claims) {
      for (const claim of claims) given.set(key(payer, claim), { blockhash, owed: owedBy(claim) })
    },
  }
}
