import type { Address } from '@slipway/client'
import { shorten } from '../lib/format.ts'
import {
  bucketSignerAddress,
  poolAuthorityAddress,
  poolStateAddress,
  poolVaultAddress,
  raydiumSignerAddress,
  tokenAccountAddress,
} from './addresses.ts'
import type { Instruction } from './decode-transaction.ts'
import { accountAt, assertAccounts, assertProgram, refuseInstruction } from './expect-instruction.ts'
import type { Intent, Step } from './intent.ts'
import {
  ASSOCIATED_TOKEN_PROGRAM,
  GENESIS_PROGRAM,
  RAYDIUM_FEE_WALLET,
  RAYDIUM_PROGRAMS,
  SYSTEM_PROGRAM,
} from './programs.ts'
import { readFields } from './read-fields.ts'
import { assertTokenProgram, reviewTokenAccount, tokenName } from './token-account.ts'
import { refuse } from './unexpected.ts'

const COLLECT_FROM_POOL = 104n
const CLAIM_FROM_CURVE = 105n
const CLAIM_FROM_POOL = 106n

interface Parties {
  payer: Address
  recipient: Address
}
/** What the instructions of one claim must have in common. */
interface Claimed {
  bucket: Address
  genesis: Address
  baseMint: Address
  quoteMint: Address
  quoteTokenProgram: Address
}

/**
 * One claim from one bucket. Before it, the recipient's token account may be created, and fees that are still in the pool
 * collected.
 */
export async function reviewClaim(
  instructions: readonly Instruction[],
  intent: Extract<Intent, { kind: 'claim' }>,
  wallet: Address,
): Promise<Step[]> {
  const parties = { payer: wallet, recipient: intent.wallet }
  const claim = instructions.at(-1) ?? refuse('The transaction does nothing.')
  const { step, claimed, isPool } = await reviewLast(claim, parties)
  const before = instructions.slice(0, -1)
  const opened: Step[] = []
  if (before[0]?.program === ASSOCIATED_TOKEN_PROGRAM) {
    const { recipient } = parties
    const { quoteMint: mint, quoteTokenProgram: tokenProgram } = claimed
    const { detail } = await reviewTokenAccount(before.shift() as Instruction, {
      payer: wallet,
      owner: recipient,
      mint,
      tokenProgram,
    })
    // Each claim has it, so it is kept short, and below what the claim is about.
    opened.push({
      text: `Before that, open its ${tokenName(mint)} account if needed`,
      ...(detail && { detail }),
    })
  }
  const collect = isPool ? before.shift() : undefined
  const collected = collect ? [await reviewCollect(collect, parties, claimed)] : []
  if (before.length > 0) refuse('The transaction does more than claim creator fees.')
  return [...collected, step, ...opened]
}

function decodeKind(instruction: Instruction): bigint {
  assertProgram(instruction, GENESIS_PROGRAM)
  const fields = readFields(instruction.data)
  const kind = fields.u64()
  fields.end()
  return kind
}

async function reviewLast(instruction: Instruction, { payer, recipient }: Parties) {
  const kind = decodeKind(instruction)
  if (kind !== CLAIM_FROM_CURVE && kind !== CLAIM_FROM_POOL) refuseInstruction()
  const isPool = kind === CLAIM_FROM_POOL
  const at = (index: number) => accountAt(instruction, index)
  const [genesis, bucket, baseMint, quoteMint] = [at(0), at(1), at(2), at(3)]
  const quoteTokenProgram = at(isPool ? 9 : 8)
  assertTokenProgram(quoteTokenProgram)
  const holder = isPool ? await bucketSignerAddress(bucket) : bucket
  assertAccounts(instruction, [
    ['the launch', genesis],
    ['the source', bucket],
    ['the launch’s token', baseMint],
    ['the token that is paid out', quoteMint],
    ...(isPool ? ([['the holder of the fees', holder]] as const) : []),
    ['the account that holds the fees', await tokenAccountAddress(quoteMint, holder, quoteTokenProgram)],
    ['the recipient', recipient],
    ['the recipient’s token account', await tokenAccountAddress(quoteMint, recipient, quoteTokenProgram)],
    ['the payer', payer],
    ['the token program', quoteTokenProgram],
    ['the program of token accounts', ASSOCIATED_TOKEN_PROGRAM],
    ['the system program', SYSTEM_PROGRAM],
  ])
  const source = isPool ? 'liquidity pool' : 'bonding curve'
  const to = recipient === payer ? 'your wallet' : `the wallet ${shorten(recipient)}`
  const step: Step = {
    text: `Pay all creator fees of the ${source} ${shorten(bucket)} to ${to}, in ${tokenName(quoteMint)}`,
    detail: `From ${bucket} of the launch ${genesis} (token ${baseMint}) to ${recipient}, in ${quoteMint}`,
  }
  return { step, isPool, claimed: { bucket, genesis, baseMint, quoteMint, quoteTokenProgram } }
}

async function reviewCollect(instruction: Instruction, { payer }: Parties, claimed: Claimed): Promise<Step> {
  if (decodeKind(instruction) !== COLLECT_FROM_POOL) refuseInstruction()
  const { bucket, genesis, baseMint, quoteMint, quoteTokenProgram } = claimed
  const at = (index: number) => accountAt(instruction, index)
  const [ammConfig, raydium, baseTokenProgram] = [at(5), at(17), at(18)]
  if (!RAYDIUM_PROGRAMS.includes(raydium)) refuse(`The transaction calls ${raydium}, which isn’t Raydium.`)
  assertTokenProgram(baseTokenProgram)
  const poolState = await poolStateAddress(bucket)
  const bucketSigner = await bucketSignerAddress(bucket)
  const raydiumSigner = await raydiumSignerAddress()
  const quoteTokens = (owner: Address) => tokenAccountAddress(quoteMint, owner, quoteTokenProgram)
  assertAccounts(instruction, [
    ['the launch’s token', baseMint],
    ['the token that is paid out', quoteMint],
    ['the pool’s creator', raydiumSigner],
    ['the payer', payer],
    ['the pool', poolState],
    ['the pool’s configuration', ammConfig],
    ['the pool’s authority', await poolAuthorityAddress(raydium)],
    ['the pool’s vault', await poolVaultAddress(raydium, poolState, baseMint)],
    ['the pool’s vault', await poolVaultAddress(raydium, poolState, quoteMint)],
    ['the creator’s token account', await tokenAccountAddress(baseMint, raydiumSigner, baseTokenProgram)],
    ['the creator’s token account', await quoteTokens(raydiumSigner)],
    ['the protocol’s fee wallet', RAYDIUM_FEE_WALLET],
    ['the protocol’s token account', await quoteTokens(RAYDIUM_FEE_WALLET)],
    ['the launch', genesis],
    ['the source', bucket],
    ['the holder of the fees', bucketSigner],
    ['the account that holds the fees', await quoteTokens(bucketSigner)],
    ['Raydium', raydium],
    ['the token program', baseTokenProgram],
    ['the token program', quoteTokenProgram],
    ['the program of token accounts', ASSOCIATED_TOKEN_PROGRAM],
    ['the system program', SYSTEM_PROGRAM],
  ])
  return {
    text: `Collect the fees that the liquidity pool ${shorten(poolState)} still holds`,
    detail: `Pool ${poolState} with configuration ${ammConfig}, program ${raydium}, token program ${baseTokenProgram}`,
  }
}
