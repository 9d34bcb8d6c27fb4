import { shorten } from '../lib/format.ts'
import type { LaunchTokens } from './intent.ts'

/** The launch's token by its symbol. One that could be taken for money, or is missing, is named by its address too. */
export function nameBase({
  baseMint,
  baseSymbol = '',
}: Pick<LaunchTokens, 'baseMint' | 'baseSymbol'>): string {
  if (baseSymbol === '') return `the token ${shorten(baseMint)}`
  const symbol = IS_ASCII.test(baseSymbol) ? baseSymbol : `\u2068${baseSymbol}\u2069`
  return LIKE_MONEY.test(baseSymbol) ? `${symbol} (token ${shorten(baseMint)})` : symbol
}
/** Other symbols are isolated: one that is written from right to left would move what comes after it. */
const IS_ASCII = /^[ -~]*$/
const LIKE_MONEY = /^\W*w?(sol|solana|usd\w?|eur\w?|btc|eth)\W*$/i
