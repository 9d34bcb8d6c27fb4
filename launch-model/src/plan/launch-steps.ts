import type { Address } from '@slipway/schema/address'
import { bucketAddress, identityAddress } from '../addresses.ts'
import { keyAt } from '../bytes/base58.ts'
import { decode } from '../bytes/codec.ts'
import type { Call } from '../call.ts'
import { setAgentTokenCall } from '../calls/agents.ts'
import { type GenesisCalls, genesisCalls } from '../calls/genesis.ts'
import { openTokenAccountCall, syncNativeCall, transferCall } from '../calls/tokens.ts'
import { genesisAccountLayout } from '../genesis-account.ts'
import type { Creation } from '../kinds/bucket-kind.ts'
import { type BucketKindName, kindOf } from '../kinds/kinds.ts'
import { GENESIS_PROGRAM, IDENTITY_PROGRAM, TOKEN_PROGRAM, WRAPPED_NATIVE_MINT } from '../programs.ts'
import type { Step } from '../trade/wrap-native.ts'
import {
  authorityOf,
  type BondingCurvePlan,
  firstBuyOf,
  firstBuyTokens,
  type LaunchPlan,
} from './launch-plan.ts'
import { matches } from './matches.ts'

/** Instructions that belong in one transaction, and how to tell from the chain that they are done. */
export interface LaunchStep {
  /** What the step creates or does, for messages. */
  name: string
  /** Those that the authority signs are by the agent, if there is one. */
  calls: readonly Step[]
  evidence: Evidence
  /** Whether it must be in the same transaction as the step before it. */
  staysWithPrevious?: boolean
  /** Whether it adds a bucket to the launch. */
  addsBucket?: boolean
  /** Whether it is possible after the launch has been finalized. */
  isAfterwards?: boolean
}

/** A conflict means that the chain has something other than what the step would write. */
export type StepState = 'pending' | 'done' | 'conflict'

/** Tells from an account whether a step has been carried out. */
export interface Evidence {
  address: Address
  /** The program whose account it must be. Without such an account, the step is pending. */
  program: Address
  stateOf(data: Uint8Array): StepState
}

/** Every step that creates a launch, in order. */
export function listLaunchSteps(plan: LaunchPlan): LaunchStep[] {
  const calls = genesisCalls({ ...plan, authority: authorityOf(plan) })
  const steps = [
    initializeStep(plan, calls),
    ...primarySteps(plan, calls),
    ...plan.unlocked.map((bucket, index) => {
      const address = bucketAddress(bucket.kind, plan.genesis, index)
      const { add } = creationOf(bucket.kind)
      return addStep(
        `unlocked bucket ${index}`,
        { ...bucket, address, written: { ...bucket.added, recipient: bucket.recipient } },
        calls.addPart(add, bucket.added, address, bucket.recipient),
      )
    }),
    ...plan.pools.flatMap((bucket, index) => {
      const address = bucketAddress(bucket.kind, plan.genesis, index)
      const { add } = creationOf(bucket.kind)
      const { noun } = kindOf(bucket.kind).words
      return [
        addStep(noun, { ...bucket, address }, calls.addPool(add, bucket.added, address)),
        ...extendSteps(noun, { ...bucket, address }, calls, undefined),
      ]
    }),
  ]
  if (!plan.isFinalized) return steps
  const buckets = steps.flatMap(({ addsBucket, evidence }) => (addsBucket ? evidence.address : []))
  return [
    ...steps,
    {
      name: 'finalization',
      calls: [byAuthority(calls.finalize(buckets))],
      evidence: genesisEvidence(plan.genesis, data =>
        decode(genesisAccountLayout, data).finalized ? 'done' : 'pending',
      ),
    },
    ...agentSteps(plan),
    ...firstBuySteps(plan, calls),
  ]
}

const byAuthority = (call: Call): Step => ({ call, byAgent: true })
const byAnyone = (call: Call): Step => ({ call, byAgent: false })

function creationOf(kind: BucketKindName): Creation {
  const { creation } = kindOf(kind)
  if (!creation) throw new RangeError(`a new launch has no bucket of the kind ${kind}`)
  return creation
}

const genesisEvidence = (address: Address, stateOf: Evidence['stateOf']): Evidence => ({
  address,
  program: GENESIS_PROGRAM,
  stateOf,
})

function initializeStep(plan: LaunchPlan, calls: GenesisCalls): LaunchStep {
  const { name, symbol, uri, decimals, supply: totalSupply } = plan.token
  const written = {
    authority: authorityOf(plan),
    baseMint: plan.mint,
    quoteMint: plan.quoteMint,
    totalSupply,
  }
  return {
    name: 'authority, quote mint or supply',
    calls: [byAuthority(calls.initialize({ decimals, totalSupply, name, uri, symbol }))],
    evidence: genesisEvidence(plan.genesis, data =>
      matches(decode(genesisAccountLayout, data), written) ? 'done' : 'conflict',
    ),
  }
}

interface PlacedBucket {
  kind: BucketKindName
  address: Address
  added: object
  extended: Readonly<Record<string, unknown>>
  /** What the account shows, if that is more than the instruction says. */
  written?: object
}

/** What the account of a bucket shows. Undefined if it is not a bucket of that kind. */
function readBucket({ kind }: PlacedBucket, data: Uint8Array): BucketView | undefined {
  const { key, layout } = kindOf(kind)
  if (data[0] !== key) return undefined
  try {
    return decode(layout, data) as unknown as BucketView
  } catch {
    return undefined
  }
}
interface BucketView {
  extensions: Record<string, unknown>
  endBehaviors: readonly unknown[]
}

