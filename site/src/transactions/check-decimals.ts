import { WRAPPED_NATIVE_MINT } from '@slipway/launch-model/programs'
import { fetchDecimals } from '../lib/rpc.ts'
import type { Intent } from './intent.ts'
import { refuse } from './unexpected.ts'

const SOL_DECIMALS = 9

/**
 * The API says how many decimals a launch's tokens have, and every amount on the page depends on that. With wrong
 * ones, a typed `1` is ten times as much, and the review would still say `1`.
 */
export function assertSolDecimals(intent: Intent): void {
  if (!('baseMint' in intent) || intent.quoteMint !== WRAPPED_NATIVE_MINT) return
  assertSame(SOL_DECIMALS, intent.quoteDecimals, intent.quoteMint)
}

/** The same for all other tokens of a launch, which only the chain knows. */
export async function assertDecimals(rpcUrl: string, intent: Intent, signal: AbortSignal): Promise<void> {
  if (!('baseMint' in intent)) return
  const shown = [
    [intent.baseMint, intent.baseDecimals] as const,
    [intent.quoteMint, intent.quoteDecimals] as const,
  ].filter(([mint]) => mint !== WRAPPED_NATIVE_MINT)
  const mints = shown.map(([mint]) => mint)
  const actual = await fetchDecimals(rpcUrl, mints, signal)
  for (const [index, [mint, decimals]] of shown.entries()) assertSame(actual[index], decimals, mint)
}

function assertSame(actual: number | undefined, shown: number, mint: string): void {
  if (actual === undefined) refuse(`The chain doesn’t know the token ${mint}.`)
  if (actual !== shown)
    refuse(
      `This page counts with ${shown} decimals for the token ${mint}. It has ${actual}, so every amount shown here is wrong.`,
    )
}
