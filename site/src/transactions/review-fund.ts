import { assetSignerAddress } from '@slipway/launch-model/addresses'
import type { Address } from '@slipway/launch-model/programs'
import { MEMO_PROGRAM } from '@slipway/launch-model/programs'
import { shorten } from '../lib/format.ts'
import { areEqual, type Instruction } from './decode-transaction.ts'
import { assertAccounts, assertCount, assertProgram } from './expect-instruction.ts'
import { decodeText } from './field-reader.ts'
import type { Intent, Step } from './intent.ts'
import { decodeTransfer, formatSol } from './transfer.ts'
import { refuse } from './unexpected.ts'

/** A transfer to the agent's wallet, then the public note. */
export function reviewFund(
  instructions: readonly Instruction[],
  intent: Extract<Intent<Address>, { kind: 'fund' }>,
  wallet: Address,
): Step[] {
  assertCount(instructions, intent.memo === undefined ? 1 : 2)
  const [transfer, memo] = instructions as [Instruction, Instruction | undefined]
  const agentWallet = assetSignerAddress(intent.agent)
  assertAgentWallet(intent, agentWallet)
  const lamports = decodeTransfer(transfer)
  if (lamports !== intent.lamports)
    refuse(`The transaction moves ${formatSol(lamports)}. You asked for ${formatSol(intent.lamports)}.`)
  assertAccounts(transfer, [
    ['the sender', wallet],
    ['the recipient', agentWallet],
  ])
  const move: Step = {
    text: `Move ${formatSol(lamports)} from your wallet to the agent’s wallet ${shorten(agentWallet)}`,
    detail: `From ${wallet} to ${agentWallet}, the wallet of the agent ${intent.agent}`,
    movedLamports: lamports,
  }
  return memo ? [move, reviewMemo(memo, intent.memo as string, wallet)] : [move]
}

export function reviewMemo(instruction: Instruction, expected: string, wallet: Address): Step {
  assertProgram(instruction, MEMO_PROGRAM)
  assertAccounts(instruction, [['the signer of the note', wallet]])
  if (!areEqual(instruction.data, new TextEncoder().encode(expected)))
    refuse('The transaction has a different note from the one you wrote.')
  return { text: `Publish the note “${decodeText(instruction.data)}” with it` }
}

/** The service names the agent's wallet, but anyone can derive it. */
export function assertAgentWallet({ agentWallet }: { agentWallet: Address }, derived: Address): void {
  if (agentWallet !== derived)
    refuse(`The page showed ${agentWallet} as the agent’s wallet. The agent’s wallet is ${derived}.`)
}
