import { randomBytes } from 'node:crypto'
import { addressAt } from '@slipway/launch-model/bytes/base58'
import type { LaunchPlan } from '@slipway/launch-model/plan/launch-plan'
import { listLaunchSteps } from '@slipway/launch-model/plan/launch-steps'
import { TOKEN_PROGRAM, WRAPPED_NATIVE_MINT } from '@slipway/launch-model/programs'
import type { Address } from '@slipway/schema/address'
import { buildWithdrawTransaction, type Withdrawal } from '@slipway/service/chain/transactions/build-agent'
import { buildClaimTransaction, type Claim } from '@slipway/service/chain/transactions/build-claim'
import { buildSwapTransaction, type SwapTransaction } from '@slipway/service/chain/transactions/build-swap'
import { packSteps } from '@slipway/service/chain/transactions/launch/pack-steps'
import { countSteps, launchWithUmi } from '@slipway/service/official-clients/launch-with-umi'
import { claimWithUmi, stockUmi, withdrawWithUmi } from '@slipway/service/official-clients/stock-umi'
import { swapWithUmi } from '@slipway/service/official-clients/swap-with-umi'
import { samplePlan } from './sample-plan.ts'
import { curveSampler, quoteOurs, quoteTheirs, sampleSwap } from './sample-swap.ts'

/** CPU time per transaction, in microseconds: stock Umi, ours with new keys, and ours with the same keys again. */
export interface BuildCost {
  umiUs: number
  newUs: number
  knownUs: number
}

export type BuildScenario =
  | 'withdrawal'
  | 'withdrawal, in a collection'
  | 'claim, curve'
  | 'claim, pool'
  | 'claim, pool and its fees'
  | 'quote'
  | 'swap, curve'
  | 'swap, pool'
  | 'swap, curve, agent'
  | 'launch pool, whole'
  | 'bonding curve, whole'

/** Enough for the code to be optimised: about half a second of each. */
const ONE_TRANSACTION = { ours: { warmUp: 2_000, measured: 4_000 }, theirs: { warmUp: 100, measured: 150 } }
const WHOLE_LAUNCH = { ours: { warmUp: 400, measured: 800 }, theirs: { warmUp: 5, measured: 10 } }
/** The derived addresses of this many fit into the cache. */
const SWAP = { ours: { warmUp: 1_000, measured: 2_000 }, theirs: { warmUp: 30, measured: 60 } }
const key = (): Address => addressAt(randomBytes(32))

/** Runs in a process of its own. `umiFirst` sets the order. */
export async function measureBuildCost([scenario, umiFirst]: [BuildScenario, boolean]): Promise<BuildCost> {
  const owner = key()
  const umi = stockUmi(owner)
  const { make, ours, theirs } = scenarioOf(scenario, owner, umi)
  const counts = scenario.endsWith('whole')
    ? WHOLE_LAUNCH
    : scenario.startsWith('swap')
      ? SWAP
      : ONE_TRANSACTION
  const rounds = {
    ours() {
      const given = Array.from({ length: counts.ours.measured }, make)
      for (const one of Array.from({ length: counts.ours.warmUp }, make)) ours(one)
      return { newUs: timed(given, ours), knownUs: timed(given, ours) }
    },
    theirs() {
      for (const one of Array.from({ length: counts.theirs.warmUp }, make)) theirs(one)
      return { umiUs: timed(Array.from({ length: counts.theirs.measured }, make), theirs) }
    },
  }
  const [first, second] = umiFirst ? [rounds.theirs, rounds.ours] : [rounds.ours, rounds.theirs]
  return { ...first(), ...second() } as BuildCost
}

function timed<T>(given: readonly T[], build: (one: T) => string): number {
  const start = process.cpuUsage()
  for (const one of given) build(one)
  const { user, system } = process.cpuUsage(start)
  return (user + system) / given.length
}

function scenarioOf(scenario: BuildScenario, owner: Address, umi: ReturnType<typeof stockUmi>) {
  if (scenario.startsWith('withdrawal')) {
    const inCollection = scenario.endsWith('collection')
    return checked<Withdrawal>(
      () => ({
        asset: key(),
        owner,
        lamports: 123_456_789n,
        blockhash: key(),
        ...(inCollection && { collection: key() }),
      }),
      buildWithdrawTransaction,
      given => withdrawWithUmi(umi, given),
    )
  }
  if (scenario.endsWith('whole')) return launchScenario(scenario.startsWith('launch pool'), owner, umi)
  if (scenario === 'quote') return checked(curveSampler(key), quoteOurs, quoteTheirs)
  if (scenario.startsWith('swap')) {
    const kind = scenario.endsWith('agent') ? 'agent' : scenario.endsWith('pool') ? 'pool' : 'curve'
    return checked<SwapTransaction>(
      () => sampleSwap(kind, owner, key),
      buildSwapTransaction,
      given => swapWithUmi(umi, given),
    )
  }
  const kind = scenario === 'claim, curve' ? 'bondingCurveV2' : 'raydiumCpmmV2'
  return checked<Claim>(
    () => ({
      payer: owner,
      bucket: { kind, genesis: key(), address: key() },
      wallet: owner,
      baseMint: key(),
      quoteMint: WRAPPED_NATIVE_MINT,
      quoteTokenProgram: TOKEN_PROGRAM,
      createsTokenAccount: false,
      ...(scenario.endsWith('fees') && {
        collect: { environment: 'mainnet', baseTokenProgram: TOKEN_PROGRAM },
      }),
      blockhash: key(),
    }),
    buildClaimTransaction,
    given => claimWithUmi(umi, given),
  )
}

/** All transactions of a launch as the official SDK requests it, from the plan of its buckets. */
function launchScenario(isPool: boolean, owner: Address, umi: ReturnType<typeof stockUmi>) {
  const blockhash = key()
  const pack = (plan: LaunchPlan) => packSteps(plan, listLaunchSteps(plan), blockhash)
  const sample = samplePlan(isPool, owner, key())
  const counts = countSteps(umi, sample, blockhash, pack(sample))
  return checked<LaunchPlan>(
    () => samplePlan(isPool, owner, key()),
    plan => pack(plan).join(),
    plan => launchWithUmi(umi, plan, blockhash, counts).join(),
  )
}

/** Throws unless both build the same bytes, because the comparison would mean nothing. */
function checked<T>(make: () => T, ours: (given: T) => string, theirs: (given: T) => string) {
  const sample = make()
  if (ours(sample) !== theirs(sample)) throw new Error('the transactions differ')
  return {
    make: make as () => unknown,
    ours: ours as (given: unknown) => string,
    theirs: theirs as (given: unknown) => string,
  }
}
