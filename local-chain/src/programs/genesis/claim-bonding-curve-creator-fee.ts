import {
  findBondingCurveBucketV2Pda,
  getBondingCurveBucketV2AccountDataSerializer,
  Key,
} from '@metaplex-foundation/genesis'
import { assertSigner, namedAccounts } from '../instruction-accounts.ts'
import type { Invocation } from '../stand-in.ts'
import { umi } from '../umi-context.ts'
import {
  assertCreatorAccount,
  assertCreatorFeeWallet,
  assertHolder,
  assertMints,
  assertPrograms,
  GENESIS,
  loadBucket,
  loadGenesis,
} from './checks.ts'
import { genesisError } from './errors.ts'
import { claimable, ensureTokenAccount, moveTokens } from './tokens.ts'

/** Pays what a bonding curve has accrued for its creator, to the creator, whoever asks. */
export function claimBondingCurveCreatorFee(ctx: Invocation): void {
  const accounts = namedAccounts(ctx, GENESIS, [
    'genesisAccount',
    'bucket',
    'baseMint',
    'quoteMint',
    'bucketQuoteTokenAccount',
    'creatorFeeWallet',
    'creatorFeeWalletQuoteTokenAccount',
    'payer',
    'quoteTokenProgram',
    'associatedTokenProgram',
    'systemProgram',
  ])
  const { bucket, genesisAccount, quoteMint, quoteTokenProgram } = accounts
  assertSigner(accounts.payer)
  assertPrograms({
    tokens: [quoteTokenProgram],
    associatedToken: accounts.associatedTokenProgram,
    system: accounts.systemProgram,
  })
  const genesis = loadGenesis(ctx, genesisAccount)
  const serializer = getBondingCurveBucketV2AccountDataSerializer()
  const decoded = loadBucket(ctx, bucket, genesisAccount, {
    key: Key.BondingCurveBucketV2,
    deserialize: data => serializer.deserialize(data),
    address: seeds => findBondingCurveBucketV2Pda(umi, seeds)[0],
  })
  assertMints(genesis, accounts)
  assertCreatorFeeWallet(accounts.creatorFeeWallet, decoded.extensions.creatorFee)
  assertHolder(ctx, accounts.bucketQuoteTokenAccount, bucket, quoteMint)
  assertCreatorAccount(ctx, accounts.creatorFeeWalletQuoteTokenAccount, accounts.creatorFeeWallet, quoteMint)
  const amount = claimable(decoded.creatorFeeAccrued, decoded.creatorFeeClaimed)

  ensureTokenAccount(ctx, {
    account: accounts.creatorFeeWalletQuoteTokenAccount,
    owner: accounts.creatorFeeWallet,
    mint: quoteMint,
    payer: accounts.payer,
    tokenProgram: quoteTokenProgram,
    systemProgram: accounts.systemProgram,
  })
  moveTokens(
    ctx,
    {
      from: accounts.bucketQuoteTokenAccount,
      to: accounts.creatorFeeWalletQuoteTokenAccount,
      mint: quoteMint,
      authority: bucket,
      tokenProgram: quoteTokenProgram,
    },
    amount,
  )
  const account = ctx.read(bucket.address)
  if (!account) throw genesisError('InvalidBucket')
  ctx.write(bucket.address, {
    ...account,
    data: serializer.serialize({ ...decoded, creatorFeeClaimed: decoded.creatorFeeClaimed + amount }),
  })
}
