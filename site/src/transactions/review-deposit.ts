import { decodeCall, isOfKind } from '@slipway/launch-model/call'
import { closeTokenAccount, transfer } from '@slipway/launch-model/calls/tokens'
import { BUCKET_KINDS, type BucketKindName, kindOf } from '@slipway/launch-model/kinds/kinds'
import { wordsOf } from '@slipway/launch-model/kinds/words'
import { planDeposit, planWithdrawal } from '@slipway/launch-model/plan-deposit'
import { type Address, WRAPPED_NATIVE_MINT } from '@slipway/launch-model/programs'
import { type Rent, TOKEN_ACCOUNT_BYTES } from '@slipway/launch-model/rent'
import { shorten } from '../lib/format.ts'
import type { Instruction } from './decode-transaction.ts'
import { accountAt, refuseInstruction } from './expect-instruction.ts'
import type { Intent, LaunchTokens, Step } from './intent.ts'
import {
  assertBucket,
  assertSteps,
  describeFunds,
  formatQuote,
  fundsAround,
  tokensIn,
} from './launch-parts.ts'
import { isTrigger, reviewTrigger } from './review-triggers.ts'
import { decodeTransfer } from './transfer.ts'
import { refuse } from './unexpected.ts'

type DepositIntent = Extract<Intent<Address>, { kind: 'deposit' }>
type WithdrawIntent = Extract<Intent<Address>, { kind: 'withdraw-deposit' }>

const NO_RENT = 'The chain doesn’t say what rent costs, so this page can’t tell what the transaction takes.'
/** The instructions that empty the wrapped account and put in what the deposit may cost. */
const EMPTYING = 3

/**
 * One deposit, with native currency wrapped before it. Conditions that have come true may have to be recorded first.
 * `rent` is what the chain charges now: a wrapped account that is emptied and opened again keeps it for itself.
 */
export function reviewDeposit(
  instructions: readonly Instruction[],
  intent: DepositIntent,
  wallet: Address,
  rent: Rent | undefined,
): Step[] {
  const triggers = instructions.filter(isTrigger)
  const rest = instructions.slice(triggers.length)
  const { main, bucket, tokens, amount } = readDeposit(rest, intent, 'deposit')
  if (amount !== intent.amount)
    refuse(
      `The transaction deposits ${formatQuote(amount, intent)}. You asked for ${formatQuote(intent.amount, intent)}.`,
    )
  const isNative = tokens.quote.mint === WRAPPED_NATIVE_MINT
  const wrap = rest.slice(0, main).find(one => isOfKind(transfer, one))
  const isEmptied = rest[0] !== undefined && isOfKind(closeTokenAccount, rest[0])
  const transferred = isNative && wrap ? decodeTransfer(wrap) : 0n
  const accountRent = isEmptied ? (rent ?? refuse(NO_RENT))(TOKEN_ACCOUNT_BYTES) : 0n
  const wraps = transferred - accountRent
  if (wraps > intent.maxCost)
    refuse(
      `The transaction takes ${formatQuote(wraps, intent)} from your wallet. This page showed at most ${formatQuote(intent.maxCost, intent)}.`,
    )
  // The rent may have changed since it was built. Only the limit above protects the wallet.
  if (isNative && transferred < amount && !intent.isPartial)
    refuse(
      `The transaction wraps only ${formatQuote(wraps, intent)} for a deposit of ${formatQuote(amount, intent)}.`,
    )
  const skipped = isEmptied ? EMPTYING : 0
  const funds = fundsAround(rest.slice(skipped), main - skipped, { tokens, wallet })
  const taking = { ...funds, genesis: intent.genesis }
  const { steps } = planDeposit(taking, bucket, { amount, wraps: transferred })
  const recorded = triggers.map(one => reviewTrigger(one, intent, wallet))
  assertSteps(rest, steps)
  // Only what the transaction wraps can be spent, unless the account holds more already.
  const extra =
    !isNative || funds.holds.quote?.isDelegated
      ? ', plus any penalty of the launch'
      : wraps > amount
        ? `, and pay at most ${formatQuote(wraps - amount, intent)} on top as a penalty`
        : ''
  return [
    ...recorded,
    {
      // A penalty without a limit in the bytes is said in the text alone.
      isMinor: isNative && !funds.holds.quote?.isDelegated,
      payment: [
        isNative && wraps < amount
          ? { label: 'You deposit at most', amount: formatQuote(wraps, intent) }
          : { label: 'You deposit', amount: formatQuote(amount, intent) },
        ...(wraps > amount
          ? [{ label: 'Penalty on top, at most', amount: formatQuote(wraps - amount, intent) }]
          : []),
      ],
      text: `Deposit ${formatQuote(amount, intent)} in the ${wordsOf(bucket.kind).noun} ${shorten(bucket.address)}${extra}`,
      detail: `From ${wallet} to ${bucket.address} of the launch ${intent.genesis}, token ${intent.baseMint}${isNative ? `. It wraps at most ${formatQuote(wraps, intent)} for it` : ''}`,
      ...(isNative && { movedLamports: wraps }),
    },
    // The program opens the wallet's account for the token by itself.
    ...describeFunds(
      { ...taking, holds: { ...taking.holds, hasBase: true } },
      { isUnwrapped: true, arrives: wraps > amount },
    ),
  ]
}

/** One withdrawal. What arrives is unwrapped. */
export function reviewWithdrawDeposit(
  instructions: readonly Instruction[],
  intent: WithdrawIntent,
  wallet: Address,
): Step[] {
  const { main, bucket, tokens, amount } = readDeposit(instructions, intent, 'withdraw')
  if (amount !== intent.amount)
    refuse(
      `The transaction withdraws ${formatQuote(amount, intent)}. You asked for ${formatQuote(intent.amount, intent)}.`,
    )
  const taking = { ...fundsAround(instructions, main, { tokens, wallet }), genesis: intent.genesis }
  assertSteps(instructions, planWithdrawal(taking, bucket, amount).steps)
  return [
    {
      isMinor: true,
      payment: [{ label: 'You withdraw', amount: formatQuote(amount, intent) }],
      text: `Take ${formatQuote(amount, intent)} out of your deposit in the ${wordsOf(bucket.kind).noun} ${shorten(bucket.address)}, less fee and penalty`,
      detail: `From ${bucket.address} of the launch ${intent.genesis} to ${wallet}, token ${intent.baseMint}`,
    },
    ...describeFunds({ ...taking, holds: { ...taking.holds, hasBase: true } }, { isUnwrapped: true }),
  ]
}

/** The kinds that take deposits, with their instructions. */
const depositKinds = (): BucketKindName[] =>
  BUCKET_KINDS.flatMap(({ name }) => (kindOf(name).deposits ? [name] : []))

export function readDeposit(
  instructions: readonly Instruction[],
  launch: LaunchTokens<Address>,
  action: 'deposit' | 'withdraw',
) {
  for (const kind of depositKinds()) {
    const call = kindOf(kind).deposits?.calls[action]
    const main = call ? instructions.findIndex(one => isOfKind(call, one)) : -1
    const instruction = instructions[main]
    if (!call || !instruction) continue
    const bucket = assertBucket(accountAt(instruction, 1), launch, [kind])
    try {
      const { amount } = decodeCall(call, instruction.data)
      return { main, bucket, amount, tokens: tokensIn(instruction, launch) }
    } catch (error) {
      if (error instanceof RangeError) refuseInstruction()
      throw error
    }
  }
  return refuse(`The transaction has no ${action === 'deposit' ? 'deposit' : 'withdrawal'}.`)
}
