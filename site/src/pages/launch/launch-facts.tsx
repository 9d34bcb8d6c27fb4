import { formatAmount, type LaunchDetail, type Network } from '@slipway/client'
import { wordsOf } from '@slipway/launch-model/kinds/words'
import { useQuery } from '@tanstack/react-query'
import { Braces } from 'lucide-react'
import type { ReactNode } from 'react'
import { Amount, Price } from '../../components/figures.tsx'
import { Facts, Panel } from '../../components/layout.tsx'
import { Skeleton } from '../../components/notice.tsx'
import { Address } from '../../components/text.tsx'
import { formatCount, formatFee, formatNumber, formatSaid, quoteSymbol } from '../../lib/format.ts'
import {
  averagePrice,
  type Figures,
  hasMissedGoal,
  isOpenPool,
  isRaise,
  statusAt,
} from '../../lib/launches.ts'
import { createPart } from '../../lib/load-part.ts'
import { withNetwork } from '../../lib/networks.ts'
import { useIsHydrated, useNow } from '../../lib/now.ts'
import { agentQuery } from '../../lib/queries.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { useSite } from '../../lib/site-context.ts'
import { rewardsHref } from '../rewards/token-amount.tsx'
import styles from './launch.module.css'
import { useTerms } from './launch-terms.tsx'
import { type FactsProps, holdersQuery } from './market.ts'
import { candlesQuery } from './read-candles.ts'

export function LaunchFacts({ data, network, figures, hasEnded }: FactsProps) {
  const { slipway, settings, basePath } = useSite()
  const { launch, baseToken } = data
  const nowMs = useNow('minute')
  const isOpen = isOpenPool(data, nowMs)
  const isUpcoming = statusAt(data, nowMs) === 'upcoming'
  const isMissed = hasMissedGoal(data, figures, nowMs)
  const { data: agent } = useQuery({
    ...agentQuery(slipway, network, data.agent ?? ''),
    enabled: data.agent !== undefined,
  })
  const poolFacts = usePoolFacts({ data, network, figures, hasEnded })
  return (
    <Panel title="Facts">
      <Facts
        facts={{
          ...(isMissed ? {} : listPrices(data, figures, nowMs, hasEnded)),
          'Market cap': figures?.price && !isOpen && !isUpcoming && !isMissed && !hasEnded && (
            <MarketCap {...{ data, network, figures }} price={figures.price} />
          ),
          ...poolFacts,
          ...listFigures(
            figures,
            baseToken.symbol,
            isMissed ? 'missed' : isUpcoming ? 'upcoming' : isOpen ? 'open' : 'sold',
          ),
          ...Object.fromEntries(
            listCreators(figures).map((wallet, at) => [
              at === 0 ? 'Fees go to' : `Fees go to (${at + 1})`,
              <span key={wallet}>
                <Address
                  address={wallet}
                  network={network}
                  label="the creator’s wallet"
                  href={rewardsHref(wallet, network, settings.networks)}
                />
                {wallet === agent?.walletAddress && ' (the agent’s wallet)'}
              </span>,
            ]),
          ),
          Launch: <Address address={launch.genesisAddress} network={network} label="the launch’s address" />,
          Token: <Address address={baseToken.address} network={network} label="the token’s address" />,
          'Paid in': figures && quoteSymbol(figures.quoteMint) !== 'SOL' && (
            <Address address={figures.quoteMint} network={network} label="the quote token’s address" />
          ),
        }}
      />
      <a
        className={styles.json}
        href={withNetwork(`${basePath}/v1/launches/${launch.genesisAddress}`, network, settings.networks)}
      >
        <Braces size={16} strokeWidth={1.5} aria-hidden="true" />
        This launch as JSON
      </a>
    </Panel>
  )
}

