import { setImmediate } from 'node:timers/promises'
import {
  associatedTokenAddress,
  bucketSignerAddress,
  raydiumSignerAddress,
} from '@slipway/launch-model/addresses'
import { tokensOf } from '@slipway/launch-model/calls/trades'
import { planClaim } from '@slipway/launch-model/plan-claim'
import { WRAPPED_NATIVE_MINT } from '@slipway/launch-model/programs'
import { TOKEN_ACCOUNT_BYTES } from '@slipway/launch-model/rent'
import type { Address } from '@slipway/schema/address'
import type { ClaimResult } from '@slipway/schema/creator-rewards'
import { ServiceError } from '@slipway/schema/errors'
import type { AccountReader, Blockhash } from '../chain/account-reader.ts'
import { decodeRent } from '../chain/accounts/rent.ts'
import { decodeTokenAccount } from '../chain/accounts/token-account.ts'
import type { KeptBlockhash } from '../chain/blockhash.ts'
import { buildClaimTransaction, type Claim } from '../chain/transactions/build-claim.ts'
import {
  assertWithin,
  costsOf,
  describeCosts,
  type PaidTransaction,
} from '../chain/transactions/payer-costs.ts'
import type { RequestScope } from '../endpoint/endpoint.ts'
import { createLru } from '../lib/create-lru.ts'
import { compareRewards, hasData, type Reward } from './read-rewards.ts'
import type { ClaimTokens, TokenAccounts } from './token-accounts.ts'
import type { ReadWalletRewards } from './wallet-rewards.ts'

/** The largest claims. The next call returns the rest. */
export const CLAIMS_MAX = 256
/** Each transaction takes up to 0.2 ms to build, so other requests are served in between. */
const BUILT_AT_ONCE = 32

export interface ClaimInput {
  wallet: Address
  payer: Address
  unwrap?: boolean
  /** The most that all transactions may cost the payer, in lamports. */
  payerMax?: bigint | undefined
}

export interface ClaimParts {
  readRewards: ReadWalletRewards
  reader: AccountReader
  tokenAccounts: Pick<TokenAccounts, 'fetchFor'>
  blockhash: Pick<KeptBlockhash, 'latest' | 'newer'>
}

/**
 * Builds the transactions that pay a creator everything that the chain owes now, one per bucket. Only the payer
 * signs: the instructions need no other signature, and the money can only go to the wallet. So a wallet without a key
 * can be paid too. If the caller names no payer, such a wallet is its own payer, because software that acts for
 * derived wallets wraps the transactions in its own.
 */
export function createClaims({ readRewards, reader, tokenAccounts, blockhash }: ClaimParts) {
  const chooseBlockhash = createBlockhashChoice(blockhash)
  return async (
    { wallet, payer, unwrap = false, payerMax }: ClaimInput,
    scope: RequestScope,
  ): Promise<ClaimResult> => {
    const { rewards, tokenAccounts: read, fault, doubt } = await readRewards(wallet, scope)
    const claims = selectClaims(rewards)
    if (claims.length === 0) throw doubt ?? fault ?? new ServiceError('NO_REWARDS')
    // All transactions share one blockhash, so that the caller confirms against one.
    const [{ tokens, unopened }, recent] = await Promise.all([
      tokenAccounts.fetchFor(wallet, claims, read).then(async tokens => ({
        tokens,
        unopened: await findUnopened(reader, wallet, claims, tokens),
      })),
      chooseBlockhash(payer, claims),
    ])
    scope.deadline.assertInTime()
    const built: PaidTransaction[] = []
    for (const [index, reward] of claims.entries()) {
      if (index % BUILT_AT_ONCE === BUILT_AT_ONCE - 1) await setImmediate()
      const found = toClaim(reward, tokens)
      if (!found) continue
      const unwraps = unwrap ? findHeld(wallet, reward.quoteMint, tokens) : undefined
      const claim = { ...found, wallet, payer, unwraps, blockhash: recent.blockhash }
      const steps = planClaim(claim)
      built.push({ tx: buildClaimTransaction(claim, steps), steps })
    }
    if (built.length === 0) throw tokens.doubt ?? new ServiceError('NO_REWARDS')
    const costs = costsOf(built, payer, {
      rent: decodeRent(tokens.rentSysvar),
      unopened: address => unopened.get(address),
    })
    assertWithin(costs, payerMax)
    return { transactions: built.map(({ tx }) => tx), blockhash: recent, costs: describeCosts(costs) }
  }
}

/**
 * The lamports at the addresses of token accounts that the claims create now. Fees of a pool arrive in accounts of the
 * program, which the first collection creates; only those need a read.
 */
