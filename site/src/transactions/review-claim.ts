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
  TOKEN_PROGRAM,
  WRAPPED_NATIVE_MINT,
} from '@slipway/launch-model/programs'
import { fundsSteps } from '@slipway/launch-model/trade/wrap-native'
import { shorten } from '../lib/format.ts'
import type { Instruction } from './decode-transaction.ts'
import { accountAt, assertCall, refuseInstruction } from './expect-instruction.ts'
import type { Intent, Step } from './intent.ts'
import { assertSteps, describeFunds, fundsAround, withPrograms } from './launch-parts.ts'
import { assertTokenProgram, reviewTokenAccount, tokenName } from './token-account.ts'
import { refuse } from './unexpected.ts'

/**
 * One claim from one bucket. Before it, the recipient's token account may be created, and fees that are still in the
 * pool collected. After it, the fees may be unwrapped, if the recipient signs.
 */
export function reviewClaim(
  instructions: readonly Instruction[],
  intent: Extract<Intent<Address>, { kind: 'claim' }>,
  wallet: Address,
): Step[] {
  if (instructions.length === 0) refuse('The transaction does nothing.')
  const found = instructions.findLastIndex(isClaim)
  const at = found === -1 ? instructions.length - 1 : found
  const main = instructions[at] as Instruction
  const claim = readClaim(main, { payer: wallet, wallet: intent.wallet })
  assertCall(main, claimCall(claim))
  const unwrapped = at === instructions.length - 1 ? undefined : reviewUnwrapping(instructions, at, claim)
  const before = instructions.slice(0, at)
  const opened: Step[] = []
  if (before[0]?.program === ASSOCIATED_TOKEN_PROGRAM) {
    const { quoteMint: mint, quoteTokenProgram: tokenProgram } = claim
    const { detail } = reviewTokenAccount(before.shift() as Instruction, {
      payer: wallet,
      owner: claim.wallet,
      mint,
      tokenProgram,
    })
    // Every claim has this step, so it is short and comes last.
    if (!unwrapped)
      opened.push({
        text: `Before that, open its ${tokenName(mint)} account if needed`,
        ...(detail && { detail }),
      })
  }
  const collect = claim.bucket.kind === 'raydiumCpmmV2' ? before.shift() : undefined
  const collected = collect ? [reviewCollect(collect, claim)] : []
  if (before.length > 0) refuse('The transaction does more than claim creator fees.')
  return [...collected, describeClaim(claim, unwrapped !== undefined), ...opened, ...(unwrapped ?? [])]
}

const isClaim = (instruction: Instruction): boolean =>
  isOfKind(claimFromPool, instruction) || isOfKind(claimFromCurve, instruction)

/** Only the paid wallet can unwrap the fees, and its earlier balance stays wrapped. */
function reviewUnwrapping(instructions: readonly Instruction[], at: number, claim: FeeClaim): Step[] {
  const { payer, wallet, baseMint, quoteMint, quoteTokenProgram } = claim
  if (wallet !== payer || quoteMint !== WRAPPED_NATIVE_MINT)
    refuse('The transaction does more than claim creator fees.')
  const tokens = withPrograms({ baseMint, quoteMint }, TOKEN_PROGRAM, quoteTokenProgram)
  const around = fundsAround(instructions, at, { tokens, wallet })
  // The claim has nothing to do with the launch's own token.
  const funds = { ...around, holds: { ...around.holds, hasBase: true } }
  const { closeTemporary, unwrapArrived } = fundsSteps(funds)
  assertSteps(instructions.slice(at + 1), [...closeTemporary(), ...unwrapArrived()])
  return describeFunds(funds, { isUnwrapped: true })
}

/** The page knows who is paid. The transaction says which token is paid, and from where. */
function readClaim(instruction: Instruction, parties: Pick<FeeClaim, 'payer' | 'wallet'>): FeeClaim {
  if (!isClaim(instruction)) refuseInstruction()
  const isPool = isOfKind(claimFromPool, instruction)
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

function describeClaim({ bucket, payer, wallet, baseMint, quoteMint }: FeeClaim, isUnwrapped: boolean): Step {
  const { noun: source } = wordsOf(bucket.kind)
  const to = wallet === payer ? 'your wallet' : `the wallet ${shorten(wallet)}`
  return {
    text: `Pay all creator fees of the ${source} ${shorten(bucket.address)} to ${to}, in ${isUnwrapped ? 'SOL' : tokenName(quoteMint)}`,
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
