import {
  buildCreateLaunchPayload,
  type CreateBondingCurveLaunchInput,
  type CreateLaunchInput,
  type CreateLaunchpoolLaunchInput,
} from '@metaplex-foundation/genesis'
import { genesisAddress } from '@slipway/launch-model/addresses'
import type { LaunchPlan } from '@slipway/launch-model/plan/launch-plan'
import { outlineLaunch } from '@slipway/launch-model/plan/outline-launch'
import { planBuckets } from '@slipway/launch-model/plan/plan-buckets'
import { TOKEN_PROGRAM, WRAPPED_NATIVE_MINT } from '@slipway/launch-model/programs'
import { CreateLaunchBody } from '@slipway/schema/create-launch'
import { documentUrl } from '../../metadata/own-documents.ts'

export const TOKEN = {
  name: 'Tidewater',
  symbol: 'TIDE',
  image: 'https://images.example/tidewater.png',
  description: 'A token that pays for harbour sensors.',
  externalLinks: { website: 'https://tidewater.example', twitter: '@tidewater' },
}

/** The input of the official SDK for a curve. */
export const curveInput = (
  wallet: string,
  launch: CreateBondingCurveLaunchInput['launch'] = {},
  more: object = {},
): CreateBondingCurveLaunchInput => ({
  wallet,
  token: TOKEN,
  launchType: 'bondingCurve',
  launch,
  ...more,
})

/** The input of the official SDK for a launch pool. */
export const poolInput = (
  wallet: string,
  launchpool: Partial<CreateLaunchpoolLaunchInput['launch']['launchpool']> = {},
  more: object = {},
): CreateLaunchpoolLaunchInput => ({
  wallet,
  token: TOKEN,
  launchType: 'launchpool',
  launch: {
    launchpool: {
      tokenAllocation: 500_000_000,
      depositStartTime: new Date(Date.now() - 60_000),
      raiseGoal: 2,
      raydiumLiquidityBps: 5_000,
      fundsRecipient: wallet,
      ...launchpool,
    },
  },
  ...more,
})

/**
 * A launch pool whose proceeds all go to one recipient: the public binary is older than the layout of the bucket for a
 * Raydium pool.
 */
export function poolWithoutRaydium(wallet: string, more: object = {}) {
  const payload = payloadOf(poolInput(wallet, {}, more))
  const [pool, unlocked] = payload.launch.allocations
  const timestamp = new Date(Date.now() + 5 * 24 * 3_600_000).toISOString()
  const claimStartCondition = { type: 'TimeAbsolute', timestamp }
  const [flow] = pool.launchpoolV2.fundFlows
  Object.assign(pool, { supply: 750_000_000 })
  Object.assign(pool.launchpoolV2, {
    claimStartCondition,
    fundFlows: [{ ...flow, percentageBps: 10_000, claimStartCondition }],
  })
  unlocked.unlockedV2.claimStartCondition = {
    type: 'TimeRelativeToUnknownAddress',
    bucketType: 'launchpoolV2',
    bucketIndex: 0,
    bucketTime: 'DepositEnd',
    timeOffset: 5,
  }
  return payload
}

/** The JSON that the official SDK sends. */
// biome-ignore lint/suspicious/noExplicitAny: tests change single fields
export const payloadOf = (input: CreateLaunchInput): any =>
  JSON.parse(JSON.stringify(buildCreateLaunchPayload(input)))

/** The plan of a payload's launch in wrapped SOL. `more` replaces parts of it. */
export function planOf(
  payload: object,
  {
    token,
    ...more
  }: Pick<LaunchPlan, 'mint'> & { agent?: LaunchPlan['agent']; token?: Partial<LaunchPlan['token']> },
): LaunchPlan {
  const { wallet, launch } = CreateLaunchBody.parse(payload)
  const genesis = genesisAddress(more.mint)
  return {
    wallet,
    genesis,
    quoteMint: WRAPPED_NATIVE_MINT,
    quoteTokenProgram: TOKEN_PROGRAM,
    token: {
      name: launch.name,
      symbol: launch.symbol,
      uri: documentUrl('https://slipway.example', 'a'.repeat(64)),
      decimals: launch.decimals,
      supply: 10n ** 15n,
      ...token,
    },
    ...planBuckets(launch, outlineLaunch(launch), { genesis, quoteDecimals: 9 }),
    isFinalized: true,
    ...more,
  }
}

/** A copy of a payload in which the field at `path` has this value, or is missing if that is undefined. */
export function changed(payload: object, path: string, value: unknown): object {
  const copy = structuredClone(payload)
  const names = path.split('.')
  const last = names.pop() as string
  let parent = copy as Record<string, unknown>
  for (const name of names) parent = parent[name] as Record<string, unknown>
  parent[last] = value
  return JSON.parse(JSON.stringify(copy))
}
