import type { LaunchDetail, Network } from '@slipway/client'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Address } from '../../components/address.tsx'
import { Amount } from '../../components/amount.tsx'
import { formatFee, quoteSymbol } from '../../lib/format.ts'
import type { Figures } from '../../lib/launches.ts'
import { createPart } from '../../lib/load-part.ts'
import { useIsHydrated } from '../../lib/now.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { useSite } from '../../lib/site-context.ts'
import { candlesQuery } from './candles/read-candles.ts'
import { useTerms } from './terms/launch-terms.tsx'

const reading = createPart(() => import('./read-pool.ts'))
const POLL_MS = 30_000

export interface FactsProps {
  data: LaunchDetail
  network: Network
  figures: Figures | undefined
  /** Whether it has graduated without a pool. */
  hasEnded: boolean
}

/** The pool that a launch trades in since it has graduated: where it is, what it holds, its fee, and what was traded. */
export function usePoolFacts({ data, network, figures, hasEnded }: FactsProps): [string, ReactNode][] {
  const { slipway, settings } = useSite()
  const { launch, baseToken } = data
  const isTraded = useIsHydrated() && launch.graduatedAt !== null && !hasEnded && figures !== undefined
  const bucket = useTerms(network, launch.genesisAddress).data?.poolBucket
  const rpcUrl = settings.rpc[network]?.url
  const { data: pool } = useQuery({
    queryKey: queryKeys.pool(network, launch.genesisAddress),
    queryFn: async ({ signal }) => {
      const mints = { baseMint: baseToken.address, quoteMint: figures?.quoteMint ?? '' }
      return (await reading.load()).readPool({ rpcUrl: rpcUrl ?? '', network, signal }, mints, bucket ?? '')
    },
    enabled: isTraded && bucket !== undefined && rpcUrl !== undefined,
    refetchInterval: POLL_MS,
    retry: 1,
  })
  const { data: day } = useQuery({ ...candlesQuery(slipway, network, launch, 'day'), enabled: isTraded })
  if (!isTraded) return []
  const { quoteMint, quoteDecimals, baseDecimals } = figures
  const symbol = quoteSymbol(quoteMint)
  return [
    [
      'Pool',
      pool && <Address key="pool" address={pool.address} network={network} label="the pool’s address" />,
    ],
    [
      'In the pool',
      pool && (
        <span key="reserves">
          <Amount units={`${pool.reserves.quote}`} decimals={quoteDecimals} symbol={symbol} /> and{' '}
          <Amount units={`${pool.reserves.base}`} decimals={baseDecimals} symbol={baseToken.symbol} />
        </span>
      ),
    ],
    ['Fee per trade', pool && formatFee(pool.fee)],
    [
      'Traded in 24 h',
      // Without all trades, the sum would be too small.
      day?.reason === null && (
        <Amount key="volume" units={day.volume} decimals={day.quoteDecimals} symbol={symbol} />
      ),
    ],
  ]
}
