import { formatAmount } from '@slipway/client'
import { assetSignerAddress, associatedTokenAddress } from '@slipway/launch-model/addresses'
import { type CallKind, decodeCall, isOfKind } from '@slipway/launch-model/call'
import { closeTokenAccount, syncNative, transferTokens } from '@slipway/launch-model/calls/tokens'
import {
  type Address,
  ASSOCIATED_TOKEN_PROGRAM,
  TOKEN_PROGRAM,
  WRAPPED_NATIVE_MINT,
} from '@slipway/launch-model/programs'
import { shorten } from '../lib/format.ts'
import type { Instruction } from './decode-transaction.ts'
import { decodeExecute } from './execute.ts'
import { accountAt, assertAccounts, assertCount, refuseInstruction } from './expect-instruction.ts'
import type { Intent, Step } from './intent.ts'
import { assertAgentWallet, reviewMemo } from './review-fund.ts'
import { assertTokenProgram, reviewTokenAccount, tokenName } from './token-account.ts'
import { decodeTransfer, formatSol } from './transfer.ts'
import { refuse } from './unexpected.ts'

type TokenIntent<Kind extends string> = Extract<Intent<Address>, { kind: Kind }>

/** Tokens from the agent's wallet to its owner. Wrapped currency arrives as SOL. */
export function reviewWithdrawToken(
  instructions: readonly Instruction[],
  intent: TokenIntent<'withdraw-token'>,
  wallet: Address,
): Step[] {
  const agentWallet = assetSignerAddress(intent.agent)
  assertAgentWallet(intent, agentWallet)
  const collections = new Set<Address | undefined>()
  const executed = (instruction: Instruction | undefined) => {
    const named = instruction ?? refuse('The transaction does less than this page said.')
    const { inner, collection } = decodeExecute(named, { agent: intent.agent, owner: wallet })
    collections.add(collection)
    return inner
  }
  const steps = reviewMove(instructions, intent, wallet, executed)
  const [collection, ...others] = collections
  if (others.length > 0) refuse('The transaction names different collections for one agent.')
  const last = steps.at(-1) as Step
  const detail = collection ? `${last.detail}. The agent’s collection is ${collection}` : (last.detail ?? '')
  return [...steps.slice(0, -1), { ...last, detail }]
}

function reviewMove(
  instructions: readonly Instruction[],
  intent: TokenIntent<'withdraw-token'>,
  wallet: Address,
  executed: Executed,
): Step[] {
  if (intent.mint !== WRAPPED_NATIVE_MINT) return reviewTransfers(instructions, intent, wallet, executed)
  return intent.amount === 'all'
    ? reviewUnwrapping(instructions, intent, wallet, executed)
    : reviewPartlyUnwrapping(instructions, { ...intent, amount: intent.amount }, wallet, executed)
}

type Executed = (instruction: Instruction | undefined) => Instruction

function reviewTransfers(
  instructions: readonly Instruction[],
  { agentWallet, mint, decimals, amount }: TokenIntent<'withdraw-token'>,
  wallet: Address,
  executed: Executed,
): Step[] {
  const [first, ...transfers] = instructions
  if (first?.program !== ASSOCIATED_TOKEN_PROGRAM || transfers.length === 0) refuseInstruction()
  const tokenProgram = accountAt(first as Instruction, 5)
  assertTokenProgram(tokenProgram)
  const opened = reviewTokenAccount(first as Instruction, {
    payer: wallet,
    owner: wallet,
    mint,
    tokenProgram,
  })
  const to = associatedTokenAddress(mint, wallet, tokenProgram)
  let moved = 0n
  const sources: Address[] = []
  for (const transfer of transfers) {
    const inner = executed(transfer)
    const source = accountAt(inner, 0)
    sources.push(source)
    moved += decodeTokenTransfer(inner, tokenProgram, decimals)
    assertAccounts(inner, [
      ['the sender’s account', source],
      ['the token', mint],
      ['the recipient’s account', to],
      ['the sender', agentWallet],
    ])
  }
  assertAmount(moved, amount, decimals)
  return [
    opened,
    {
      text: `Move ${formatAmount(moved, decimals)} of the token ${shorten(mint)} from the agent’s wallet ${shorten(agentWallet)} to your wallet`,
      detail: `From ${sources.join(', ')} of ${agentWallet} to ${to} of ${wallet}, token ${mint}, program ${tokenProgram}`,
    },
  ]
}

/**
 * Each account is closed, and everything in it becomes SOL in the owner's wallet. The bytes don't say how much that
 * is.
 */
function reviewUnwrapping(
  instructions: readonly Instruction[],
  { agentWallet }: TokenIntent<'withdraw-token'>,
  wallet: Address,
  executed: Executed,
): Step[] {
  if (instructions.length === 0) refuse('The transaction does nothing.')
  return instructions.map(instruction => {
    const inner = executed(instruction)
    const account = assertClose(inner, { recipient: wallet, owner: agentWallet })
    return {
      text: `Turn all wrapped SOL in the agent’s account ${shorten(account)} into SOL in your wallet, and close the account`,
      detail: `Account ${account} of ${agentWallet}, to ${wallet}, with the rent of the account`,
    }
  })
}

