import type { ActingAgent, NewAgent } from '@slipway/launch-model/calls/agents'
import { planFunding, planMint, planWithdrawal } from '@slipway/launch-model/plan-agent'
import type { Address } from '@slipway/schema/address'
import { compileSteps } from './compile-steps.ts'

export interface Mint extends NewAgent {
  name: string
  uri: string
  /** The URI of the registration document. */
  agentUri: string
  blockhash: string
}

/** What the wallet signs to create an asset and register it as an agent. Base64, unsigned. */
export const buildMintTransaction = (mint: Mint): string =>
  compileSteps(planMint(mint, mint), { payer: mint.wallet, blockhash: mint.blockhash })

export interface Funding {
  asset: Address
  /** Pays the amount and the fee, and signs the memo. */
  sender: Address
  lamports: bigint
  memo: string
  blockhash: string
}

/** What the sender signs to pay an amount into the agent's wallet, with a memo. Base64, unsigned. */
export function buildFundTransaction(funding: Funding): string {
  assertAmount(funding.lamports)
  const { asset, sender, blockhash } = funding
  return compileSteps(planFunding(asset, funding), { payer: sender, blockhash })
}

export interface Withdrawal extends ActingAgent {
  /** Pays the fee, signs, and receives the funds. */
  owner: Address
  lamports: bigint
  blockhash: string
}

/** What the owner signs to move funds out of the agent's wallet. Base64, unsigned. */
export function buildWithdrawTransaction({
  asset,
  collection,
  owner,
  lamports,
  blockhash,
}: Withdrawal): string {
  assertAmount(lamports)
  const agent = { asset, collection }
  return compileSteps(planWithdrawal(asset, owner, lamports), { agent, payer: owner, blockhash })
}

const LAMPORTS_MAX = 2n ** 64n - 1n

function assertAmount(lamports: bigint): void {
  if (lamports <= 0n || lamports > LAMPORTS_MAX)
    throw new RangeError('the amount must be from 1 to 2 ** 64 - 1')
}
