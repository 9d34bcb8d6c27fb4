import { bucketAddress, genesisAddress } from '@slipway/launch-model/addresses'
import { type Call, decodeCall, isOfKind } from '@slipway/launch-model/call'
import { type ActingAgent, execute } from '@slipway/launch-model/calls/agents'
import { initialize } from '@slipway/launch-model/calls/genesis'
import { kindOf } from '@slipway/launch-model/kinds/kinds'
import { authorityOf, type LaunchPlan } from '@slipway/launch-model/plan/launch-plan'
import { type Evidence, type LaunchStep, listLaunchSteps } from '@slipway/launch-model/plan/launch-steps'
import { type LaunchOutline, outlineLaunch } from '@slipway/launch-model/plan/outline-launch'
import { planBuckets } from '@slipway/launch-model/plan/plan-buckets'
import { toUnits } from '@slipway/launch-model/plan/to-units'
import { type Address, CORE_PROGRAM, WRAPPED_NATIVE_MINT } from '@slipway/launch-model/programs'
import type { Step as PlannedStep } from '@slipway/launch-model/trade/wrap-native'
import { quoteSymbol, shorten } from '../lib/format.ts'
import { fetchAccounts } from '../lib/rpc.ts'
import type { Planned } from './assert-planned.ts'
import { type Instruction, refuseInstruction } from './decode-transaction.ts'
import {
  describeArgs,
  describeCall,
  type Fields,
  LAUNCH_CALLS,
  nameCall,
  percent,
  type Units,
} from './describe-launch.ts'
import type { Facts } from './facts.ts'
import {
  type EarlierStep,
  type LaunchIntent,
  type Review,
  refuse,
  type Step,
  UnexpectedTransactionError,
} from './intent.ts'
import { parseDocumentUrl } from './words.ts'

export interface PlannedPart extends Planned {
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
export function planLaunch(
  given: readonly Instruction[],
  intent: LaunchIntent<Address>,
  wallet: Address,
  facts: Facts,
): PlannedPart {
  if (given.length === 0) refuse('The transaction does nothing.')
  const launch = expectOrRefuse(intent, wallet, facts)
  const agent = intent.agent
    ? { asset: intent.agent.mint as Address, collection: facts.agent?.collection }
    : undefined
  const actions: PlannedAction[] = []
  const says: Step[] = []
  const positions: number[] = []
  for (const outer of given) {
    const meant = identify(agent ? unwrap(outer) : outer)
    const position = findPosition(launch, meant, positions.at(-1))
    const action = withDocument(launch.actions[position] as PlannedAction, meant)
    assertFields(describeArgs(meant, launch.units), describeArgs(action.call, launch.units))
    const step = describeCall(action.call, { ...launch, wallet })
    says.push(agent && action.byAgent ? describeExecuted(step, action, agent) : step)
    actions.push(action)
    positions.push(position)
  }
  if (launch.actions[(positions.at(-1) as number) + 1]?.staysWithPrevious) refuse(SEPARATED)
  const earlier = launch.actions
    .slice(0, positions[0])
    .map(({ call, evidence }) => ({ name: nameCall(call.kind), evidence }))
  return { steps: actions, agent, says, positions, count: launch.actions.length, earlier }
}

/** Invalid numbers, times and addresses can't be compared. */
function expectOrRefuse(...launch: Parameters<typeof expectLaunch>): ExpectedLaunch {
  try {
    return expectLaunch(...launch)
  } catch (error) {
    if (error instanceof UnexpectedTransactionError) throw error
    throw new UnexpectedTransactionError('What you entered can’t be compared with the transaction.', {
      cause: error,
    })
  }
}

const SEPARATED = 'The transaction separates two steps of the launch that must be taken together.'

/** What Core's `execute` runs. */
function unwrap(outer: Instruction): Instruction {
  const [program, ...accounts] = outer.accounts.slice(EXECUTE_ACCOUNTS - 1)
  if (outer.program !== CORE_PROGRAM || !program) return outer
  try {
    return { program, accounts, data: decodeCall(execute, outer.data).data }
  } catch {
    return refuseInstruction()
  }
}
/** The accounts of `execute` itself. The last of them is the program that it calls. */
const EXECUTE_ACCOUNTS = 7

/** The first step says who launches. The details of every step do. */
function describeExecuted(step: Step, { call }: PlannedAction, { asset, collection }: ActingAgent): Step {
  const by = `Carried out by the agent ${asset}`
  return {
    ...step,
    text: call.kind === initialize ? `${step.text}, as your agent ${shorten(asset)}` : step.text,
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
type Given = Pick<Call, 'kind' | 'args'>

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

/** The page can't know the token's document in advance: the service stores it. */
function withDocument(action: PlannedAction, { args }: Given): PlannedAction {
  const { kind } = action.call
  if (kind.name !== initialize.name) return action
  const { uri } = args as { uri: string }
  parseDocumentUrl(uri)
  return { ...action, call: { ...action.call, args: { ...(action.call.args as object), uri } } }
}

function assertFields(given: Fields, expected: Fields): void {
  for (const name of new Set([...Object.keys(expected), ...Object.keys(given)])) {
    if (given[name] === expected[name]) continue
    if (given[name] === undefined)
      refuse(`The transaction leaves out what you entered: “${name} ${expected[name]}”.`)
    const entered = expected[name] === undefined ? 'nothing of the kind' : `“${name} ${expected[name]}”`
    refuse(`The transaction says “${name} ${given[name]}”. You entered ${entered}.`)
  }
}

/** An instruction that the launch needs. */
interface PlannedAction extends PlannedStep {
  /** Whether it must be in the same transaction as the action before it. */
  staysWithPrevious: boolean
  /** How the chain shows that it is done. */
  evidence: Evidence
}

interface ExpectedLaunch {
  actions: PlannedAction[]
  units: Units
  /** What to call addresses in sentences. */
  names: Map<Address, string>
  /** Shares of the proceeds, by bucket. */
  shares: Map<Address, string>
}

/** Every instruction that creates a launch, in order, from what the person entered. */
function expectLaunch(intent: LaunchIntent<Address>, wallet: Address, facts: Facts): ExpectedLaunch {
  const { launch, agent } = intent
  const { mint } = intent
  const genesis = genesisAddress(mint)
  if (genesis !== intent.genesisAccount)
    refuse(`The launch of the token ${mint} is at ${genesis}, not at ${intent.genesisAccount}.`)
  const quoteMint = (launch.quoteMint ?? WRAPPED_NATIVE_MINT) as Address
  const quote = facts.tokens.get(quoteMint) ?? refuse(`The chain doesn’t know the token ${quoteMint}.`)
  const units = {
    base: launch.decimals ?? DECIMALS,
    quote: quote.decimals,
    quoteSymbol: quoteSymbol(quoteMint),
  }
  const outline = outlineLaunch({ allocations: toParsed(launch.allocations) as never })
  if (outline.primaries.length !== 1) refuse('A launch has one launch pool or one bonding curve.')
  const plan: LaunchPlan = {
    wallet,
    agent: agent ? { asset: agent.mint as Address, setsToken: agent.setToken ?? false } : undefined,
    mint,
    genesis,
    quoteMint,
    quoteTokenProgram: quote.program,
    token: {
      name: launch.name,
      symbol: launch.symbol,
      // The page can't know the token's document in advance: the service stores it.
      uri: '',
      decimals: units.base,
      supply: toUnits(launch.supply ?? SUPPLY, units.base) ?? fail('the supply does not fit into 64 bits'),
    },
    ...planBuckets({ decimals: units.base }, outline, { genesis, quoteDecimals: units.quote }),
    isFinalized: launch.finalize !== false,
  }
  return {
    actions: listLaunchSteps(plan).flatMap(listActions),
    units,
    names: nameAddresses(plan, outline),
    shares: new Map(
      plan.behaviors.flatMap(behavior =>
        behavior.kind === 'SendQuoteTokenPercentage'
          ? [[behavior.bucket, percent(BigInt(behavior.percentageBps))]]
          : [],
      ),
    ),
  }
}

const listActions = ({ calls, staysWithPrevious = false, evidence }: LaunchStep): PlannedAction[] =>
  calls.map((one, index) => ({ ...one, staysWithPrevious: staysWithPrevious || index > 0, evidence }))

const fail = (message: string): never => {
  throw new RangeError(message)
}

const SUPPLY = 1_000_000_000
const DECIMALS = 6

/** A request as the service parses it: times in seconds, and no offset where none is given. */
function toParsed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toParsed)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([name, part]) => [name, toParsed(part)])
  const parsed: Record<string, unknown> = Object.fromEntries(entries)
  if (parsed.type === 'TimeAbsolute')
    return { ...parsed, timestamp: Math.floor(Date.parse(`${parsed.timestamp}`) / 1_000) }
  if (parsed.type === 'TimeRelativeToUnknownAddress') return { ...parsed, timeOffset: parsed.timeOffset ?? 0 }
  return parsed
}

