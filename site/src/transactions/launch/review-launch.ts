import { decodeCall, isOfKind } from '@slipway/launch-model/call'
import { matches } from '@slipway/launch-model/plan/matches'
import type { Address } from '@slipway/launch-model/programs'
import {
  CORE_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  WRAPPED_NATIVE_MINT,
} from '@slipway/launch-model/programs'
import { shorten } from '../../lib/format.ts'
import type { Instruction } from '../decode-transaction.ts'
import { parseDocumentUrl } from '../document-url.ts'
import { decodeExecute } from '../execute.ts'
import { assertAccounts, refuseInstruction } from '../expect-instruction.ts'
import type { EarlierStep, LaunchIntent, Step } from '../intent.ts'
import { nameTokenAccount } from '../token-account.ts'
import { formatSol } from '../transfer.ts'
import { refuse, UnexpectedTransactionError } from '../unexpected.ts'
import { describeAction } from './describe-action.ts'
import { describeArgs, LAUNCH_CALLS, nameCall } from './describe-args.ts'
import type { Fields } from './describe-fields.ts'
import { type ExpectedLaunch, type PlannedAction, planLaunch } from './plan-launch.ts'

export interface LaunchReview {
  steps: Step[]
  /** The positions of the transaction's actions among all that the launch needs, and how many those are. */
  positions: number[]
  count: number
  /** The actions before the first of these. */
  earlier: EarlierStep[]
}

/**
 * Some of the actions of a launch, in their order. A launch that is continued lacks those that the chain has already,
 * so one transaction does not show which actions are missing.
 */
export function reviewLaunch(
  instructions: readonly Instruction[],
  intent: LaunchIntent<Address>,
  wallet: Address,
): LaunchReview {
  if (instructions.length === 0) refuse('The transaction does nothing.')
  const plan = planOrRefuse(intent, wallet, quoteTokenProgramOf(instructions, intent))
  const steps: Step[] = []
  const positions: number[] = []
  for (const outer of instructions) {
    const { inner, agent, collection } = unwrap(outer, intent, wallet)
    const given = identify(inner)
    const position = findPosition(plan, given, positions.at(-1))
    const planned = plan.actions[position] as PlannedAction
    if ((agent !== undefined) !== (intent.agent != null && planned.byAgent)) refuseInstruction()
    const step = reviewAction(inner, given, planned, { plan, wallet })
    steps.push(agent ? describeExecuted(step, planned, { agent, collection }) : step)
    positions.push(position)
  }
  if (plan.actions[(positions.at(-1) as number) + 1]?.staysWithPrevious) refuse(SEPARATED)
  const earlier = plan.actions
    .slice(0, positions[0])
    .map(({ call, evidence }) => ({ name: nameCall(call.kind), evidence }))
  return { steps, positions, count: plan.actions.length, earlier }
}

/** Invalid numbers, times and addresses can't be compared. */
function planOrRefuse(...launch: Parameters<typeof planLaunch>): ExpectedLaunch {
  try {
    return planLaunch(...launch)
  } catch (error) {
    if (error instanceof UnexpectedTransactionError) throw error
    throw new UnexpectedTransactionError('What you entered can’t be compared with the transaction.', {
      cause: error,
    })
  }
}

const SEPARATED = 'The transaction separates two steps of the launch that must be taken together.'

/** The token program of wrapped SOL is fixed. That of other tokens is not in the request, and a wrong one fails. */
const quoteTokenProgramOf = (
  instructions: readonly Instruction[],
  { launch }: LaunchIntent<Address>,
): Address =>
  (launch.quoteMint ?? WRAPPED_NATIVE_MINT) !== WRAPPED_NATIVE_MINT &&
  instructions.some(({ accounts }) => accounts.includes(TOKEN_2022_PROGRAM))
    ? TOKEN_2022_PROGRAM
    : TOKEN_PROGRAM

function unwrap(instruction: Instruction, { agent }: LaunchIntent<Address>, owner: Address) {
  if (!agent || instruction.program !== CORE_PROGRAM)
    return { inner: instruction, agent: undefined, collection: undefined }
  const asset = agent.mint as Address
  return { ...decodeExecute(instruction, { agent: asset, owner }), agent: asset }
}

/** The first step says who launches. The details of every step do. */
function describeExecuted(
  step: Step,
  { call }: PlannedAction,
  { agent, collection }: { agent: Address; collection: Address | undefined },
): Step {
  const by = `Carried out by the agent ${agent}`
  return {
    ...step,
    text: call.kind.name === 'initialize' ? `${step.text}, as your agent ${shorten(agent)}` : step.text,
    detail: `${step.detail}. ${by}${collection ? ` of the collection ${collection}` : ''}`,
  }
}

