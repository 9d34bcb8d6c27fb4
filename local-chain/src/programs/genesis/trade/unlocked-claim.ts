import { feeOn } from '@slipway/launch-model/fees'
import { WRAPPED_NATIVE_MINT } from '@slipway/launch-model/programs'
import { assertSigner, namedAccounts } from '../../instruction-accounts.ts'
import type { Invocation } from '../../stand-in.ts'
import { unlocked } from '../buckets.ts'
import {
  asKey,
  assertFeeAccount,
  assertMints,
  assertPrograms,
  assertTokensOfLaunch,
  GENESIS,
  loadBucket,
  loadGenesis,
  saveBucket,
} from '../checks.ts'
import { readUnixTime } from '../clock.ts'
import { isMet, triggerIfDue } from '../conditions.ts'
import { genesisError } from '../errors.ts'
import { assertAssociated, closeAccount, ensureTokenAccount, moveTokens } from '../tokens.ts'

/**
 * Gives a recipient all tokens and proceeds of their bucket, once. Native currency arrives unwrapped: the bucket's
 * token account is closed, so proceeds that are sent afterwards need a new one, and stay there. Anyone may send it,
 * even before the launch is finalized.
 */
export function claimUnlocked(ctx: Invocation): void {
  const accounts = namedAccounts(ctx, GENESIS, [
    'genesisAccount',
    'bucket',
    'baseMint',
    'quoteMint',
    'bucketQuoteTokenAccount',
    'genesisBaseTokenAccount',
    'recipientBaseTokenAccount',
    'recipientQuoteTokenAccount',
    'recipient',
    'payer',
    'backendSigner?',
    'feeQuoteTokenAccount',
    'baseTokenProgram',
    'quoteTokenProgram',
    'associatedTokenProgram',
    'systemProgram',
  ])
  const { genesisAccount, bucket, baseMint, quoteMint, recipient, payer, systemProgram } = accounts
  const { bucketQuoteTokenAccount, quoteTokenProgram, baseTokenProgram: tokenProgram } = accounts
  assertSigner(payer)
  assertPrograms([tokenProgram, quoteTokenProgram], accounts)
  assertMints(loadGenesis(ctx, genesisAccount), accounts)
  const decoded = loadBucket(ctx, bucket, genesisAccount, unlocked)
  if (decoded.recipient !== asKey(recipient.address)) throw genesisError('RecipientMismatch')
  assertTokensOfLaunch(ctx, bucketQuoteTokenAccount, bucket, quoteMint)
  assertTokensOfLaunch(ctx, accounts.genesisBaseTokenAccount, genesisAccount, baseMint)
  assertFeeAccount(ctx, accounts.feeQuoteTokenAccount, quoteMint, 'InvalidMintForTokenAccount')
  const now = readUnixTime(ctx)
  const claimStartCondition = triggerIfDue(decoded.claimStartCondition, now)
  if (!isMet(claimStartCondition)) throw genesisError('ClaimNotStarted')
  if (isMet(triggerIfDue(decoded.claimEndCondition, now))) throw genesisError('UnlockedBucketClaimEnded')
  if (decoded.claimed) throw genesisError('UnlockedBucketAlreadyClaimed')

  const { baseTokenBalance, quoteTokenBalance } = decoded.bucket
  const to = { account: accounts.recipientBaseTokenAccount, owner: recipient, mint: baseMint, tokenProgram }
  assertAssociated(to)
  ensureTokenAccount(ctx, { ...to, payer, systemProgram })
  const isNative = quoteMint.address === WRAPPED_NATIVE_MINT
  const proceedsTo = {
    account: accounts.recipientQuoteTokenAccount,
    owner: recipient,
    mint: quoteMint,
    tokenProgram: quoteTokenProgram,
  }
  if (!isNative) {
    assertAssociated(proceedsTo)
    ensureTokenAccount(ctx, { ...proceedsTo, payer, systemProgram })
  }
  const from = accounts.genesisBaseTokenAccount
  moveTokens(ctx, { from, to: to.account, authority: genesisAccount, tokenProgram }, baseTokenBalance)
  const fee = feeOn(quoteTokenBalance, { type: decoded.claimFeeType, amount: decoded.claimFee })
  const source = { from: bucketQuoteTokenAccount, authority: bucket, tokenProgram: quoteTokenProgram }
  moveTokens(ctx, { ...source, to: accounts.feeQuoteTokenAccount }, fee)
  // Closing the account of wrapped native currency pays out what is in it.
  const closed = { account: bucketQuoteTokenAccount, owner: bucket, receiver: recipient }
  if (isNative) closeAccount(ctx, { ...closed, tokenProgram: quoteTokenProgram }, [bucket.address])
  else moveTokens(ctx, { ...source, to: proceedsTo.account }, quoteTokenBalance - fee)
  saveBucket(
    ctx,
    bucket,
    unlocked.serialize({
      ...decoded,
      claimed: true,
      claimStartCondition,
      bucket: { ...decoded.bucket, baseTokenBalance: 0n, quoteTokenBalance: 0n },
    }),
  )
}
