import { findGenesisAccountV2Pda, type InitializeV2InstructionData, Key } from '@metaplex-foundation/genesis'
import { systemCreateAccount, systemTransfer } from '../../../ledger/system-instructions.ts'
import { decodeMint } from '../../../ledger/token-balances.ts'
import { assertSigner, createAccount } from '../../instruction-accounts.ts'
import type { AccountRef, Invocation } from '../../stand-in.ts'
import { umi } from '../../umi-context.ts'
import { accountsOf, otherAccounts } from '../accounts.ts'
import { type AnyBucket, blank, decodeBucket } from '../buckets.ts'
import {
  asKey,
  assertPrograms,
  FEE_WALLET,
  GENESIS,
  genesisError,
  genesisSerializer,
  loadGenesis,
} from '../checks.ts'
import {
  assertTextFits,
  encodeMetadata,
  METADATA_FEE_LAMPORTS,
  metadataAddress,
  TOKEN_METADATA,
  type TokenText,
} from '../token-metadata.ts'
import { ensureTokenAccount, initializeMint, mintTokens } from '../tokens.ts'
import { saveGenesis } from './add-bucket.ts'

const MINT_BYTES = 82
const BLANK = blank(genesisSerializer, Key.GenesisAccountV2)
const FUNDED_BY_MINT = 0
const FUNDED_BY_TRANSFER = 1

/** Creates a launch and its token, and mints the whole supply to the launch. */
export function initialize(ctx: Invocation, args: InitializeV2InstructionData): void {
  const accounts = accountsOf(ctx, 'initialize')
  const { genesisAccount, baseMint, quoteMint, payer, quoteTokenProgram, systemProgram } = accounts
  const authority = accounts.authority ?? payer
  assertSigner(baseMint)
  assertSigner(payer)
  assertSigner(authority)
  assertPrograms([accounts.baseTokenProgram, quoteTokenProgram], accounts)
  if (accounts.tokenMetadataProgram.address !== TOKEN_METADATA)
    throw genesisError('InvalidTokenMetadataProgram')
  if (args.fundingMode > FUNDED_BY_TRANSFER) throw genesisError('InvalidFundingMode')
  if (args.fundingMode !== FUNDED_BY_MINT) {
    ctx.log('A launch of an existing token needs the real program: npm run chain:programs')
    throw genesisError('InstructionNotImplemented')
  }
  const [address, bump] = findGenesisAccountV2Pda(umi, {
    baseMint: asKey(baseMint.address),
    genesisIndex: args.genesisIndex,
  })
  if (address !== asKey(genesisAccount.address)) throw genesisError('InvalidGenesisAccountDerivation')
  if (!decodeMint(ctx.read(quoteMint.address))) throw genesisError('InvalidQuoteMint')
  if (accounts.feeWallet.address !== FEE_WALLET) throw genesisError('InvalidFeeWallet')
  if (metadataAddress(asKey(baseMint.address)) !== asKey(accounts.metadata.address))
    throw genesisError('InvalidMetadataAccount')

  const quoteAccount = (account: AccountRef, owner: AccountRef) =>
    ensureTokenAccount(ctx, {
      account,
      owner,
      mint: quoteMint,
      payer,
      tokenProgram: quoteTokenProgram,
      systemProgram,
    })
  quoteAccount(accounts.genesisQuoteTokenAccount, genesisAccount)
  quoteAccount(accounts.feeQuoteTokenAccount, accounts.feeWallet)
  createMint(ctx, accounts, args)
  createMetadata(ctx, { ...accounts, authority }, args)
  const data = genesisSerializer.serialize({
    ...BLANK,
    bump,
    index: args.genesisIndex,
    authority: asKey(authority.address),
    baseMint: asKey(baseMint.address),
    quoteMint: asKey(quoteMint.address),
    totalSupplyBaseToken: args.totalSupplyBaseToken,
    fundingMode: args.fundingMode,
  })
  createAccount(ctx, { created: genesisAccount, payer, owner: GENESIS }, data)
}