async function findUnopened(
  reader: AccountReader,
  wallet: Address,
  claims: readonly Reward[],
  { quotes, tokenOf }: ClaimTokens,
): Promise<Map<Address, bigint>> {
  const unopened = new Map<Address, bigint>()
  const programs = new Set<Address>()
  for (const { address, baseMint, quoteMint, pool, uncollected } of claims) {
    const quote = quotes.get(quoteMint)
    if (quote && !quote.account) unopened.set(tokensOf(quote.token, wallet), quote.lamports)
    if (!quote || !pool || uncollected === 0n) continue
    programs.add(tokensOf(quote.token, bucketSignerAddress(address)))
    const baseProgram = pool.baseTokenProgram ?? tokenOf(baseMint)?.program
    if (pool.creatorFees.base > 0n && baseProgram)
      programs.add(associatedTokenAddress(baseMint, raydiumSignerAddress(), baseProgram))
  }
  if (programs.size === 0) return unopened
  for (const account of (await reader.fetchAccounts([...programs])).accounts)
    if (!hasData(account)) unopened.set(account.address, account.exists ? account.lamports : 0n)
  return unopened
}

/**
 * The rewards to claim, largest first. Amounts of different tokens can't be compared, and anyone can create a launch
 * that owes a wallet billions of a worthless token. So if there are too many rewards, native currency comes first.
 */
function selectClaims(rewards: readonly Reward[]): Reward[] {
  const owed = rewards.filter(({ claimable }) => claimable > 0n).sort(compareRewards)
  if (owed.length <= CLAIMS_MAX) return owed
  const isNative = ({ quoteMint }: Reward) => quoteMint === WRAPPED_NATIVE_MINT
  return [...owed.filter(isNative), ...owed.filter(reward => !isNative(reward))].slice(0, CLAIMS_MAX)
}

/** A blockhash is in use for seconds only, so an evicted entry can no longer match. */
const REMEMBERED_MAX = 20_000

/**
 * A claim does not contain amounts: two claims of one bucket by one payer differ only in their blockhash. If a claim
 * lands and new fees arrive while the blockhash is still the latest, the next claim would be the transaction that
 * landed. The chain would refuse it, and a wallet that looks for its signature would believe it was paid.
 *
 * So buckets that were never claimed from get the kept blockhash. Others get a blockhash that was fetched after their
 * read, because another node may have built the last claim on the kept one. If this payer already got that blockhash
 * for other amounts, the claim waits for the next one.
 */
function createBlockhashChoice(blockhash: ClaimParts['blockhash']) {
  const given = createLru<string, { blockhash: string; owed: string }>(REMEMBERED_MAX)
  const keyOf = (payer: Address, { address }: Reward) => `${payer} ${address}`
  const owedBy = ({ accrued, claimed, uncollected }: Reward) => `${accrued} ${claimed} ${uncollected}`

  async function choose(payer: Address, claims: readonly Reward[]): Promise<Blockhash> {
    if (claims.every(({ claimed }) => claimed === 0n)) return blockhash.latest()
    const fetched = await blockhash.newer()
    const wouldRepeat = claims.some(claim => {
      const last = given.get(keyOf(payer, claim))
      return last?.blockhash === fetched.blockhash && last.owed !== owedBy(claim)
    })
    return wouldRepeat ? blockhash.newer(fetched) : fetched
  }

  return async (payer: Address, claims: readonly Reward[]): Promise<Blockhash> => {
    const chosen = await choose(payer, claims)
    for (const claim of claims)
      given.set(keyOf(payer, claim), { blockhash: chosen.blockhash, owed: owedBy(claim) })
    return chosen
  }
}

/** The balance of the wallet's wrapped account, if fees can be unwrapped: no one else may close it or spend from it. */
function findHeld(wallet: Address, mint: Address, { quotes, rentSysvar }: ClaimTokens): Claim['unwraps'] {
  if (mint !== WRAPPED_NATIVE_MINT) return undefined
  const account = quotes.get(mint)?.account
  const accountRent = decodeRent(rentSysvar)(TOKEN_ACCOUNT_BYTES)
  if (!account) return { quote: undefined, accountRent }
  const held = decodeTokenAccount(account)
  if (!held.exists || held.holder !== wallet || held.isClosedByOthers) return undefined
  return { quote: held, accountRent }
}

/** Undefined if a mint belongs to no known token program: the chain would not pay it either. */
function toClaim(
  reward: Reward,
  { quotes, tokenOf }: ClaimTokens,
): Omit<Claim, 'wallet' | 'payer' | 'blockhash'> | undefined {
  const { address, kind, genesis, baseMint, quoteMint, pool, uncollected } = reward
  const quote = quotes.get(quoteMint)
  const collects = pool && uncollected > 0n
  const base = tokenOf(baseMint)
  const baseTokenProgram = collects && (pool.baseTokenProgram ?? base?.program)
  if (!quote || (collects && !baseTokenProgram)) return undefined
  return {
    bucket: { address, kind, genesis },
    baseMint,
    quoteMint,
    quoteTokenProgram: quote.token.program,
    quoteAccountBytes: quote.token.accountBytes,
    createsTokenAccount: !quote.account,
    ...(baseTokenProgram && {
      collect: {
        environment: pool.environment,
        baseTokenProgram,
        baseAccountBytes: base?.accountBytes,
        ammConfig: pool.ammConfig,
      },
    }),
  }
}
