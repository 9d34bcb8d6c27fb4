import type { Agent, CreateLaunchRequest, Network } from '@slipway/client'
import type { Rent } from '@slipway/launch-model/rent'
import { NATIVE_DECIMALS } from '../../lib/format.ts'
import { computeCurve, computePool, type Draft, parseLocalTime, parseSol, timesOf } from './draft.ts'

type Launch = CreateLaunchRequest['launch']
type Allocation = Launch['allocations'][number]

const ALWAYS = { type: 'Always' } as const
const NEVER = { type: 'Never' } as const
const AT_GRADUATION = {
  type: 'TimeRelativeToUnknownAddress',
  bucketType: 'raydiumV2',
  bucketIndex: 0,
  bucketTime: 'Graduate',
  timeOffset: 0,
} as const
const BPS_MAX = 10_000
/** A year, in quarters. */
const LOCK = { duration: 31_536_000, period: 7_883_982 }

const at = (ms: number) => ({ type: 'TimeAbsolute', timestamp: new Date(ms).toISOString() }) as const

/**
 * The request to the API. The draft must have no faults. `earner` gets the creator fees, or the creator's share of a
 * pool.
 */
export function buildLaunch(
  draft: Draft,
  {
    wallet,
    earner = wallet,
    network,
    pictureUrl,
    nowMs,
  }: { wallet: string; earner?: string; network: Network; pictureUrl: string; nowMs: number },
): Launch {
  const links = Object.entries({
    website: draft.website,
    social: draft.social,
    telegram: draft.telegram,
    discord: draft.discord,
  }).flatMap(([name, text]) => (text.trim() ? [[name, text.trim()]] : []))
  const description = draft.description.trim()
  return {
    type: draft.mechanic,
    publicKey: wallet,
    name: draft.name.trim(),
    symbol: draft.symbol.trim(),
    image: draft.image.trim() || pictureUrl,
    ...(description && { description }),
    ...(links.length > 0 && { externalLinks: Object.fromEntries(links) }),
    network,
    ...(draft.mechanic === 'bondingCurve'
      ? buildCurve(draft, { wallet, earner })
      : buildPool(draft, earner, nowMs)),
  }
}

function buildCurve(
  draft: Draft,
  { wallet, earner }: { wallet: string; earner: string },
): Pick<Launch, 'supply' | 'allocations'> {
  const numbers = computeCurve(draft)
  if (!numbers) throw new Error('the curve has no numbers')
  const startMs = parseLocalTime(draft.startsAt)
  const firstBuy = parseSol(draft.firstBuy)
  const creatorFee = { enabled: true, wallet: earner } as const
  const curve: Allocation = {
    type: 'bondingCurveV2',
    supply: numbers.forSale,
    bondingCurveV2: {
      swapStartCondition: startMs === undefined ? ALWAYS : at(startMs),
      swapEndCondition: { type: 'Triggered' },
      virtualBaseTokens: numbers.virtualBase,
      virtualQuoteTokens: numbers.virtualQuote,
      ...(firstBuy !== undefined && { firstBuy: { enabled: true, buyer: wallet, amount: firstBuy } }),
      creatorFee,
      fundFlows: [
        {
          type: 'RaydiumLP',
          supply: numbers.liquidity,
          percentageBps: BPS_MAX,
          startCondition: ALWAYS,
          lpLockSchedule: lockOf(NEVER, { duration: 1, period: 1 }),
          creatorFee,
        },
      ],
    },
  }
  return { supply: numbers.supply, allocations: [curve] }
}

function buildPool(draft: Draft, earner: string, nowMs: number): Pick<Launch, 'supply' | 'allocations'> {
  const numbers = computePool(draft)
  if (!numbers) throw new Error('the pool has no numbers')
  const { startMs, endMs } = timesOf(draft, nowMs)
  const claims = { claimStartCondition: AT_GRADUATION, claimEndCondition: NEVER }
  const toCreator = { recipient: earner, ...claims }
  const creatorBps = BPS_MAX - numbers.liquidityBps
  const pool: Allocation = {
    type: 'launchpoolV2',
    supply: numbers.forDepositors,
    launchpoolV2: {
      depositStartCondition: at(startMs),
      depositEndCondition: at(endMs),
      ...claims,
      minimumQuoteTokenThreshold: numbers.goal,
      fundFlows: [
        {
          type: 'RaydiumLP',
          supply: numbers.liquidity,
          percentageBps: numbers.liquidityBps,
          startCondition: at(endMs),
          lpLockSchedule:
            draft.lock === 'forever' ? lockOf(NEVER, { duration: 1, period: 1 }) : lockOf(at(endMs), LOCK),
        },
        ...(creatorBps > 0
          ? [{ type: 'UnlockedFunds' as const, supply: 0, percentageBps: creatorBps, ...toCreator }]
          : []),
      ],
    },
  }
  const rest: Allocation[] =
    numbers.forCreator > 0 ? [{ type: 'unlockedV2', supply: numbers.forCreator, unlockedV2: toCreator }] : []
  return { supply: numbers.supply, allocations: [pool, ...rest] }
}

const lockOf = (
  start: typeof NEVER | ReturnType<typeof at>,
  { duration, period }: { duration: number; period: number },
) => ({
  enabled: true as const,
  startCondition: start,
  duration,
  period,
  cliffCondition: start,
  cliffAmountBps: 0,
})

/** What a program puts aside for creating the liquidity pool, and the fee for the token's metadata. */
const PUT_ASIDE_LAMPORTS = 204_196_000n
/** The size of all accounts of a launch. Texts, links and lists make it differ a little. */
const ACCOUNT_BYTES = { bondingCurve: 4_700, launchpool: 8_000 } as const

/** The most transactions that such a launch takes. Some take fewer: an agent outside a collection needs less room. */
export function countTransactions({ mechanic, firstBuy, agent, agentToken }: Draft): number {
  if (mechanic === 'launchpool') return agent === '' ? 4 : 5
  const hasFirstBuy = parseSol(firstBuy) !== undefined
  if (agent === '') return hasFirstBuy ? 3 : 2
  return hasFirstBuy || agentToken === 'yes' ? 4 : 3
}

/** An estimate is shown in hundredths of a SOL. */
const ESTIMATE_STEP_LAMPORTS = 10_000_000n

/** What all transactions cost together, about, in lamports. */
export function launchCost({ mechanic, firstBuy }: Draft, rent: Rent) {
  const bought = mechanic === 'bondingCurve' ? (parseSol(firstBuy) ?? 0) : 0
  const exact = PUT_ASIDE_LAMPORTS + rent(ACCOUNT_BYTES[mechanic])
  const accounts = (exact / ESTIMATE_STEP_LAMPORTS + 1n) * ESTIMATE_STEP_LAMPORTS
  return { accounts, total: accounts + BigInt(Math.round(bought * 10 ** NATIVE_DECIMALS)) }
}

/**
 * The agent in the request to the API. The address is the chosen one, whatever the service says later. An agent that
 * has a token keeps it.
 */
export const requestAgent = (
  { agent, agentToken }: Draft,
  { agentToken: token }: Pick<Agent, 'agentToken'>,
): NonNullable<CreateLaunchRequest['agent']> => ({ mint: agent, setToken: agentToken === 'yes' && !token })
