import { setImmediate } from 'node:timers/promises'
import type { Address } from '@slipway/schema/address'
import type { ClaimResult } from '@slipway/schema/creator-rewards'
import { ServiceError } from '@slipway/schema/errors'
import type { AccountReader, Blockhash } from '../chain/account-reader.ts'
import { WRAPPED_NATIVE_MINT } from '../chain/addresses/programs.ts'
import type { KeptBlockhash } from '../chain/blockhash.ts'
import { buildClaimTransaction, type Claim } from '../chain/transactions/build-claim.ts'
import type { RepeatGuard } from './repeat-guard.ts'
import { compareRewards, type Reward } from './reward.ts'
import type { TokenFacts } from './token-facts.ts'
import type { WalletRewards } from './wallet-rewards.ts'

/** The largest ones; those that are left are in the answer to the next call. */
export const CLAIMS_MAX = 256
/** Building one takes a tenth of a millisecond or two; others are served in between. */
const BUILT_AT_ONCE = 32

export interface ClaimParts {
  rewardsOf(wallet: Address): Promise<WalletRewards>
  reader: AccountReader
  tokens: TokenFacts
  blockhash: Pick<KeptBlockhash, 'latest' | 'newer'>
  repeats: RepeatGuard
}

/**
 * The transactions that pay a creator all that the chain owes him now, one for each bucket. Only the payer signs: the
 * instructions ask for nobody else, and the money can only go to the wallet. A wallet that no key signs for can be paid
 * too; without a payer it is still named as the one who pays, because software that acts for derived wallets puts such
 * transactions into its own.
 */
export async function claimCreatorRewards(
  { rewardsOf, reader, tokens, blockhash, repeats }: ClaimParts,
  { wallet, payer }: { wallet: Address; payer: Address },
): Promise<ClaimResult> {
  const { rewards, quote: known, fault } = await rewardsOf(wallet)
  const claims = selectClaims(rewards)
  if (claims.length === 0) throw fault ?? new ServiceError('NO_REWARDS')
  // All transactions share one blockhash: the caller confirms against one.
  const [facts, recent] = await Promise.all([
    tokens.complete(reader, wallet, known, claims),
    chooseBlockhash(blockhash, repeats, payer, claims),
  ])
  const transactions: string[] = []
  for (const [index, reward] of claims.entries()) {
    if (index % BUILT_AT_ONCE === BUILT_AT_ONCE - 1) await setImmediate()
    const claim = toClaim(reward, facts)
    if (claim)
      transactions.push(buildClaimTransaction({ ...claim, wallet, payer, blockhash: recent.blockhash }))
  }
  if (transactions.length === 0) throw new ServiceError('NO_REWARDS')
  repeats.gave(recent, payer, claims)
  return { transactions, blockhash: recent }
}

/**
 * What is owed, the largest first. Amounts of different tokens say nothing of each other, and anybody can launch something
 * that owes somebody billions of a token of his own making: where there are too many, native currency goes before.
 */
function selectClaims(rewards: readonly Reward[]): Reward[] {
  const owed = rewards.filter(({ claimable }) => claimable > 0n).sort(compareRewards)
  if (owed.length <= CLAIMS_MAX) return owed
  const isNative = ({ quoteMint }: Reward) => quoteMint === WRAPPED_NATIVE_MINT
  return [...owed.filter(isNative), ...owed.filter(reward => !isNative(reward))].slice(0, CLAIMS_MAX)
}

/**
 * The kept one, for buckets that were never claimed from. For others a claim may have landed a moment ago that was built
 * on it, perhaps by another node: so they get one that was fetched after they were read, and if need be the next.
 */
async function chooseBlockhash(
  blockhash: ClaimParts['blockhash'],
  repeats: RepeatGuard,
  payer: Address,
  claims: readonly Reward[],
): Promise<Blockhash> {
  if (claims.every(({ claimed }) => claimed === 0n)) return blockhash.latest()
  const fetched = await blockhash.newer()
  return repeats.wouldRepeat(fetched, payer, claims) ? blockhash.newer(fetched) : fetched
}

/** Undefined where the mint is no token of a program that we know, which the chain would not pay out either. */
function toClaim(
  reward: Reward,
  { quote, programOf }: Awaited<ReturnType<TokenFacts['complete']>>,
): Omit<Claim, 'wallet' | 'payer' | 'blockhash'> | undefined {
  const { address, kind, genesis, baseMint, quoteMint, pool, uncollected } = reward
  const token = quote.get(quoteMint)
  const collects = pool && uncollected > 0n
  const baseTokenProgram = collects && (pool.baseTokenProgram ?? programOf(baseMint))
  if (!token || (collects && !baseTokenProgram)) return undefined
  return {
    bucket: { address, kind, genesis },
    baseMint,
    quoteMint,
    quoteTokenProgram: token.program,
    createsTokenAccount: !token.hasAccount,
    ...(baseTokenProgram && {
      collect: { environment: pool.environment, baseTokenProgram, ammConfig: pool.ammConfig },
    }),
  }
}
