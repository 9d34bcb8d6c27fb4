import { assertSigner, namedAccounts } from '../../instruction-accounts.ts'
import type { Invocation } from '../../stand-in.ts'
import { presale } from '../buckets.ts'
import {
  assertFeeAccount,
  assertFinalized,
  assertMints,
  assertPrograms,
  GENESIS,
  loadBucket,
  saveBucket,
} from '../checks.ts'
import { readUnixTime } from '../clock.ts'
import { isMet, triggerIfDue } from '../conditions.ts'
import { genesisError } from '../errors.ts'
import { assertAssociated, ensureTokenAccount, moveTokens } from '../tokens.ts'
import { findPresaleDeposit, savePresaleDeposit } from './presale-account.ts'

/** Gives a depositor the tokens that they bought in a presale. Anyone may send it, for any depositor. */
export function claimFromPresale(ctx: Invocation): void {
  const accounts = namedAccounts(ctx, GENESIS, [
    'genesisAccount',
    'bucket',
    'baseMint',
    'quoteMint',
    'genesisBaseTokenAccount',
    'recipientBaseTokenAccount',
    'depositPda',
    'recipient',
    'payer',
    'backendSigner?',
    'feeTokenAccount',
    'baseTokenProgram',
    'quoteTokenProgram',
    'associatedTokenProgram',
    'systemProgram',
  ])
  const { bucket, depositPda, recipient: owner, payer, baseMint: mint, systemProgram } = accounts
  const tokenProgram = accounts.baseTokenProgram
  assertSigner(payer)
  assertPrograms([tokenProgram, accounts.quoteTokenProgram], accounts)
  assertMints(assertFinalized(ctx, accounts.genesisAccount), accounts)
  const sale = loadBucket(ctx, bucket, accounts.genesisAccount, presale)
  // The fee for a claim is paid in the launch's own token.
  assertFeeAccount(ctx, accounts.feeTokenAccount, mint, 'InvalidMintForTokenAccount')
  const { deposit } = findPresaleDeposit(ctx, { depositPda, bucket, owner })
  if (!deposit) throw genesisError('InvalidDepositPdaAccount')
  const now = readUnixTime(ctx)
  const claimStartCondition = triggerIfDue(sale.claimStartCondition, now)
  if (!isMet(claimStartCondition)) throw genesisError('ClaimNotStarted')
  if (deposit.claimed) throw genesisError('DepositAlreadyClaimed')

  const to = accounts.recipientBaseTokenAccount
  const amount = (sale.bucket.baseTokenAllocation * deposit.amountQuoteToken) / sale.allocationQuoteTokenCap
  assertAssociated({ account: to, owner, mint, tokenProgram })
  ensureTokenAccount(ctx, { account: to, owner, mint, payer, tokenProgram, systemProgram })
  moveTokens(
    ctx,
    { from: accounts.genesisBaseTokenAccount, to, authority: accounts.genesisAccount, tokenProgram },
    amount,
  )
  savePresaleDeposit(ctx, { depositPda, payer }, { ...deposit, claimed: true, amountClaimed: amount })
  saveBucket(
    ctx,
    bucket,
    presale.serialize({
      ...sale,
      depositEndCondition: triggerIfDue(sale.depositEndCondition, now),
      claimStartCondition,
      claimCount: sale.claimCount + 1n,
      bucket: { ...sale.bucket, baseTokenBalance: sale.bucket.baseTokenBalance - amount },
    }),
  )
}
