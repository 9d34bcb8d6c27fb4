import type { Option, PublicKey } from '@metaplex-foundation/umi'
import type { AccountRef, Invocation } from '../stand-in.ts'
import { assertCreatorAccount, assertCreatorFeeWallet, assertHolder } from './checks.ts'
import { genesisError } from './errors.ts'
import { ensureTokenAccount, moveTokens } from './tokens.ts'

type Bucket = {
  readonly creatorFeeAccrued: bigint
  readonly creatorFeeClaimed: bigint
  readonly extensions: { readonly creatorFee: Option<{ wallet: PublicKey }> }
}

/**
 * Pays a bucket's accrued fees to its creator, no matter who sent the transaction. Returns the bucket's changed
 * field.
 */
export function payCreator(
  ctx: Invocation,
  { creatorFeeAccrued: accrued, creatorFeeClaimed: claimed, extensions }: Bucket,
  /** The token account that pays, and its owner. */
  { account, owner }: { account: AccountRef; owner: AccountRef },
  accounts: Record<
    | 'creatorFeeWallet'
    | 'creatorFeeWalletQuoteTokenAccount'
    | 'quoteMint'
    | 'quoteTokenProgram'
    | 'payer'
    | 'systemProgram',
    AccountRef
  >,
): { creatorFeeClaimed: bigint } {
  const { creatorFeeWallet, creatorFeeWalletQuoteTokenAccount: to, quoteMint: mint } = accounts
  const tokenProgram = accounts.quoteTokenProgram
  assertCreatorFeeWallet(creatorFeeWallet, extensions.creatorFee)
  assertHolder(ctx, account, owner, mint)
  assertCreatorAccount(ctx, to, creatorFeeWallet, mint)
  if (accrued <= claimed) throw genesisError('InsufficientFunds')

  const { payer, systemProgram } = accounts
  ensureTokenAccount(ctx, { account: to, owner: creatorFeeWallet, mint, payer, tokenProgram, systemProgram })
  moveTokens(ctx, { from: account, to, authority: owner, tokenProgram }, accrued - claimed)
  return { creatorFeeClaimed: accrued }
}
