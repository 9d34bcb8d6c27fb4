import type { Network } from '@slipway/client'
import { useQuery } from '@tanstack/react-query'
import { Amount } from '../../components/figures.tsx'
import { Skeleton } from '../../components/notice.tsx'
import { formatSaid, NATIVE_DECIMALS, quoteSymbol, shorten } from '../../lib/format.ts'
import { withNetwork } from '../../lib/networks.ts'
import { cut } from '../../lib/parse-json.ts'
import { activityQuery, tokenQuery } from '../../lib/queries.ts'
import { useSite } from '../../lib/site-context.ts'

const SYMBOL_LENGTH_MAX = 12

/**
 * An amount of a token that creators are paid in. A launch that is paid in it knows its decimals, and the API its
 * symbol if it was launched here too. Without decimals, the smallest unit is shown and named as such.
 */
export function TokenAmount({
  units,
  mint,
  network,
  genesisAddress,
}: {
  units: string
  mint: string
  network: Network
  /** A launch that is paid in this token. */
  genesisAddress: string | undefined
}) {
  const { slipway } = useSite()
  const isNative = quoteSymbol(mint) === 'SOL'
  const activity = useQuery({
    ...activityQuery(slipway, network, genesisAddress ?? '', 'day'),
    enabled: !isNative && genesisAddress !== undefined,
    retry: false,
  })
  const token = useQuery({
    ...tokenQuery(slipway, network, mint),
    enabled: !isNative && quoteSymbol(mint) === shorten(mint),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
  // Anyone can launch a token called SOL, so its mint is named too.
  const launched = token.data?.baseToken.symbol
  const symbol = launched ? `${cut(launched, SYMBOL_LENGTH_MAX)} (${shorten(mint)})` : quoteSymbol(mint)
  const decimals = isNative
    ? NATIVE_DECIMALS
    : activity.data?.quoteMint === mint
      ? (activity.data.quoteDecimals ?? undefined)
      : undefined
  if (decimals !== undefined) return <Amount {...{ units, decimals, symbol }} format={formatSaid} />
  if (activity.isLoading) return <Skeleton />
  return <Amount units={units} decimals={0} symbol={`smallest units of ${symbol}`} />
}

/**
 * Where a wallet's rewards are on this site. For the wallet of an agent, the agent says where they can be taken out.
 */
export const rewardsHref = (
  wallet: string,
  network: string,
  networks: readonly string[],
  agent?: string,
): string => {
  const href = withNetwork(`/rewards/${wallet}`, network, networks)
  return agent === undefined ? href : `${href}${href.includes('?') ? '&' : '?'}agent=${agent}`
}
