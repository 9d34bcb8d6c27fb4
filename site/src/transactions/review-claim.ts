import {
  associatedTokenAddress,
  bucketSignerAddress,
  poolAuthorityAddress,
  poolStateAddress,
  poolVaultAddress,
  raydiumSignerAddress,
} from '@slipway/launch-model/addresses'
import type { Address } from '@slipway/launch-model/programs'
import {
  ASSOCIATED_TOKEN_PROGRAM,
  GENESIS_PROGRAM,
  RAYDIUM_FEE_WALLET,
  RAYDIUM_PROGRAMS,
  type RaydiumEnvironment,
  SYSTEM_PROGRAM,
} from '@slipway/launch-model/programs'
import { shorten } from '../lib/format.ts'
import type { Instruction } from './decode-transaction.ts'
import { accountAt, assertAccounts, assertProgram, refuseInstruction } from './expect-instruction.ts'
import type { Intent, Step } from './intent.ts'
import { readFields } from './read-fields.ts'
import { assertTokenProgram, reviewTokenAccount, tokenName } from './token-account.ts'
import { refuse } from './unexpected.ts'

const COLLECT_FROM_POOL = 104n
const CLAIM_FROM_CURVE = 105n
const CLAIM_FROM_POOL = 106n

const RAYDIUM_ENVIRONMENTS = Object.keys(RAYDIUM_PROGRAMS) as RaydiumEnvironment[]

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
export function reviewClaim(
  instructions: readonly Instruction[],
  intent: Extract<Intent<Address>, { kind: 'claim' }>,
  wallet: Address,
): Step[] {
  const parties = { payer: wallet, recipient: intent.wallet }
  const claim = instructions.at(-1) ?? refuse('The transaction does nothing.')
  const { step, claimed, isPool } = reviewLast(claim, parties)
  const before = instructions.slice(0, -1)
  const opened: Step[] = []
  if (before[0]?.program === ASSOCIATED_TOKEN_PROGRAM) {
    const { recipient } = parties
    const { quoteMint: mint, quoteTokenProgram: tokenProgram } = claimed
    const { detail } = reviewTokenAccount(before.shift() as Instruction, {
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
  const collected = collect ? [reviewCollect(collect, parties, claimed)] : []
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

function reviewLast(instruction: Instruction, { payer, recipient }: Parties) {
  const kind = decodeKind(instruction)
  if (kind !== CLAIM_FROM_CURVE && kind !== CLAIM_FROM_POOL) refuseInstruction()
  const isPool = kind === CLAIM_FROM_POOL
  const at = (index: number) => accountAt(instruction, index)
  const [genesis, bucket, baseMint, quoteMint] = [at(0), at(1), at(2), at(3)]
  const quoteTokenProgram = at(isPool ? 9 : 8)
  assertTokenProgram(quoteTokenProgram)
  const holder = isPool ? bucketSignerAddress(bucket) : bucket
  assertAccounts(instruction, [
    ['the launch', genesis],
    ['the source', bucket],
    ['the launch’s token', baseMint],
    ['the token that is paid out', quoteMint],
    ...(isPool ? ([['the holder of the fees', holder]] as const) : []),
    ['the account that holds the fees', associatedTokenAddress(quoteMint, holder, quoteTokenProgram)],
    ['the recipient', recipient],
    ['the recipient’s token account', associatedTokenAddress(quoteMint, recipient, quoteTokenProgram)],
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

function reviewCollect(instruction: Instruction, { payer }: Parties, claimed: Claimed): Step {
  if (decodeKind(instruction) !== COLLECT_FROM_POOL) refuseInstruction()
  const { bucket, genesis, baseMint, quoteMint, quoteTokenProgram } = claimed
  const at = (index: number) => accountAt(instruction, index)
  const [ammConfig, raydium, baseTokenProgram] = [at(5), at(17), at(18)]
  const environment =
    RAYDIUM_ENVIRONMENTS.find(name => RAYDIUM_PROGRAMS[name] === raydium) ??
    refuse(`The transaction calls ${raydium}, which isn’t Raydium.`)
  assertTokenProgram(baseTokenProgram)
  const poolState = poolStateAddress(bucket)
  const bucketSigner = bucketSignerAddress(bucket)
  const raydiumSigner = raydiumSignerAddress()
  const quoteTokens = (owner: Address) => associatedTokenAddress(quoteMint, owner, quoteTokenProgram)
  assertAccounts(instruction, [
    ['the launch’s token', baseMint],
    ['the token that is paid out', quoteMint],
    ['the pool’s creator', raydiumSigner],
    ['the payer', payer],
    ['the pool', poolState],
    ['the pool’s configuration', ammConfig],
    ['the pool’s authority', poolAuthorityAddress(environment)],
    ['the pool’s vault', poolVaultAddress(environment, poolState, baseMint)],
    ['the pool’s vault', poolVaultAddress(environment, poolState, quoteMint)],
    ['the creator’s token account', associatedTokenAddress(baseMint, raydiumSigner, baseTokenProgram)],
    ['the creator’s token account', quoteTokens(raydiumSigner)],
    ['the protocol’s fee wallet', RAYDIUM_FEE_WALLET],
    ['the protocol’s token account', quoteTokens(RAYDIUM_FEE_WALLET)],
    ['the launch', genesis],
    ['the source', bucket],
    ['the holder of the fees', bucketSigner],
    ['the account that holds the fees', quoteTokens(bucketSigner)],
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
