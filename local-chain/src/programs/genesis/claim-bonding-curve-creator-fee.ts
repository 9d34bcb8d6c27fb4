import {
  findBondingCurveBucketV2Pda,
  getBondingCurveBucketV2AccountDataSerializer,
  Key,
} from '@metaplex-foundation/genesis'
import { assertSigner, namedAccounts } from '../instruction-accounts.ts'
import type { Invocation } from '../stand-in.ts'
import { umi } from '../umi-context.ts'
import { assertMints, assertPrograms, GENESIS, loadBucket, loadGenesis, saveBucket } from './checks.ts'
import { payCreator } from './pay-creator.ts'

/** Pays out what a bonding curve has accrued. */
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
  const { bucket, genesisAccount } = accounts
  assertSigner(accounts.payer)
  assertPrograms([accounts.quoteTokenProgram], accounts)
  const genesis = loadGenesis(ctx, genesisAccount)
  const serializer = getBondingCurveBucketV2AccountDataSerializer()
  const decoded = loadBucket(ctx, bucket, genesisAccount, {
    key: Key.BondingCurveBucketV2,
    deserialize: data => serializer.deserialize(data),
    address: seeds => findBondingCurveBucketV2Pda(umi, seeds)[0],
  })
  assertMints(genesis, accounts)
  const source = { account: accounts.bucketQuoteTokenAccount, owner: bucket }
  const paid = payCreator(ctx, decoded, source, accounts)
  saveBucket(ctx, bucket, serializer.serialize({ ...decoded, ...paid }))
}
