import { isOfKind } from '@slipway/launch-model/call'
import {
  claimCall,
  claimFromCurve,
  claimFromPool,
  collectCall,
  collectFromPool,
  type FeeClaim,
} from '@slipway/launch-model/calls/claims'
import { wordsOf } from '@slipway/launch-model/kinds/words'
import {
  type Address,
  ASSOCIATED_TOKEN_PROGRAM,
  RAYDIUM_PROGRAMS,
  type RaydiumEnvironment,
} from '@slipway/launch-model/programs'
import { shorten } from '../lib/format.ts'
import type { Instruction } from './decode-transaction.ts'
import { accountAt, assertCall, refuseInstruction } from './expect-instruction.ts'
import type { Intent, Step } from './intent.ts'
import { assertTokenProgram, reviewTokenAccount, tokenName } from './token-account.ts'
import { refuse } from './unexpected.ts'

/**
 * One claim from one bucket. Before it, the recipient's token account may be created, and fees that are still in the pool
 * collected.
 */
export function reviewClaim(
  instructions: readonly Instruction[],
  intent: Extract<Intent<Address>, { kind: 'claim' }>,
  wallet: Address,
): Step[] {
  const last = instructions.at(-1) ?? refuse('The transaction does nothing.')
  const claim = readClaim(last, { payer: wallet, wallet: intent.wallet })
  assertCall(last, claimCall(claim))
  const before = instructions.slice(0, -1)
  const opened: Step[] = []
  if (before[0]?.program === ASSOCIATED_TOKEN_PROGRAM) {
    const { quoteMint: mint, quoteTokenProgram: tokenProgram } = claim
    const { detail } = reviewTokenAccount(before.shift() as Instruction, {
      payer: wallet,
      owner: claim.wallet,
      mint,
      tokenProgram,
    })
    // Each claim has it, so it is kept short, and below what the claim is about.
    opened.push({
      text: `Before that, open its ${tokenName(mint)} account if needed`,
      ...(detail && { detail }),
    })
  }
  const collect = claim.bucket.kind === 'raydiumCpmmV2' ? before.shift() : undefined
  const collected = collect ? [reviewCollect(collect, claim)] : []
  if (before.length > 0) refuse('The transaction does more than claim creator fees.')
  return [...collected, describeClaim(claim), ...opened]
}

/** The page knows who is paid. What is paid, and from where, is what the transaction says. */
function readClaim(instruction: Instruction, parties: Pick<FeeClaim, 'payer' | 'wallet'>): FeeClaim {
  const isPool = isOfKind(claimFromPool, instruction)
  if (!isPool && !isOfKind(claimFromCurve, instruction)) refuseInstruction()
  const at = (index: number) => accountAt(instruction, index)
  const quoteTokenProgram = at(isPool ? 9 : 8)
  assertTokenProgram(quoteTokenProgram)
  const kind = isPool ? 'raydiumCpmmV2' : 'bondingCurveV2'
  return {
    ...parties,
    bucket: { kind, genesis: at(0), address: at(1) },
    baseMint: at(2),
    quoteMint: at(3),
    quoteTokenProgram,
  }
}

function describeClaim({ bucket, payer, wallet, baseMint, quoteMint }: FeeClaim): Step {
  const { noun: source } = wordsOf(bucket.kind)
  const to = wallet === payer ? 'your wallet' : `the wallet ${shorten(wallet)}`
  return {
    text: `Pay all creator fees of the ${source} ${shorten(bucket.address)} to ${to}, in ${tokenName(quoteMint)}`,
    detail: `From ${bucket.address} of the launch ${bucket.genesis} (token ${baseMint}) to ${wallet}, in ${quoteMint}`,
  }
}

const ENVIRONMENTS = Object.keys(RAYDIUM_PROGRAMS) as RaydiumEnvironment[]

function reviewCollect(instruction: Instruction, claim: FeeClaim): Step {
  if (!isOfKind(collectFromPool, instruction)) refuseInstruction()
  const at = (index: number) => accountAt(instruction, index)
  const [poolState, ammConfig, raydium, baseTokenProgram] = [at(4), at(5), at(17), at(18)]
  const environment =
    ENVIRONMENTS.find(name => RAYDIUM_PROGRAMS[name] === raydium) ??
    refuse(`The transaction calls ${raydium}, which isn’t Raydium.`)
  assertTokenProgram(baseTokenProgram)
  assertCall(instruction, collectCall(claim, { environment, baseTokenProgram, ammConfig }))
  return {
    text: `Collect the fees that the liquidity pool ${shorten(poolState)} still holds`,
    detail: `Pool ${poolState} with configuration ${ammConfig}, program ${raydium}, token program ${baseTokenProgram}`,
  }
}
