import { entitledInPresale } from '@slipway/launch-model/deposits'
import { presale as model } from '@slipway/launch-model/kinds/presale'
import { releasedOf } from '@slipway/launch-model/releases'
import { namedAccounts } from '../../instruction-accounts.ts'
import type { Invocation } from '../../stand-in.ts'
import { presale } from '../buckets.ts'
import { assertFeeAccount, GENESIS, loadBucket, readTerms, saveBucket } from '../checks.ts'
import { readUnixTime } from '../clock.ts'
import { isMet, triggerIfDue } from '../conditions.ts'
import { genesisError } from '../errors.ts'
import { CLAIM_ACCOUNTS, openClaim, payClaim } from './claim.ts'
import { presaleDeposits } from './deposit-account.ts'

/** Gives a depositor the tokens that they bought in a presale. Anyone may send it, for any depositor. */
export function claimFromPresale(ctx: Invocation): void {
  const accounts = namedAccounts(ctx, GENESIS, CLAIM_ACCOUNTS)
  const { bucket, depositPda, recipient: owner, payer, baseMint: mint } = accounts
  openClaim(ctx, accounts)
  const sale = loadBucket(ctx, bucket, accounts.genesisAccount, presale)
  // The fee for a claim is paid in the launch's own token.
  assertFeeAccount(ctx, accounts.feeTokenAccount, mint, 'InvalidMintForTokenAccount')
  const deposit = presaleDeposits.load(ctx, { depositPda, bucket, owner })
  const now = readUnixTime(ctx)
  const claimStartCondition = triggerIfDue(sale.claimStartCondition, now)
  if (!isMet(claimStartCondition)) throw genesisError('ClaimNotStarted')
  if (deposit.claimed) throw genesisError('DepositAlreadyClaimed')
  if (isMet(triggerIfDue(sale.claimEndCondition, now))) throw genesisError('PresaleClaimEnded')

  const terms = readTerms(ctx, bucket, model)
  const entitled = entitledInPresale(terms, { amount: deposit.amountQuoteToken })
  const amountClaimed = releasedOf(terms.extensions.claimSchedule, entitled, now)
  const amount = amountClaimed - deposit.amountClaimed
  payClaim(ctx, accounts, amount)
  const claimed = amountClaimed === entitled
  presaleDeposits.save(ctx, { depositPda, payer }, { ...deposit, claimed, amountClaimed })
  saveBucket(
    ctx,
    bucket,
    presale.serialize({
      ...sale,
      depositEndCondition: triggerIfDue(sale.depositEndCondition, now),
      claimStartCondition,
      claimCount: sale.claimCount + (claimed ? 1n : 0n),
      bucket: { ...sale.bucket, baseTokenBalance: sale.bucket.baseTokenBalance - amount },
    }),
  )
}