/** Everything goes through the agent's wallet, and the remainder is wrapped again. */
function reviewPartlyUnwrapping(
  instructions: readonly Instruction[],
  { agentWallet, mint, decimals, amount }: TokenIntent<'withdraw-token'> & { amount: bigint },
  wallet: Address,
  executed: Executed,
): Step[] {
  assertCount(instructions, 4)
  const [close, pay, refill] = instructions.slice(0, 3).map(executed) as [
    Instruction,
    Instruction,
    Instruction,
  ]
  const account = associatedTokenAddress(mint, agentWallet, TOKEN_PROGRAM)
  if (assertClose(close, { recipient: agentWallet, owner: agentWallet }) !== account)
    refuse('The transaction closes an account other than the agent’s own for wrapped SOL.')
  const moved = decodeTransfer(pay)
  assertAmount(moved, amount, decimals)
  assertAccounts(pay, [
    ['the sender', agentWallet],
    ['the recipient', wallet],
  ])
  const rest = decodeTransfer(refill)
  assertAccounts(refill, [
    ['the sender', agentWallet],
    ['the recipient', account],
  ])
  const opening = { payer: wallet, owner: agentWallet, mint, tokenProgram: TOKEN_PROGRAM }
  reviewTokenAccount(instructions[3] as Instruction, opening)
  return [
    {
      text: `Turn ${formatSol(moved)} of the agent’s wrapped SOL into SOL in your wallet`,
      detail: `From ${account} of ${agentWallet} to ${wallet}`,
      movedLamports: -moved,
    },
    {
      text: 'Wrap the rest again, in the same account of the agent',
      detail: `${formatSol(rest)} to ${account}, with the rent of the account`,
    },
  ]
}

/** Tokens from the sender to the agent's wallet, and the public note. SOL is wrapped on the way. */
export function reviewFundToken(
  instructions: readonly Instruction[],
  intent: TokenIntent<'fund-token'>,
  wallet: Address,
): Step[] {
  const { mint, decimals, amount, memo } = intent
  const agentWallet = assetSignerAddress(intent.agent)
  assertAgentWallet(intent, agentWallet)
  const isNative = mint === WRAPPED_NATIVE_MINT
  assertCount(instructions, isNative ? 4 : 3)
  const [open, transfer] = instructions as [Instruction, Instruction]
  const tokenProgram = accountAt(open, 5)
  assertTokenProgram(tokenProgram)
  const opened = reviewTokenAccount(open, { payer: wallet, owner: agentWallet, mint, tokenProgram })
  const to = associatedTokenAddress(mint, agentWallet, tokenProgram)
  const note = reviewMemo(instructions.at(-1) as Instruction, memo, wallet)
  const destination = `to the agent’s wallet ${shorten(agentWallet)}`
  if (isNative) {
    const moved = decodeTransfer(transfer)
    assertAmount(moved, amount, decimals)
    assertAccounts(transfer, [
      ['the sender', wallet],
      ['the recipient', to],
    ])
    const sync = instructions[2] as Instruction
    assertKind(syncNative, sync)
    assertAccounts(sync, [['the account', to]])
    const text = `Move ${formatSol(moved)} from your wallet, as wrapped SOL, ${destination}`
    return [opened, { text, detail: `From ${wallet} to ${to} of ${agentWallet}`, movedLamports: moved }, note]
  }
  const moved = decodeTokenTransfer(transfer, tokenProgram, decimals)
  assertAmount(moved, amount, decimals)
  assertAccounts(transfer, [
    ['the sender’s account', associatedTokenAddress(mint, wallet, tokenProgram)],
    ['the token', mint],
    ['the recipient’s account', to],
    ['the sender', wallet],
  ])
  const text = `Move ${formatAmount(moved, decimals)} of the token ${tokenName(mint)} from your wallet ${destination}`
  return [opened, { text, detail: `From ${wallet} to ${agentWallet}, token ${mint}` }, note]
}

function assertAmount(moved: bigint, asked: bigint | 'all', decimals: number): void {
  if (asked !== 'all' && moved !== asked)
    refuse(
      `The transaction moves ${formatAmount(moved, decimals)}. You asked for ${formatAmount(asked, decimals)}.`,
    )
}

function assertClose(
  instruction: Instruction,
  { recipient, owner }: { recipient: Address; owner: Address },
): Address {
  assertKind(closeTokenAccount, instruction)
  const account = accountAt(instruction, 0)
  assertAccounts(instruction, [
    ['the account', account],
    ['the recipient', recipient],
    ['its owner', owner],
  ])
  return account
}

function decodeTokenTransfer(instruction: Instruction, program: Address, decimals: number): bigint {
  const kind = { ...transferTokens, program }
  const args = assertKind(kind, instruction)
  if (args.decimals !== decimals)
    refuse(`The transaction says that the token has ${args.decimals} decimals. This page showed ${decimals}.`)
  return args.amount
}

function assertKind<Args>(kind: CallKind<string, Args>, instruction: Instruction): Args {
  if (!isOfKind(kind, instruction)) refuseInstruction()
  try {
    return decodeCall(kind, instruction.data)
  } catch {
    return refuseInstruction()
  }
}