/** What a token costs, and what it cost in the sale. */
function listPrices(
  data: LaunchDetail,
  figures: Figures | undefined,
  nowMs: number,
  hasEnded: boolean,
): Record<string, ReactNode> {
  if (figures?.price == null) return {}
  const status = statusAt(data, nowMs)
  const isFixed = isRaise(data.launch.mechanic) && !wordsOf(data.launch.mechanic).isShared
  const name = hasEnded
    ? 'Price in the sale'
    : status === 'upcoming' && !isFixed
      ? 'First price'
      : isOpenPool(data, nowMs)
        ? 'Price so far'
        : 'Price'
  const symbol = quoteSymbol(figures.quoteMint)
  const paid = status === 'graduated' && !hasEnded ? averagePrice(figures) : undefined
  return {
    [name]: <Price price={figures.price} symbol={symbol} isExplained />,
    'Sale average': paid !== undefined && <Price price={paid} symbol={symbol} />,
  }
}

/** What all tokens would cost at the current price. */
function MarketCap({
  data,
  network,
  figures,
  price,
}: {
  data: LaunchDetail
  network: Network
  figures: Figures
  price: string
}) {
  const { slipway } = useSite()
  const { data: held, isError } = useQuery({
    ...holdersQuery(slipway, network, data.launch.genesisAddress),
    enabled: useIsHydrated(),
  })
  if (!held?.supply) return isError ? 'unknown' : <Skeleton shape="short" />
  const cap = Number(price) * Number(formatAmount(held.supply, held.baseDecimals))
  return `${formatNumber(cap)} ${quoteSymbol(figures.quoteMint)}`
}

const CREATORS_SHOWN = 3
const listCreators = (figures: Figures | undefined) => figures?.creatorWallets.slice(0, CREATORS_SHOWN) ?? []

function listFigures(
  figures: Figures | undefined,
  symbol: string,
  sale: 'open' | 'upcoming' | 'missed' | 'sold',
): Record<string, ReactNode> {
  if (!figures) return {}
  const { sold, supply, participants, creatorFees, quoteMint, quoteDecimals, baseDecimals } = figures
  const all = <Amount units={supply} decimals={baseDecimals} symbol={symbol} />
  return {
    // A pool distributes all of its tokens, however little was deposited.
    'For sale': sale === 'open' ? <span>{all}, shared by deposits</span> : sale === 'upcoming' && all,
    Sold:
      sale === 'missed'
        ? 'Nothing, because the goal was missed'
        : sale === 'sold' && (
            <span>
              <Amount units={sold} decimals={baseDecimals} /> of {all}
            </span>
          ),
    Deposits: participants === null || sale === 'upcoming' ? undefined : formatCount(Number(participants)),
    'Creator fees':
      creatorFees === null ? undefined : (
        <Amount
          units={creatorFees}
          decimals={quoteDecimals}
          symbol={quoteSymbol(quoteMint)}
          format={formatSaid}
        />
      ),
  }
}

const reading = createPart(() => import('./read-pool.ts'))
const POLL_MS = 30_000

/** The pool that a launch trades in since it has graduated: where it is, what it holds, its fee, and what was traded. */
function usePoolFacts({ data, network, figures, hasEnded }: FactsProps): Record<string, ReactNode> {
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
  if (!isTraded) return {}
  const { quoteMint, quoteDecimals, baseDecimals } = figures
  const symbol = quoteSymbol(quoteMint)
  return {
    Pool: pool && <Address address={pool.address} network={network} label="the pool’s address" />,
    'In the pool': pool && (
      <span>
        <Amount units={`${pool.reserves.quote}`} decimals={quoteDecimals} symbol={symbol} /> and{' '}
        <Amount units={`${pool.reserves.base}`} decimals={baseDecimals} symbol={baseToken.symbol} />
      </span>
    ),
    'Fee per trade': pool && formatFee(pool.fee),
    // Without all trades, the sum would be too small.
    'Traded in 24 h': day?.reason === null && (
      <Amount units={day.volume} decimals={day.quoteDecimals} symbol={symbol} />
    ),
  }
}
