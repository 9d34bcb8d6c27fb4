import type { Address, LaunchCondition, LaunchInput } from '@slipway/client'
import {
  describeBehaviours,
  describeCondition,
  describeLock,
  describeSchedule,
  type Fields,
  quote,
  tokens,
  type Units,
} from './describe-fields.ts'
import {
  type Outline,
  type Part,
  type Pool,
  type Primary,
  toCondition,
  toSchedule,
  toUnits,
} from './outline.ts'

/** What the data of a launch's instructions must say, from what the person entered. */
export function createExpectedFields(launch: LaunchInput, genesis: Address, units: Units) {
  const amountOf = (supply: number) => tokens(toUnits(supply, units.base), units)
  const quoteOf = (amount: number) => quote(toUnits(amount, units.quote), units)
  const when = async (condition: LaunchCondition) => describeCondition(await toCondition(condition, genesis))
  return {
    initialize: (): Fields => ({
      name: launch.name,
      symbol: launch.symbol,
      supply: amountOf(launch.supply ?? SUPPLY),
      decimals: `${units.base}`,
    }),

    async primary(primary: Primary): Promise<Fields> {
      const amount = amountOf(primary.supply)
      if (primary.type === 'launchpoolV2') {
        const pool = primary.launchpoolV2
        return {
          amount,
          'deposits open': await when(pool.depositStartCondition),
          'deposits close': await when(pool.depositEndCondition),
          'claims open': await when(pool.claimStartCondition),
          'claims close': await when(pool.claimEndCondition),
        }
      }
      const curve = primary.bondingCurveV2
      return {
        amount,
        'trading opens': await when(curve.swapStartCondition),
        'trading closes': await when(curve.swapEndCondition),
        'virtual reserve': quoteOf(curve.virtualQuoteTokens),
        'virtual tokens': amountOf(curve.virtualBaseTokens),
      }
    },

    async primaryExtensions(primary: Primary): Promise<Fields> {
      if (primary.type === 'launchpoolV2') {
        const pool = primary.launchpoolV2
        const bonus = await toSchedule(pool.depositBonus, pool, genesis)
        const penalty = await toSchedule(pool.withdrawPenalty, pool, genesis)
        const goal = pool.minimumQuoteTokenThreshold
        return {
          ...(goal != null && { goal: quoteOf(goal) }),
          ...(bonus && { 'deposit bonus': describeSchedule(bonus) }),
          ...(penalty && { 'withdrawal penalty': describeSchedule(penalty) }),
        }
      }
      const { firstBuy, creatorFee } = primary.bondingCurveV2
      return {
        ...(firstBuy?.enabled && { 'first buy': `by ${firstBuy.buyer} for ${quoteOf(firstBuy.amount)}` }),
        ...(creatorFee?.enabled && { 'creator fees': `to ${creatorFee.wallet}` }),
      }
    },

    proceeds: ({ behaviours }: Outline): Fields => ({ proceeds: describeBehaviours(behaviours) }),

    part: async ({ supply, claimStartCondition, claimEndCondition }: Part): Promise<Fields> => ({
      amount: amountOf(supply),
      'claims open': await when(claimStartCondition),
      'claims close': await when(claimEndCondition),
    }),

    pool: async ({ supply, startCondition }: Pool): Promise<Fields> => ({
      amount: amountOf(supply),
      'pool opens': await when(startCondition),
    }),

    async poolExtensions({ lpLockSchedule: lock, creatorFee }: Pool): Promise<Fields> {
      const liquidity = lock?.enabled && {
        start: await toCondition(lock.startCondition, genesis),
        seconds: BigInt(lock.duration),
        period: BigInt(lock.period),
        cliff: await toCondition(lock.cliffCondition, genesis),
        cliffBps: lock.cliffAmountBps,
      }
      return {
        ...(liquidity && { liquidity: describeLock(liquidity) }),
        ...(creatorFee?.enabled && { 'creator fees': `to ${creatorFee.wallet}` }),
      }
    },

    /** The first buy pays no fees, and no other trade comes before it. The program rounds in favour of the curve. */
    firstBuy(
      { supply, bondingCurveV2: curve }: Extract<Primary, { type: 'bondingCurveV2' }>,
      amount: number,
    ): Fields {
      const allocation = toUnits(supply, units.base)
      const price = toUnits(amount, units.quote)
      const virtualQuote = toUnits(curve.virtualQuoteTokens, units.quote)
      const base = toUnits(curve.virtualBaseTokens, units.base) + allocation
      const after = virtualQuote + price
      const bought = base - (virtualQuote * base + after - 1n) / after
      return {
        price: quote(price, units),
        'at least': tokens(bought < allocation ? bought : allocation, units),
      }
    },
  }
}

const SUPPLY = 1_000_000_000
