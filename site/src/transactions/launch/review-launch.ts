import type { Address } from '@slipway/client'
import { shorten } from '../../lib/format.ts'
import { areEqual, type Instruction } from '../decode-transaction.ts'
import { decodeExecute } from '../execute.ts'
import { assertAccounts, refuseInstruction } from '../expect-instruction.ts'
import type { LaunchIntent, Step } from '../intent.ts'
import {
  ASSOCIATED_TOKEN_PROGRAM,
  CORE_PROGRAM,
  GENESIS_PROGRAM,
  IDENTITY_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  WRAPPED_SOL_MINT,
} from '../programs.ts'
import { reviewTokenAccount } from '../token-account.ts'
import { decodeTransfer, formatSol } from '../transfer.ts'
import { refuse, UnexpectedTransactionError } from '../unexpected.ts'
import { decodeAction, type LaunchAction } from './decode-action.ts'
import { describeAction } from './describe-action.ts'
import type { Units } from './describe-fields.ts'
import { type LaunchPlan, type PlannedAction, planLaunch } from './plan-launch.ts'

export interface LaunchReview {
  steps: Step[]
  /** The positions of the transaction's actions among all that the launch needs, and how many those are. */
  positions: number[]
  count: number
}

/**
 * Some of the actions of a launch, in their order. A launch that is continued lacks those that the chain has already, so one
 * transaction does not show which actions are missing.
 */
export async function reviewLaunch(
  instructions: readonly Instruction[],
  intent: LaunchIntent,
  wallet: Address,
): Promise<LaunchReview> {
  if (instructions.length === 0) refuse('The transaction does nothing.')
  const plan = await planOrRefuse(intent, wallet, quoteTokenProgramOf(instructions, intent))
  const steps: Step[] = []
  const positions: number[] = []
  for (const outer of instructions) {
    const { inner, agent, collection } = await unwrap(outer, intent, wallet)
    const given = identify(inner, plan.units)
    const position = findPosition(plan, given.kind, positions.at(-1))
    const planned = plan.actions[position] as PlannedAction
    if ((agent !== undefined) !== (intent.agent != null && needsAuthority(planned))) refuseInstruction()
    const step = await reviewAction(inner, given, planned, { plan, wallet })
    steps.push(agent ? describeExecuted(step, planned, { agent, collection }) : step)
    positions.push(position)
  }
  if (plan.actions[(positions.at(-1) as number) + 1]?.staysWithPrevious) refuse(SEPARATED)
  return { steps, positions, count: plan.actions.length }
}

/** Numbers, times and addresses that make no sense can't be compared with anything. */
async function planOrRefuse(...launch: Parameters<typeof planLaunch>): Promise<LaunchPlan> {
  try {
    return await planLaunch(...launch)
  } catch (error) {
    if (error instanceof UnexpectedTransactionError) throw error
    throw new UnexpectedTransactionError('What you entered can’t be compared with the transaction.', {
      cause: error,
    })
  }
}

const SEPARATED = 'The transaction separates two steps of the launch that must be taken together.'

/** The token program of wrapped SOL is fixed. That of other tokens is not in the request, and a wrong one fails. */
const quoteTokenProgramOf = (instructions: readonly Instruction[], { launch }: LaunchIntent): Address =>
  (launch.quoteMint ?? WRAPPED_SOL_MINT) !== WRAPPED_SOL_MINT &&
  instructions.some(({ accounts }) => accounts.includes(TOKEN_2022_PROGRAM))
    ? TOKEN_2022_PROGRAM
    : TOKEN_PROGRAM

async function unwrap(instruction: Instruction, { agent }: LaunchIntent, owner: Address) {
  if (!agent || instruction.program !== CORE_PROGRAM)
    return { inner: instruction, agent: undefined, collection: undefined }
  return { ...(await decodeExecute(instruction, { agent: agent.mint, owner })), agent: agent.mint }
}

/** The first step says who launches. The details of every step do. */
function describeExecuted(
  step: Step,
  { kind }: PlannedAction,
  { agent, collection }: { agent: Address; collection: Address | undefined },
): Step {
  const by = `Carried out by the agent ${agent}`
  return {
    ...step,
    text: kind === 'initialize' ? `${step.text}, as your agent ${shorten(agent)}` : step.text,
    detail: `${step.detail}. ${by}${collection ? ` of the collection ${collection}` : ''}`,
  }
}

