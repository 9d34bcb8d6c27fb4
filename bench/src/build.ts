import { randomBytes } from 'node:crypto'
import { buildCreateLaunchPayload } from '@metaplex-foundation/genesis'
import { assetSignerAddress, genesisAddress } from '@slipway/launch-model/addresses'
import { addressAt } from '@slipway/launch-model/bytes/base58'
import type { LaunchPlan } from '@slipway/launch-model/plan/launch-plan'
import { listLaunchSteps } from '@slipway/launch-model/plan/launch-steps'
import { outlineLaunch } from '@slipway/launch-model/plan/outline-launch'
import { planBuckets } from '@slipway/launch-model/plan/plan-buckets'
import { TOKEN_PROGRAM, WRAPPED_NATIVE_MINT } from '@slipway/launch-model/programs'
import { rentFor } from '@slipway/local-chain/conditions'
import type { Address } from '@slipway/schema/address'
import { CreateLaunchBody } from '@slipway/schema/create-launch'
import { buildWithdrawTransaction, type Withdrawal } from '@slipway/service/chain/transactions/build-agent'
import { buildClaimTransaction, type Claim } from '@slipway/service/chain/transactions/build-claim'
import { buildSwapTransaction, type SwapTransaction } from '@slipway/service/chain/transactions/build-swap'
import { packSteps } from '@slipway/service/chain/transactions/launch/pack-steps'
import { countSteps, launchWithUmi } from '@slipway/service/official-clients/launch-with-umi'
import { claimWithUmi, stockUmi, withdrawWithUmi } from '@slipway/service/official-clients/stock-umi'
import { swapWithUmi } from '@slipway/service/official-clients/swap-with-umi'
import { measureInTurns, median, printTable } from './lib.ts'

const SCENARIOS = [
  'withdrawal',
  'withdrawal, in a collection',
  'claim, curve',
  'claim, pool',
  'claim, pool and its fees',
  'swap, curve',
  'swap, pool',
  'swap, curve, agent',
  'launch pool, whole',
  'bonding curve, whole',
] as const
type BuildScenario = (typeof SCENARIOS)[number]

/**
 * Compares the CPU time to build a transaction with that of stock Umi, which builds the same bytes in the same
 * process. With an argument, only the scenarios whose names contain it.
 */
export async function benchBuild([part = '']: string[]): Promise<void> {
  const rows: string[][] = []
  for (const scenario of SCENARIOS.filter(name => name.includes(part))) {
    const costs = await measureInTurns<BuildCost>('measureBuildCost', scenario)
    const of = (value: (cost: BuildCost) => number) => median(costs.map(value))
    rows.push([
      scenario,
      of(cost => cost.umiUs).toFixed(0),
      of(cost => cost.newUs).toFixed(1),
      of(cost => cost.knownUs).toFixed(1),
      of(cost => cost.umiUs / cost.newUs).toFixed(0),
      of(cost => cost.umiUs / cost.knownUs).toFixed(0),
    ])
  }
  printTable(
    'Building a transaction, compared with stock Umi (CPU time)',
    ['', 'Umi, µs', 'ours, new keys, µs', 'ours, known keys, µs', 'times faster, new', 'times faster, known'],
    rows,
  )
}

/** CPU time per transaction, in microseconds: stock Umi, ours with new keys, and ours with the same keys again. */
export interface BuildCost {
  umiUs: number
  newUs: number
  knownUs: number
}

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

/** A launch pool or a bonding curve as the official SDK requests it. */
export function samplePlan(isPool: boolean, wallet: Address, mint: Address): LaunchPlan {
  const token = { name: 'Tidewater', symbol: 'TIDE', image: 'https://images.example/tidewater.png' }
  const payload = buildCreateLaunchPayload(
    isPool
      ? {
          wallet,
          token,
          launchType: 'launchpool',
          launch: {
            launchpool: {
              tokenAllocation: 500_000_000,
              depositStartTime: '2030-01-01T00:00:00Z',
              raiseGoal: 250,
              raydiumLiquidityBps: 5_000,
              fundsRecipient: wallet,
            },
          },
        }
      : { wallet, token, launchType: 'bondingCurve', launch: {} },
  )
  const { launch } = CreateLaunchBody.parse(JSON.parse(JSON.stringify(payload)))
  const genesis = genesisAddress(mint)
  return {
    wallet,
    mint,
    genesis,
    quoteMint: launch.quoteMint,
    quoteTokenProgram: TOKEN_PROGRAM,
    token: {
      ...token,
      uri: `https://slipway.example/v1/documents/${'a'.repeat(64)}.json`,
      decimals: launch.decimals,
      supply: 10n ** 15n,
    },
    ...planBuckets(launch, outlineLaunch(launch), { genesis, quoteDecimals: 9 }),
    isFinalized: true,
  }
}

type Key = () => Address

/** A purchase by a wallet that has no token accounts yet: on a curve, in a pool, or by an agent. */
export function sampleSwap(kind: 'curve' | 'pool' | 'agent', owner: Address, key: Key): SwapTransaction {
  const mint = key()
  const agent = kind === 'agent' ? { asset: key() } : undefined
  return {
    side: 'buy',
    amountIn: 1_000_000_000n,
    amountOutMin: 7_890_531_103_827n,
    genesis: key(),
    tokens: {
      base: { mint, program: TOKEN_PROGRAM },
      quote: { mint: WRAPPED_NATIVE_MINT, program: TOKEN_PROGRAM },
    },
    at:
      kind === 'pool'
        ? {
            pool: {
              address: key(),
              environment: 'mainnet',
              config: key(),
              mint0: mint,
              vault0: key(),
              vault1: key(),
              observation: key(),
            },
          }
        : { curve: key() },
    trader: agent ? assetSignerAddress(agent.asset) : owner,
    payer: owner,
    isAgent: agent !== undefined,
    agent,
    holds: { hasBase: false, quote: undefined },
    accountRent: rentFor(165),
    priorityFee: 0n,
    blockhash: key(),
  }
}
