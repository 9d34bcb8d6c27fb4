import { Amount } from '../../components/amount.tsx'
import { quoteSymbol } from '../../lib/format.ts'

const NATIVE_DECIMALS = 9

/**
 * An amount of a token that creators are paid in. Only the native currency's decimals are known without a launch to ask;
 * without them, the smallest unit is shown and named as such.
 */
export function TokenAmount({
  units,
  mint,
  decimals,
}: {
  units: string
  mint: string
  decimals?: number | undefined
}) {
  const symbol = quoteSymbol(mint)
  const known = decimals ?? (symbol === 'SOL' ? NATIVE_DECIMALS : undefined)
  if (known === undefined) return <Amount units={units} decimals={0} symbol={`smallest units of ${symbol}`} />
  return <Amount units={units} decimals={known} symbol={symbol} />
}
