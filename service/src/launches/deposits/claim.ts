import { tokensOf } from '@slipway/launch-model/calls/trades'
import { planOwed, type StepGroup, together } from '@slipway/launch-model/plan-deposit'
import type { Owed, Position } from '@slipway/launch-model/position'
import { GENESIS_FEE_WALLET, WRAPPED_NATIVE_MINT } from '@slipway/launch-model/programs'
import type { ErrorDetail } from '@slipway/schema/errors'
import { fitsTransaction } from '../../chain/transactions/pack-groups.ts'
import type { BuilderParts } from '../trading/swap.ts'
import type { TraderRequest } from '../trading/trader.ts'
import { toTime } from './build-position.ts'
import { finish, type Opened, openBuilder } from './builder.ts'
import { refusal } from './refuse.ts'

export interface ClaimRequest extends TraderRequest {
  /** Whether a refund is unwrapped, which the wallet must sign. */
  unwrap: boolean
}

/** Builds the transactions that pay a wallet everything that a launch owes it now: tokens, proceeds or a refund. */
export async function buildLaunchClaim(parts: BuilderParts, request: ClaimRequest) {
  const opened = await openBuilder(parts, request, ['claim', request.unwrap])
  const { reading, position, funds, recent } = opened
  if (position.owed.length === 0)
    throw refusal(position.refusals.claim ?? 'NOTHING_TO_CLAIM', whenOf(position))
  const hasFeeAccount = reading.others.get(tokensOf(reading.shape.base, GENESIS_FEE_WALLET))?.exists ?? false
  const options = { unwraps: request.unwrap, hasFeeAccount }
  const { owed, groups } = planClaims(funds, position.owed, options)
  const { transactions, costs } = await finish(parts, { reading, funds, recent }, groups, {
    receives: nativeOf(opened, owed, request.unwrap),
  })
  const { quote, base } = reading.shape
  return {
    transactions,
    blockhash: recent,
    costs,
    receives: { tokens: `${sumOf(owed, 'tokens')}`, quote: `${sumOf(owed, 'quote')}` },
    nextClaim: position.nextClaim === undefined ? null : toTime(position.nextClaim),
    quoteMint: quote.mint,
    quoteDecimals: quote.decimals,
    baseDecimals: base.decimals,
  }
}

const sumOf = (owed: readonly Owed[], field: 'tokens' | 'quote') =>
  owed.reduce((sum, one) => sum + one[field], 0n)

/**
 * Proceeds are claimed in the transaction that makes the sale send them. A claim without that would leave them in the
 * sale for good. If one transaction has no room for both, only the triggers are sent.
 */
export function planClaims(
  funds: Opened['funds'],
  all: readonly Owed[],
  options: { unwraps: boolean; hasFeeAccount: boolean },
): { owed: Owed[]; groups: StepGroup[] } {
  const owed = uniqueTriggers(all)
  const plan = (some: readonly Owed[]) => some.flatMap(one => planOwed(funds, one, options))
  const [others, proceeds] = [false, true].map(is =>
    owed.filter(({ kind }) => (kind === 'unlocked') === is),
  ) as [Owed[], Owed[]]
  if (proceeds.every(({ triggers }) => triggers.length === 0)) return { owed, groups: plan(owed) }
  const group = together(plan(proceeds))
  if (fitsTransaction([group], funds)) return { owed, groups: [...plan(others), group] }
  const triggered = proceeds.map(one => ({ ...one, kind: 'start' as const, tokens: 0n, quote: 0n }))
  return { owed: [...others, ...triggered], groups: plan([...others, ...triggered]) }
}

/** The lamports that arrive and can pay the rent of accounts that the wallet keeps. */
function nativeOf({ funds }: Opened, owed: readonly Owed[], unwraps: boolean): bigint {
  if (funds.tokens.quote.mint !== WRAPPED_NATIVE_MINT) return 0n
  const staysWrapped = !unwraps || funds.holds.quote?.isDelegated === true
  return sumOf(
    owed.filter(({ kind }) => kind === 'unlocked' || (kind === 'refund' && !staysWrapped)),
    'quote',
  )
}

function whenOf({ nextClaim }: Position): ErrorDetail[] | undefined {
  if (nextClaim === undefined) return undefined
  return [{ path: ['wallet'], message: `can claim from ${toTime(nextClaim)} on` }]
}

/** Two claims may need the same trigger. It runs once, before the first of them. */
function uniqueTriggers(owed: readonly Owed[]): Owed[] {
  const seen = new Set<string>()
  return owed.map(one => ({
    ...one,
    triggers: one.triggers.filter(({ kind, bucket }) => {
      const key = `${kind} ${bucket.address}`
      return !seen.has(key) && seen.add(key)
    }),
  }))
}
