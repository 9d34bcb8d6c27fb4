import { isOfKind } from '@slipway/launch-model/call'
import { type Collection, collectCall, collectFromPool } from '@slipway/launch-model/calls/claims'
import { openTokenAccount } from '@slipway/launch-model/calls/tokens'
import { wordsOf } from '@slipway/launch-model/kinds/words'
import { fundsOfClaim, type PlannedClaim, planClaim } from '@slipway/launch-model/plan-claim'
import { type Address, WRAPPED_NATIVE_MINT } from '@slipway/launch-model/programs'
import { shorten } from '../lib/format.ts'
import type { Planned } from './assert-planned.ts'
import { claimedBucket, type Instruction, isClaim, refuseInstruction } from './decode-transaction.ts'
import type { Facts, KnownToken } from './facts.ts'
import { type Intent, refuse, type Step } from './intent.ts'
import { describeFunds, openedAccount, tokenName } from './words.ts'

/**
 * One claim from one bucket, which the service chooses. Before it, the recipient's token account may be created, and
 * fees that are still in the pool collected. After it, the fees are unwrapped, if the recipient signs.
 */
export function planRewards(
  given: readonly Instruction[],
  { wallet }: Extract<Intent<Address>, { kind: 'claim' }>,
  payer: Address,
  facts: Facts,
): Planned {
  if (given.length === 0) refuse('The transaction does nothing.')
  const address = claimedBucket({ instructions: given }) ?? refuseInstruction()
  const bucket =
    facts.rewards.get(address) ?? refuse(`The chain doesn’t know ${address} as a source of creator fees.`)
  const { kind, genesis, baseMint, quoteMint, ammConfig } = bucket
  const [base, quote] = [tokenOf(facts, baseMint), tokenOf(facts, quoteMint)]
  const { wrapped, environment, accountRent } = facts
  const main = given.findLastIndex(isClaim)
  const before = given.slice(0, main)
  // Only the paid wallet can unwrap the fees, and its earlier balance stays wrapped.
  const canUnwrap = wallet === payer && quoteMint === WRAPPED_NATIVE_MINT
  const isTheirs = wrapped && (wrapped.isClosedByOthers || wrapped.holder !== wallet)
  const claim: PlannedClaim = {
    ...{ payer, wallet, baseMint, quoteMint, quoteTokenProgram: quote.program },
    bucket: { kind, genesis, address },
    createsTokenAccount: before.some(one => isOfKind(openTokenAccount, one)),
    collect: before.some(one => isOfKind(collectFromPool, one))
      ? { environment, baseTokenProgram: base.program, ammConfig }
      : undefined,
    unwraps: canUnwrap && !isTheirs && main < given.length - 1 ? { quote: wrapped, accountRent } : undefined,
  }
  const isUnwrapped = claim.unwraps !== undefined && !claim.unwraps.quote?.isDelegated
  return { steps: planClaim(claim), says: describe(claim, quote, isUnwrapped) }
}

const tokenOf = ({ tokens }: Facts, mint: Address): KnownToken =>
  tokens.get(mint) ?? refuse(`The chain doesn’t know the token ${mint}.`)

function describe(claim: PlannedClaim, quote: KnownToken, isUnwrapped: boolean): Step[] {
  const { bucket, payer, wallet, baseMint, quoteMint } = claim
  const to = wallet === payer ? 'your wallet' : `the wallet ${shorten(wallet)}`
  const paid: Step = {
    text: `Pay all creator fees of the ${wordsOf(bucket.kind).noun} ${shorten(bucket.address)} to ${to}, in ${isUnwrapped ? 'SOL' : tokenName(quoteMint)}`,
    detail: `From ${bucket.address} of the launch ${bucket.genesis} (token ${baseMint}) to ${wallet}, in ${quoteMint}`,
  }
  const { detail = '' } = openedAccount(quote, wallet, { payer })
  // Every claim has this step, so it is short and comes last.
  const opened = { text: `Before that, open its ${tokenName(quoteMint)} account if needed`, detail }
  return [
    ...(claim.collect ? [describeCollection(claim, claim.collect)] : []),
    paid,
    ...(claim.createsTokenAccount && !isUnwrapped ? [opened] : []),
    ...(claim.unwraps && isUnwrapped
      ? describeFunds(fundsOfClaim(claim, claim.unwraps), { isUnwrapped })
      : []),
  ]
}

function describeCollection(claim: PlannedClaim, collection: Collection): Step {
  const { accounts } = collectCall(claim, collection)
  const [pool, config, raydium] = [accounts[4], accounts[5], accounts[17]].map(one => one?.address)
  return {
    text: `Collect the fees that the liquidity pool ${shorten(pool as Address)} still holds`,
    detail: `Pool ${pool} with configuration ${config}, program ${raydium}, token program ${collection.baseTokenProgram}`,
  }
}