function createMint(
  ctx: Invocation,
  accounts: Record<
    | 'baseMint'
    | 'genesisAccount'
    | 'genesisBaseTokenAccount'
    | 'payer'
    | 'baseTokenProgram'
    | 'systemProgram',
    AccountRef
  >,
  { decimals, totalSupplyBaseToken }: InitializeV2InstructionData,
): void {
  const { baseMint: mint, genesisAccount: owner, payer, systemProgram } = accounts
  const { baseTokenProgram: tokenProgram, genesisBaseTokenAccount: account } = accounts
  const lamports = ctx.rentExemptMinimum(MINT_BYTES)
  ctx.invoke(
    systemCreateAccount(payer.address, mint.address, {
      lamports,
      space: MINT_BYTES,
      owner: tokenProgram.address,
    }),
  )
  initializeMint(ctx, { mint, authority: owner, tokenProgram }, decimals)
  ensureTokenAccount(ctx, { account, owner, mint, payer, tokenProgram, systemProgram })
  mintTokens(ctx, { mint, to: account, authority: owner, tokenProgram }, totalSupplyBaseToken)
}

/** On the real chain, Token Metadata creates this account; here this stand-in does. */
function createMetadata(
  ctx: Invocation,
  {
    metadata,
    baseMint,
    authority,
    payer,
  }: Record<'metadata' | 'baseMint' | 'authority' | 'payer', AccountRef>,
  text: TokenText,
): void {
  assertTextFits(text)
  const data = encodeMetadata(asKey(baseMint.address), asKey(authority.address), text)
  createAccount(ctx, { created: metadata, payer, owner: TOKEN_METADATA }, data)
  ctx.invoke(systemTransfer(payer.address, metadata.address, METADATA_FEE_LAMPORTS))
}

/** Opens a launch for deposits and trades. Its buckets cannot change afterwards. */
export function finalize(ctx: Invocation): void {
  const { genesisAccount, baseMint, authority } = accountsOf(ctx, 'finalize')
  assertSigner(authority)
  const genesis = loadGenesis(ctx, genesisAccount)
  if (genesis.baseMint !== asKey(baseMint.address)) throw genesisError('InvalidMintForGenesisAccount')
  if (genesis.authority !== asKey(authority.address)) throw genesisError('InvalidAuthority')
  if (genesis.finalized) throw genesisError('GenesisAccountAlreadyFinalized')
  if (genesis.totalAllocatedSupplyBaseToken !== genesis.totalSupplyBaseToken)
    throw genesisError('TotalSupplyNotFullyAllocated')

  const buckets = otherAccounts(ctx, 'finalize')
  if (buckets.length !== genesis.bucketCount) throw genesisError('MissingFinalizeBucketAccounts')
  if (new Set(buckets.map(({ address }) => address)).size !== buckets.length)
    throw genesisError('InvalidBucket')
  for (const ref of buckets) assertGraduates(loadAnyBucket(ctx, ref, genesisAccount))
  saveGenesis(ctx, genesisAccount, { ...genesis, finalized: true })
}

export function loadAnyBucket(ctx: Invocation, ref: AccountRef, genesisAccount: AccountRef): AnyBucket {
  const account = ctx.read(ref.address)
  const decoded = account?.owner === GENESIS ? decodeBucket(account.data) : undefined
  if (decoded?.bucket.genesis !== asKey(genesisAccount.address)) throw genesisError('InvalidBucket')
  return decoded
}

/** The program checks that the proceeds go somewhere, but not that the destination exists or gets all of them. */
function assertGraduates(bucket: AnyBucket): void {
  const error = MISSING_BEHAVIOR[bucket.key]
  if (!error || !('endBehaviors' in bucket)) return
  if (!bucket.endBehaviors.some(({ __kind }) => __kind === 'SendQuoteTokenPercentage'))
    throw genesisError(error)
}

const MISSING_BEHAVIOR: Partial<Record<Key, string>> = {
  [Key.LaunchPoolBucketV2]: 'LaunchPoolMissingGraduationBehavior',
  [Key.BondingCurveBucketV2]: 'BondingCurveMissingGraduationBehavior',
}