/** What only the authority of a launch may do. If that is an agent's wallet, Core signs for it. */
const needsAuthority = ({ kind }: PlannedAction): boolean =>
  kind !== 'token account' && kind !== 'wrap' && kind !== 'count wrapped'

type Identified =
  | LaunchAction
  | { kind: Exclude<PlannedAction['kind'], LaunchAction['kind']>; fields?: undefined }

function identify(instruction: Instruction, units: Units): Identified {
  switch (instruction.program) {
    case GENESIS_PROGRAM:
      return decodeAction(instruction, units)
    case IDENTITY_PROGRAM:
      return { kind: 'agent token' }
    case ASSOCIATED_TOKEN_PROGRAM:
      return { kind: 'token account' }
    case SYSTEM_PROGRAM:
      return { kind: 'wrap' }
    case TOKEN_PROGRAM:
      return { kind: 'count wrapped' }
    default:
      return refuse(
        `The transaction calls the program ${instruction.program}, which this launch doesn’t need.`,
      )
  }
}

/** Actions come in order, and those that belong together follow each other. */
function findPosition(
  { actions }: LaunchPlan,
  kind: PlannedAction['kind'],
  last: number | undefined,
): number {
  const next = last === undefined ? 0 : last + 1
  const position = actions.findIndex((action, index) => index >= next && action.kind === kind)
  if (position === -1) refuse(`The transaction does something that this launch doesn’t need here: ${kind}.`)
  const mustFollow = actions[position]?.staysWithPrevious || actions[next]?.staysWithPrevious
  if (mustFollow && position !== next) refuse(SEPARATED)
  return position
}

const SET_AGENT_TOKEN = [1, 0, 0, 0, 0, 0, 0, 0]
const SYNC_NATIVE = [17]

async function reviewAction(
  instruction: Instruction,
  given: Identified,
  planned: PlannedAction,
  { plan, wallet }: { plan: LaunchPlan; wallet: Address },
): Promise<Step> {
  switch (planned.kind) {
    case 'token account': {
      const { owner, mint, tokenProgram } = planned
      return reviewTokenAccount(instruction, {
        payer: wallet,
        owner,
        mint,
        tokenProgram,
        names: plan.names,
      })
    }
    case 'wrap': {
      const lamports = decodeTransfer(instruction)
      if (lamports !== planned.lamports)
        refuse(
          `The transaction takes ${formatSol(lamports)} for the first buy, not ${formatSol(planned.lamports)}.`,
        )
      assertAccounts(instruction, [
        ['the sender', planned.from],
        ['the recipient', planned.to],
      ])
      return {
        text: `Set aside ${formatSol(lamports)} from your wallet for the first buy`,
        detail: `From ${planned.from} to ${planned.to}`,
        ...(planned.from === wallet && { movedLamports: lamports }),
      }
    }
    case 'count wrapped':
      if (!areEqual(instruction.data, SYNC_NATIVE)) refuseInstruction()
      assertAccounts(instruction, [['the account', planned.account]])
      return {
        text: 'Turn it into wrapped SOL, which pays for the first buy',
        detail: `Account ${planned.account}`,
      }
    case 'agent token':
      if (!areEqual(instruction.data, SET_AGENT_TOKEN)) refuseInstruction()
      assertAccounts(instruction, planned.accounts)
      return {
        text: 'Make the new token the agent’s own, for good',
        detail: planned.accounts.map(([role, address]) => `${role} ${address}`).join(', '),
      }
    default: {
      const { kind, fields } = given as LaunchAction
      assertFields(fields, planned.fields)
      assertAccounts(instruction, planned.accounts)
      return describeAction({ kind, fields }, instruction.accounts, plan)
    }
  }
}

/** The page can't know the token's document in advance: the service stores it. */
const UNKNOWN_FIELD = 'document'

function assertFields(given: Record<string, string>, expected: Record<string, string>): void {
  for (const name of new Set([...Object.keys(expected), ...Object.keys(given)])) {
    if (name === UNKNOWN_FIELD || given[name] === expected[name]) continue
    if (given[name] === undefined)
      refuse(`The transaction leaves out what you entered: “${name} ${expected[name]}”.`)
    const entered = expected[name] === undefined ? 'nothing of the kind' : `“${name} ${expected[name]}”`
    refuse(`The transaction says “${name} ${given[name]}”. You entered ${entered}.`)
  }
}