/**
 * The meaning of an instruction, from its own bytes. Refuses instructions that no launch needs, and bytes without a
 * meaning.
 */
function identify(instruction: Instruction): Given {
  const kind = LAUNCH_CALLS.find(one => isOfKind(one, instruction))
  if (!kind)
    return LAUNCH_CALLS.some(({ program }) => program === instruction.program)
      ? refuseInstruction()
      : refuse(`The transaction calls the program ${instruction.program}, which this launch doesn’t need.`)
  try {
    return { kind, args: decodeCall(kind, instruction.data) }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new UnexpectedTransactionError(`The transaction has an instruction that ${error.message}.`, {
      cause: error,
    })
  }
}
type Given = Pick<PlannedAction['call'], 'kind' | 'args'>

/** Actions come in order, and those that belong together follow each other. */
function findPosition({ actions }: ExpectedLaunch, given: Given, last: number | undefined): number {
  const next = last === undefined ? 0 : last + 1
  const position = actions.findIndex(({ call }, index) => index >= next && isSameAction(call, given))
  if (position === -1)
    refuse(`The transaction does something that this launch doesn’t need here: ${nameCall(given.kind)}.`)
  const mustFollow = actions[position]?.staysWithPrevious || actions[next]?.staysWithPrevious
  if (mustFollow && position !== next) refuse(SEPARATED)
  return position
}

/** Several buckets of one kind have different indexes. */
const isSameAction = (a: Given, b: Given): boolean => a.kind === b.kind && indexOf(a) === indexOf(b)
const indexOf = ({ args }: Given) => (args as { bucketIndex?: number }).bucketIndex

function reviewAction(
  instruction: Instruction,
  given: Given,
  { call }: PlannedAction,
  { plan, wallet }: { plan: ExpectedLaunch; wallet: Address },
): Step {
  const fields = describeArgs(given, plan.units)
  assertArgs(given, call, { fields, plan })
  assertAccounts(
    instruction,
    call.accounts.map(({ name, address }) => [name, address]),
  )
  const at = (index: number) => instruction.accounts[index] as Address
  switch (call.kind.name) {
    case 'openTokenAccount':
      return nameTokenAccount({
        payer: wallet,
        account: at(1),
        owner: at(2),
        mint: at(3),
        tokenProgram: at(5),
        names: plan.names,
      })
    case 'transfer': {
      const { lamports } = given.args as { lamports: bigint }
      return {
        text: `Set aside ${formatSol(lamports)} from your wallet for the first buy`,
        detail: `From ${at(0)} to ${at(1)}`,
        ...(at(0) === wallet && { movedLamports: lamports }),
      }
    }
    case 'syncNative':
      return {
        text: 'Turn it into wrapped SOL, which pays for the first buy',
        detail: `Account ${at(0)}. It stays open with its rent, which its owner gets back by closing it`,
      }
    case 'setAgentToken':
      return {
        text: 'Make the new token the agent’s own, for good',
        detail: call.accounts.map(({ name, address }) => `${name} ${address}`).join(', '),
      }
    default:
      return describeAction({ name: call.kind.name, fields }, instruction.accounts, plan)
  }
}

/** The page can't know the token's document in advance: the service stores it. */
const UNKNOWN_FIELD = 'document'

function assertArgs(
  given: Given,
  call: PlannedAction['call'],
  { fields, plan }: { fields: Fields; plan: ExpectedLaunch },
): void {
  if (call.kind.name === 'transfer' && !matches(given.args, call.args)) refuseAmount(given.args, call.args)
  assertFields(fields, describeArgs(call, plan.units))
  const { uri, ...rest } = given.args as { uri?: string }
  const { uri: _, ...planned } = call.args as { uri?: string }
  if (uri !== undefined) parseDocumentUrl(uri)
  // Words could hide a difference.
  if (!matches(rest, planned) || !matches(planned, rest)) refuseInstruction()
}

function refuseAmount(given: unknown, planned: unknown): never {
  const [actual, expected] = [given, planned].map(args => formatSol((args as { lamports: bigint }).lamports))
  return refuse(`The transaction takes ${actual} for the first buy, not ${expected}.`)
}

function assertFields(given: Fields, expected: Fields): void {
  for (const name of new Set([...Object.keys(expected), ...Object.keys(given)])) {
    if (name === UNKNOWN_FIELD || given[name] === expected[name]) continue
    if (given[name] === undefined)
      refuse(`The transaction leaves out what you entered: “${name} ${expected[name]}”.`)
    const entered = expected[name] === undefined ? 'nothing of the kind' : `“${name} ${expected[name]}”`
    refuse(`The transaction says “${name} ${given[name]}”. You entered ${entered}.`)
  }
}
