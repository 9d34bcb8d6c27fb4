import { formatShare } from '../../lib/format.ts'
import type { Term } from '../launch/read-terms.ts'
import { type Draft, nameEarner } from './draft.ts'
import { computeCurve, computePool } from './launch-numbers.ts'

/** Where the tokens and the money will go, in the words of the launch's page. Undefined while the numbers are not valid. */
export function describeDraftTerms(draft: Draft): { tokens: Term[]; money: Term[] } | undefined {
  if (draft.mechanic === 'bondingCurve') {
    const curve = computeCurve(draft)
    if (!curve) return undefined
    return {
      tokens: [
        { share: curve.forSale / curve.supply, text: 'sold on the bonding curve' },
        { share: curve.liquidity / curve.supply, text: 'into the liquidity pool, locked for good' },
      ],
      money: [{ share: 1, text: 'into the liquidity pool' }],
    }
  }
  const pool = computePool(draft)
  if (!pool || pool.forCreator < 0) return undefined
  const { supply, forDepositors, liquidity, forCreator, liquidityBps } = pool
  const lock = draft.lock === 'forever' ? 'locked for good' : 'locked, and released over 1 year'
  const wallet = earnerOf(draft)
  return {
    tokens: withoutNothing([
      { share: forDepositors / supply, text: 'shared by everyone who deposits' },
      { share: liquidity / supply, text: `into the liquidity pool, ${lock}` },
      { share: forCreator / supply, text: `to ${wallet}, after graduation` },
    ]),
    money: withoutNothing([
      { share: liquidityBps / 10_000, text: 'into the liquidity pool' },
      { share: 1 - liquidityBps / 10_000, text: `to ${wallet}` },
    ]),
  }
}

/** What a launch pool gives its creator; undefined if that is nothing. */
export function describeCreatorShare(draft: Draft): string | undefined {
  const pool = computePool(draft)
  if (!pool) return undefined
  const shares = [
    [pool.forCreator / pool.supply, 'of the tokens'],
    [1 - pool.liquidityBps / 10_000, 'of the money raised'],
  ] as const
  const parts = shares.filter(([share]) => share > 0).map(([share, of]) => `${formatShare(share)} ${of}`)
  return parts.length > 0 ? `${earnerOf(draft)} gets ${parts.join(' and ')}.` : undefined
}

const earnerOf = (draft: Draft) => nameEarner(draft).toLowerCase()

const withoutNothing = (terms: Term[]) => terms.filter(({ share }) => share > 0)
