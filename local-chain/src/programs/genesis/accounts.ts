import { namedAccounts } from '../instruction-accounts.ts'
import type { AccountRef, Invocation } from '../stand-in.ts'
import { GENESIS } from './checks.ts'

const BUCKET = 'genesisAccount bucket baseMint quoteMint'
const PROGRAMS = 'quoteTokenProgram associatedTokenProgram systemProgram'
const TOKENS = `baseTokenProgram ${PROGRAMS}` as const

/** The accounts of each instruction, in order. Some take more after them. */
// biome-ignore format: one instruction per line
const ACCOUNTS = {
  initialize: 'genesisAccount baseMint quoteMint genesisBaseTokenAccount genesisQuoteTokenAccount payer authority? metadata feeWallet feeQuoteTokenAccount authoritySourceBaseTokenAccount? baseTokenProgram quoteTokenProgram associatedTokenProgram tokenMetadataProgram systemProgram',
  finalize: 'genesisAccount baseMint authority',
  setBehaviors: 'genesisAccount bucket payer authority? systemProgram',
  addBucket: `${BUCKET} bucketQuoteTokenAccount payer authority? ${PROGRAMS}`,
  extendBucket: 'genesisAccount bucket payer authority?',
  addWholeCurve: `${BUCKET} bucketQuoteTokenAccount payer authority? firstBuyer? ${PROGRAMS}`,
  extendCurve: 'genesisAccount bucket payer authority? firstBuyer?',
  addRaydium: `genesisAccount bucket bucketSigner baseMint quoteMint raydiumSigner bucketSignerQuoteTokenAccount payer authority? ${TOKENS}`,
  addWholeRaydium: `${BUCKET} bucketSigner raydiumSigner bucketSignerQuoteTokenAccount payer authority? ${TOKENS}`,
  addUnlocked: `${BUCKET} bucketQuoteTokenAccount payer authority? recipient ${PROGRAMS}`,
  deposit: `${BUCKET} recipientBaseTokenAccount depositorQuoteTokenAccount bucketQuoteTokenAccount depositPda rentPayer depositor recipient? backendSigner? feeQuoteTokenAccount ${TOKENS}`,
  withdraw: `${BUCKET} withdrawerBaseTokenAccount bucketQuoteTokenAccount withdrawerQuoteTokenAccount depositPda payer withdrawer? backendSigner? feeQuoteTokenAccount ${TOKENS}`,
  refund: `${BUCKET} recipientBaseTokenAccount bucketQuoteTokenAccount recipientQuoteTokenAccount depositPda recipient payer backendSigner? ${TOKENS}`,
  claim: `${BUCKET} genesisBaseTokenAccount recipientBaseTokenAccount depositPda recipient payer backendSigner? feeTokenAccount ${TOKENS}`,
  claimUnlocked: `${BUCKET} bucketQuoteTokenAccount genesisBaseTokenAccount recipientBaseTokenAccount recipientQuoteTokenAccount recipient payer backendSigner? feeQuoteTokenAccount ${TOKENS}`,
  swap: `${BUCKET} genesisBaseTokenAccount baseTokenAccount quoteTokenAccount bucketQuoteTokenAccount payer quoteTokenOwner? baseTokenOwner? backendSigner? feeQuoteTokenAccount ${TOKENS}`,
  emitEvent: 'genesisAccount',
  graduate: `${BUCKET} bucketSigner raydiumSigner genesisBaseTokenAccount bucketSignerQuoteTokenAccount bucketSignerLpTokenAccount raydiumSignerBaseTokenAccount raydiumSignerQuoteTokenAccount raydiumSignerLpTokenAccount poolState ammConfig poolAuthority lpMint baseVault quoteVault createPoolFee observationState permission payer? backendSigner? raydiumProgram ${TOKENS} rent`,
  triggerBehaviors: `genesisAccount genesisQuoteTokenAccount primaryBucket primaryBucketQuoteTokenAccount baseMint quoteMint payer feeQuoteTokenAccount ${TOKENS}`,
  triggerConditions: 'genesisAccount bucket baseMint payer',
  claimCurveFees: `${BUCKET} bucketQuoteTokenAccount creatorFeeWallet creatorFeeWalletQuoteTokenAccount payer ${PROGRAMS}`,
  claimPoolFees: `${BUCKET} bucketSigner bucketSignerQuoteTokenAccount creatorFeeWallet creatorFeeWalletQuoteTokenAccount payer ${PROGRAMS}`,
  collectPoolFees: `baseMint quoteMint raydiumSigner payer poolState ammConfig poolAuthority baseVault quoteVault raydiumSignerBaseTokenAccount raydiumSignerQuoteTokenAccount feeWallet feeWalletQuoteTokenAccount genesisAccount raydiumCpmmBucket bucketSigner bucketSignerQuoteTokenAccount raydiumProgram ${TOKENS}`,
} as const

type Split<Text extends string> = Text extends `${infer First} ${infer Rest}` ? First | Split<Rest> : Text
type Optional<Name extends string> = Name extends `${infer Plain}?` ? Plain : never
type Names<Instruction extends keyof typeof ACCOUNTS> = Split<(typeof ACCOUNTS)[Instruction]>
export type AccountsOf<Instruction extends keyof typeof ACCOUNTS> = Record<
  Exclude<Names<Instruction>, `${string}?`>,
  AccountRef
> &
  Partial<Record<Optional<Names<Instruction>>, AccountRef>>

const lists = Object.fromEntries(Object.entries(ACCOUNTS).map(([name, list]) => [name, list.split(' ')]))

export const accountsOf = <Instruction extends keyof typeof ACCOUNTS>(
  ctx: Invocation,
  instruction: Instruction,
): AccountsOf<Instruction> =>
  namedAccounts(ctx, GENESIS, lists[instruction] as never[]) as unknown as AccountsOf<Instruction>

/** What an instruction takes after the accounts that have names. */
export const otherAccounts = ({ accounts }: Invocation, instruction: keyof typeof ACCOUNTS): AccountRef[] =>
  accounts.slice(lists[instruction]?.length)
