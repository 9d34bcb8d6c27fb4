import type { Address } from '@slipway/schema/address'
import { decodeIdentity } from '../../accounts/identity.ts'
import {
  bucketAddress,
  IDENTITY_PROGRAM,
  identityAddress,
  SYSTEM_PROGRAM,
  unlockedBucketAddress,
} from '../../addresses/addresses.ts'
import { addressBytes } from '../../addresses/base58.ts'
import {
  type Instruction,
  readonly,
  readonlySigner,
  writable,
  writableSigner,
} from '../compile-transaction.ts'
import { u64, zeros } from '../encode-fields.ts'
import { executeAsAgent } from '../execute-as-agent.ts'
import { baseOfPool, baseOfPrimary, baseOfUnlocked, FIRST_BUY_DONE } from './bucket-fields.ts'
import { created, type Evidence, filled, flagged, type Written } from './evidence.ts'
import { behavioursField, type Extension, extensionsOfPool, extensionsOfPrimary } from './extensions.ts'
import { buyFirst, firstBuyTokens, prepareFirstBuy } from './first-buy.ts'
import * as genesis from './genesis-instructions.ts'
import { authorityOf, type LaunchPlan } from './launch-plan.ts'

/** Instructions that belong in one transaction, and how to tell from the chain that they are done. */
export interface LaunchStep {
  /** What the step creates or does, for messages. */
  name: string
  evidence: Evidence
  instructions: readonly Instruction[]
  /** Whether it must be in the same transaction as the step before it. */
  staysWithPrevious?: boolean
  /** Whether it adds a bucket to the launch. */
  addsBucket?: boolean
  /** Whether it is possible after the launch has been finalized. */
  isAfterwards?: boolean
}

/** Every step that creates a launch, in order. */
export function listLaunchSteps(plan: LaunchPlan): LaunchStep[] {
  const steps = [
    step(
      plan,
      'authority, quote mint or supply',
      created(plan.genesis, launchFields(plan)),
      genesis.initialize(plan),
    ),
    ...primarySteps(plan),
    ...unlockedSteps(plan),
    ...poolSteps(plan),
  ]
  if (!plan.isFinalized) return steps
  const buckets = steps.flatMap(({ addsBucket, evidence }) => (addsBucket ? evidence.address : []))
  const evidence = flagged(plan.genesis, FINALIZED)
  steps.push(step(plan, 'finalization', evidence, genesis.finalize(plan, buckets)))
  return [...steps, ...agentSteps(plan), ...firstBuySteps(plan)]
}

/** Offsets in the account of a launch. */
const FINALIZED = 4
const AUTHORITY = 8
const MINT = 40
const QUOTE_MINT = 72
const SUPPLY = 104

const launchFields = (plan: LaunchPlan): Written[] => [
  { at: AUTHORITY, bytes: addressBytes(authorityOf(plan)) },
  { at: MINT, bytes: addressBytes(plan.mint) },
  { at: QUOTE_MINT, bytes: addressBytes(plan.quoteMint) },
  { at: SUPPLY, bytes: u64(plan.token.supply) },
]

const step = (plan: LaunchPlan, name: string, evidence: Evidence, instruction: Instruction): LaunchStep => ({
  name,
  evidence,
  instructions: [asAuthority(plan, instruction)],
})

/** The wallet of an agent is the authority, and only Core can sign for it. */
const asAuthority = ({ agent, wallet }: LaunchPlan, instruction: Instruction): Instruction =>
  agent ? executeAsAgent(agent, wallet, instruction) : instruction

function primarySteps(plan: LaunchPlan): LaunchStep[] {
  const { kind } = plan.primary
  const name = kind === 'launchpoolV2' ? 'launch pool' : 'bonding curve'
  const address = bucketAddress(kind, plan.genesis, 0)
  const extensions = extensionsOfPrimary(plan.primary)
  const evidence = created(address, baseOfPrimary(plan), withoutSteps(extensions))
  const flows = filled(address, [behavioursField(plan)])
  // Anyone can trade on a curve as soon as it exists. Its extensions reserve the first buy and set the creator's fee.
  const staysWithPrevious = kind === 'bondingCurveV2'
  return [
    { ...step(plan, name, evidence, genesis.addPrimary(plan)), addsBucket: true },
    ...extendSteps(plan, name, { kind, address }, extensions).map(one => ({ ...one, staysWithPrevious })),
    step(plan, 'fund flows', flows, genesis.setBehaviours(plan)),
  ]
}