const hasExtensions = ({ extended }: PlacedBucket) =>
  Object.values(extended).some(value => value !== undefined)

function addStep(name: string, bucket: PlacedBucket, call: Call): LaunchStep {
  const { added, written = added } = bucket
  const { extensions } = creationOf(bucket.kind)
  return {
    name,
    calls: [byAuthority(call)],
    addsBucket: true,
    evidence: genesisEvidence(bucket.address, data => {
      const found = readBucket(bucket, data)
      // If extensions are planned, a step of their own checks them.
      const isPlain = extensions.every(one => found?.extensions[one] === undefined)
      return matches(found, written) && (hasExtensions(bucket) || isPlain) ? 'done' : 'conflict'
    }),
  }
}

/** One step for all extensions of a bucket; no step if it has none. */
function extendSteps(
  name: string,
  bucket: PlacedBucket,
  calls: GenesisCalls,
  buyer: Address | null | undefined,
): LaunchStep[] {
  const { extend, extensions, isOpenAtOnce } = creationOf(bucket.kind)
  if (!extend || !hasExtensions(bucket)) return []
  return [
    {
      name: `extensions of the ${name}`,
      calls: [byAuthority(calls.extend(extend, bucket.extended, bucket.address, buyer))],
      ...(isOpenAtOnce && { staysWithPrevious: true }),
      evidence: genesisEvidence(bucket.address, data => {
        const found = readBucket(bucket, data)?.extensions ?? {}
        if (extensions.every(one => matches(found[one], bucket.extended[one]))) return 'done'
        return extensions.every(one => found[one] === undefined) ? 'pending' : 'conflict'
      }),
    },
  ]
}

function primarySteps(plan: LaunchPlan, calls: GenesisCalls): LaunchStep[] {
  const { primary } = plan
  const { add, setBehaviors } = creationOf(primary.kind)
  const { noun } = kindOf(primary.kind).words
  const address = bucketAddress(primary.kind, plan.genesis, 0)
  const bucket: PlacedBucket = { ...primary, address }
  const buyer = primary.kind === 'bondingCurveV2' ? (primary.extended.firstBuy?.buyer ?? null) : undefined
  const flows = { endBehaviors: plan.behaviors }
  return [
    addStep(noun, bucket, calls.addSale(add, primary.added, address)),
    ...extendSteps(noun, bucket, calls, buyer),
    {
      name: 'fund flows',
      calls: [byAuthority(calls.setBehaviors(setBehaviors as never, flows, address))],
      evidence: genesisEvidence(address, data => {
        const found = readBucket(bucket, data)
        if (matches(found, flows)) return 'done'
        return found?.endBehaviors.length === 0 ? 'pending' : 'conflict'
      }),
    },
  ]
}

/** Where an identity has the agent's token. Identities of version 1 have none. */
const AGENT_TOKEN = { version: 2, at: 40, end: 72 }

function agentSteps(plan: LaunchPlan): LaunchStep[] {
  if (!plan.agent?.setsToken) return []
  const { asset } = plan.agent
  return [
    {
      name: "agent's token",
      calls: [byAuthority(setAgentTokenCall(asset, { ...plan, authority: authorityOf(plan) }))],
      isAfterwards: true,
      evidence: {
        address: identityAddress(asset),
        program: IDENTITY_PROGRAM,
        stateOf(data) {
          const { version, at, end } = AGENT_TOKEN
          const token = data[0] === version && data.length >= end ? keyAt(data, at) : undefined
          if (!token) return 'pending'
          return token === plan.mint ? 'done' : 'conflict'
        },
      },
    },
  ]
}

/**
 * Opens the buyer's token accounts, wraps the SOL that the first buy costs, and buys. The buyer provides the SOL, or
 * the owner if the buyer is the agent's wallet. If the quote token is not wrapped SOL, the buyer must already hold
 * enough of it.
 */
function firstBuySteps(plan: LaunchPlan, calls: GenesisCalls): LaunchStep[] {
  const { wallet, mint, quoteMint, quoteTokenProgram, primary } = plan
  const firstBuy = firstBuyOf(primary)
  if (!firstBuy) return []
  const { buyer, amount } = firstBuy
  const curve = bucketAddress(primary.kind, plan.genesis, 0)
  const bucket: PlacedBucket = { ...primary, address: curve }
  const wrapped = calls.quoteTokens(buyer)
  const funder = buyer === authorityOf(plan) ? wallet : buyer
  const wrap = [transferCall(funder, wrapped, amount), syncNativeCall(wrapped)]
  const tokensMin = firstBuyTokens(primary as BondingCurvePlan, amount)
  return [
    {
      name: 'first buy',
      calls: [
        byAnyone(openTokenAccountCall(wallet, buyer, { mint: quoteMint, program: quoteTokenProgram })),
        byAnyone(openTokenAccountCall(wallet, buyer, { mint, program: TOKEN_PROGRAM })),
        ...(quoteMint === WRAPPED_NATIVE_MINT ? wrap.map(byAnyone) : []),
        byAuthority(calls.buy(curve, buyer, amount, tokensMin)),
      ],
      isAfterwards: true,
      evidence: genesisEvidence(curve, data =>
        readBucket(bucket, data)?.extensions.firstBuyDone ? 'done' : 'pending',
      ),
    },
  ]
}
