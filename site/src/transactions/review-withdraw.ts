import { assetSignerAddress } from '@slipway/launch-model/addresses'
import type { Address } from '@slipway/launch-model/programs'
import { shorten } from '../lib/format.ts'
import type { Instruction } from './decode-transaction.ts'
import { decodeExecute } from './execute.ts'
import { assertAccounts, assertCount } from './expect-instruction.ts'
import type { Intent, Step } from './intent.ts'
import { assertAgentWallet } from './review-fund.ts'
import { decodeTransfer, formatSol } from './transfer.ts'
import { refuse } from './unexpected.ts'

/** One transfer from the agent's wallet to its owner, which Core carries out. */
export function reviewWithdraw(
  instructions: readonly Instruction[],
  intent: Extract<Intent<Address>, { kind: 'withdraw' }>,
  wallet: Address,
): Step[] {
  assertCount(instructions, 1)
  const { agent } = intent
  const { inner, collection } = decodeExecute(instructions[0] as Instruction, { agent, owner: wallet })
  const agentWallet = assetSignerAddress(agent)
  assertAgentWallet(intent, agentWallet)
  const lamports = decodeTransfer(inner)
  if (intent.lamports !== 'all' && lamports !== intent.lamports)
    refuse(`The transaction moves ${formatSol(lamports)}. You asked for ${formatSol(intent.lamports)}.`)
  // Core passes the owner's signature on, so an inner transfer could take money from the owner's wallet too.
  assertAccounts(inner, [
    ['the sender', agentWallet],
    ['the recipient', wallet],
  ])
  const from = `From ${agentWallet}, the wallet of the agent ${agent}, to ${wallet}`
  return [
    {
      text: `Move ${formatSol(lamports)} from the agent’s wallet ${shorten(agentWallet)} to your wallet`,
      detail: collection ? `${from}. The agent’s collection is ${collection}` : from,
      movedLamports: -lamports,
    },
  ]
}
