import { isOfKind } from '@slipway/launch-model/call'
import { openTokenAccount } from '@slipway/launch-model/calls/tokens'
import { BUCKET_KINDS, type BucketKindName, kindOf } from '@slipway/launch-model/kinds/kinds'
import { claimUnlocked } from '@slipway/launch-model/kinds/unlocked'
import { wordsOf } from '@slipway/launch-model/kinds/words'
import { planOwed } from '@slipway/launch-model/plan-deposit'
import type { Owed } from '@slipway/launch-model/position'
import { type Address, GENESIS_FEE_WALLET } from '@slipway/launch-model/programs'
import { shorten } from '../lib/format.ts'
import type { Instruction } from './decode-transaction.ts'
import { accountAt, refuseInstruction } from './expect-instruction.ts'
import type { Intent, Step } from './intent.ts'
import { assertBucket, assertSteps, describeFunds, fundsAround, tokensIn } from './launch-parts.ts'
import { nameBase } from './name-base.ts'
import { isTrigger, reviewTrigger } from './review-triggers.ts'
import { refuse } from './unexpected.ts'

type ClaimIntent = Extract<Intent<Address>, { kind: 'claim-launch' }>
type Payment = { kind: Exclude<Owed['kind'], 'start'>; bucket: BucketKindName }

/** What a launch owes the connected wallet: any number of claims and refunds, and the triggers before them. */
export function reviewClaimLaunch(
  instructions: readonly Instruction[],
  intent: ClaimIntent,
  wallet: Address,
): Step[] {
  if (instructions.length === 0) refuse('The transaction does nothing.')
  const steps: Step[] = []
  for (let rest = instructions; rest.length > 0; ) {
    const [first] = rest as [Instruction]
    if (isTrigger(first)) {
      steps.push(reviewTrigger(first, intent, wallet))
      rest = rest.slice(1)
      continue
    }
    const paid = reviewPayment(rest, intent, wallet)
    steps.push(...paid.steps)
    rest = rest.slice(paid.count)
  }
  return steps
}

/** One claim or refund, with the instructions around it. */
function reviewPayment(
  instructions: readonly Instruction[],
  intent: ClaimIntent,
  wallet: Address,
): { steps: Step[]; count: number } {
  const main = isOfKind(openTokenAccount, instructions[0] as Instruction) ? 1 : 0
  const instruction = instructions[main] ?? refuse('The transaction does less than this page said.')
  const payment = findPayment(instruction) ?? refuseInstruction()
  const bucket = assertBucket(accountAt(instruction, 1), intent, [payment.bucket])
  const tokens = tokensIn(instruction, intent)
  const taking = { ...fundsAround(instructions, main, { tokens, wallet }), genesis: intent.genesis }
  const planned = planOwed(
    taking,
    { kind: payment.kind, bucket, triggers: [], tokens: 0n, quote: 0n },
    {
      unwraps: payment.kind === 'refund',
      hasFeeAccount: instructions[0]?.accounts[2] !== GENESIS_FEE_WALLET,
    },
  ).flatMap(({ steps }) => steps)
  assertSteps(instructions.slice(0, planned.length), planned)
  const around =
    payment.kind === 'refund'
      ? describeFunds({ ...taking, holds: { ...taking.holds, hasBase: true } }, { isUnwrapped: true })
      : []
  return {
    steps: [describePayment(payment, bucket.address, intent, wallet), ...around],
    count: planned.length,
  }
}

function findPayment(instruction: Instruction): Payment | undefined {
  if (isOfKind(claimUnlocked, instruction)) return { kind: 'unlocked', bucket: 'unlockedV2' }
  for (const { name } of BUCKET_KINDS) {
    const calls = kindOf(name).deposits?.calls
    if (calls && isOfKind(calls.claim, instruction)) return { kind: 'claim', bucket: name }
    if (calls?.refund && isOfKind(calls.refund, instruction)) return { kind: 'refund', bucket: name }
  }
  return undefined
}

function describePayment(
  { kind, bucket }: Payment,
  address: Address,
  intent: ClaimIntent,
  wallet: Address,
): Step {
  const source = `the ${wordsOf(bucket).noun} ${shorten(address)}`
  const texts: Record<Payment['kind'], string> = {
    claim: `Claim what ${source} owes your wallet, in ${nameBase(intent)}`,
    unlocked: `Claim the tokens and the proceeds that ${source} has for your wallet`,
    refund: `Refund your deposit in ${source}, less the deposit fee`,
  }
  return {
    isMinor: true,
    text: texts[kind],
    detail: `From ${address} of the launch ${intent.genesis} to ${wallet}, token ${intent.baseMint}`,
  }
}