const unlockedSteps = (plan: LaunchPlan): LaunchStep[] =>
  plan.unlocked.map((bucket, index) => {
    const evidence = created(unlockedBucketAddress(plan.genesis, index), baseOfUnlocked(bucket))
    const instruction = genesis.addUnlocked(plan, bucket, index)
    return { ...step(plan, `unlocked bucket ${index}`, evidence, instruction), addsBucket: true }
  })

const poolSteps = (plan: LaunchPlan): LaunchStep[] =>
  plan.pools.flatMap((pool, index) => {
    const kind = 'raydiumCpmmV2'
    const address = bucketAddress(kind, plan.genesis, index)
    const extensions = extensionsOfPool(pool)
    const evidence = created(address, baseOfPool(pool), withoutSteps(extensions))
    const instruction = genesis.addRaydium(plan, pool, index)
    return [
      { ...step(plan, 'liquidity pool', evidence, instruction), addsBucket: true },
      ...extendSteps(plan, 'liquidity pool', { kind, address }, extensions),
    ]
  })

/** All extensions if none is planned, because then no extension step checks that they are absent. */
const withoutSteps = (extensions: readonly Extension[]): readonly Extension[] =>
  extensions.some(({ data }) => data) ? [] : extensions

/** One step for all extensions of a bucket; no step if it has none. */
function extendSteps(
  plan: LaunchPlan,
  name: string,
  bucket: Parameters<typeof genesis.extendBucket>[1],
  extensions: readonly Extension[],
): LaunchStep[] {
  const data = extensions.flatMap(extension => extension.data ?? [])
  if (data.length === 0) return []
  const instruction = genesis.extendBucket(plan, bucket, data)
  return [step(plan, `extensions of the ${name}`, filled(bucket.address, extensions), instruction)]
}

function agentSteps(plan: LaunchPlan): LaunchStep[] {
  if (!plan.agent?.setsToken) return []
  const evidence = agentTokenEvidence(plan.agent.asset, plan.mint)
  const instruction = setAgentToken(plan, plan.agent.asset)
  return [{ ...step(plan, "agent's token", evidence, instruction), isAfterwards: true }]
}

function firstBuySteps(plan: LaunchPlan): LaunchStep[] {
  const { primary } = plan
  if (primary.kind !== 'bondingCurveV2' || !primary.firstBuy) return []
  const { firstBuy } = primary
  const evidence = flagged(bucketAddress('bondingCurveV2', plan.genesis, 0), FIRST_BUY_DONE)
  const buy = step(plan, 'first buy', evidence, buyFirst(plan, firstBuy, firstBuyTokens(primary, firstBuy)))
  return [
    {
      ...buy,
      instructions: [...prepareFirstBuy(plan, firstBuy), ...buy.instructions],
      isAfterwards: true,
    },
  ]
}

const SET_AGENT_TOKEN_V1 = 1

/** `setAgentTokenV1` of the identity program: makes the new token the agent's own, for good. The agent's wallet signs. */
const setAgentToken = (plan: LaunchPlan, asset: Address): Instruction => ({
  program: IDENTITY_PROGRAM,
  accounts: [
    writable(identityAddress(asset)),
    readonly(asset),
    readonly(plan.genesis),
    writableSigner(plan.wallet),
    readonlySigner(authorityOf(plan)),
    readonly(SYSTEM_PROGRAM),
  ],
  data: Buffer.concat([Uint8Array.of(SET_AGENT_TOKEN_V1), zeros(7)]),
})

const agentTokenEvidence = (asset: Address, mint: Address): Evidence => ({
  address: identityAddress(asset),
  stateOf(account) {
    const identity = decodeIdentity(account)
    if (!identity.exists || !identity.agentToken) return 'pending'
    return identity.agentToken === mint ? 'done' : 'conflict'
  },
})