function nameAddresses(plan: LaunchPlan, { unlocked }: LaunchOutline): Map<Address, string> {
  const { wallet, genesis, mint, primary, pools } = plan
  const names = new Map([
    [mint, 'the new token'],
    [authorityOf(plan), 'the agent’s wallet'],
    [wallet, 'your wallet'],
  ])
  const nameBucket = (
    kind: typeof primary.kind | 'raydiumCpmmV2' | 'unlockedV2',
    index: number,
    name: string,
  ) => names.set(bucketAddress(kind, genesis, index), name)
  nameBucket(primary.kind, 0, `the ${kindOf(primary.kind).words.noun}`)
  for (const [index, { recipient }] of unlocked.entries())
    nameBucket('unlockedV2', index, names.get(recipient) ?? shorten(recipient))
  for (const index of pools.keys()) nameBucket('raydiumCpmmV2', index, 'the liquidity pool')
  return names
}

/**
 * Refuses to go on with a launch if the chain doesn't show every earlier step as the person entered it. Without one of
 * them, the launch could be finalized without its creator fees, for example.
 */
export async function assertEarlierSteps(
  rpcUrl: string,
  reviews: readonly Review[],
  signal: AbortSignal,
): Promise<void> {
  const earlier = reviews.flatMap(review => review.earlier ?? [])
  if (earlier.length === 0) return
  const addresses = [...new Set(earlier.map(({ evidence }) => evidence.address))]
  const programs = earlier.map(({ evidence }) => evidence.program)
  const accounts = await fetchAccounts(rpcUrl, addresses, signal, programs)
  for (const { name, evidence } of earlier) {
    const data = accounts[addresses.indexOf(evidence.address)]
    if (data === undefined || evidence.stateOf(data) !== 'done')
      refuse(
        `The transactions leave out a step that is not on the chain, or differs there from your entries: ${name}.`,
      )
  }
}
