import { shorten } from '../lib/format.ts'
import type { LaunchTokens } from './intent.ts'

/** The launch's token by its symbol. One that could be taken for money, or is missing, is named by its address too. */
export function nameBase({
  baseMint,
  baseSymbol = '',
}: Pick<LaunchTokens, 'baseMint' | 'baseSymbol'>): string {
  if (baseSymbol === '') return `the token ${shorten(baseMint)}`
  return LIKE_MONEY.test(baseSymbol) ? `${baseSymbol} (token ${shorten(baseMint)})` : baseSymbol
}
const LIKE_MONEY = /^\W*w?(sol|solana|usd\w?|eur\w?|btc|eth)\W*$/i
