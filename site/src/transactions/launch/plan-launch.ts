import { bucketAddress, genesisAddress } from '@slipway/launch-model/addresses'
import { kindOf } from '@slipway/launch-model/kinds/kinds'
import { authorityOf, type LaunchPlan } from '@slipway/launch-model/plan/launch-plan'
import { type Evidence, type LaunchStep, listLaunchSteps } from '@slipway/launch-model/plan/launch-steps'
import { type LaunchOutline, outlineLaunch } from '@slipway/launch-model/plan/outline-launch'
import { planBuckets } from '@slipway/launch-model/plan/plan-buckets'
import { toUnits } from '@slipway/launch-model/plan/to-units'
import type { Address } from '@slipway/launch-model/programs'
import { WRAPPED_NATIVE_MINT } from '@slipway/launch-model/programs'
import type { Step as PlannedStep } from '@slipway/launch-model/trade/wrap-native'
import { quoteSymbol, shorten } from '../../lib/format.ts'
import type { LaunchIntent } from '../intent.ts'
import { refuse } from '../unexpected.ts'
import { percent, type Units } from './describe-fields.ts'

/** An instruction that the launch needs. */
export interface PlannedAction extends PlannedStep {
  /** Whether it must be in the same transaction as the action before it. */
  staysWithPrevious: boolean
  /** How the chain shows that it is done. */
  evidence: Evidence
}

export interface ExpectedLaunch {
  actions: PlannedAction[]
  units: Units
  /** What to call addresses in sentences. */
  names: Map<Address, string>
  /** Shares of the proceeds, by bucket. */
  shares: Map<Address, string>
}

/** Every instruction that creates a launch, in order, from what the person entered. */
export function planLaunch(
  intent: LaunchIntent<Address>,
  wallet: Address,
  quoteTokenProgram: Address,
): ExpectedLaunch {
  const { launch, agent } = intent
  const { mint } = intent
  const genesis = genesisAddress(mint)
  if (genesis !== intent.genesisAccount)
    refuse(`The launch of the token ${mint} is at ${genesis}, not at ${intent.genesisAccount}.`)
  const quoteMint = (launch.quoteMint ?? WRAPPED_NATIVE_MINT) as Address
  const units = unitsOf(intent, quoteMint)
  const outline = outlineLaunch({ allocations: toParsed(launch.allocations) as never })
  if (outline.primaries.length !== 1) refuse('A launch has one launch pool or one bonding curve.')
  const plan: LaunchPlan = {
    wallet,
    agent: agent ? { asset: agent.mint as Address, setsToken: agent.setToken ?? false } : undefined,
    mint,
    genesis,
    quoteMint,
    quoteTokenProgram,
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
const SOL_DECIMALS = 9

const unitsOf = ({ launch, quoteDecimals }: LaunchIntent<Address>, quoteMint: Address): Units => ({
  base: launch.decimals ?? DECIMALS,
  quote:
    quoteMint === WRAPPED_NATIVE_MINT
      ? SOL_DECIMALS
      : (quoteDecimals ?? refuse('The page doesn’t know the decimals of the payment token.')),
  quoteSymbol: quoteSymbol(quoteMint),
})

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
