import type { LaunchHolders, Network, Slipway } from '@slipway/client'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { Amount } from '../../../components/amount.tsx'
import {
  fail,
  listOf,
  numberOrNull,
  objectOf,
  textOf,
  textOrNull,
  unitsOf,
} from '../../../lib/fit-answers.ts'
import { queryKeys } from '../../../lib/query-keys.ts'
import { useSite } from '../../../lib/site-context.ts'
import styles from './market.module.css'
import type { MarketProps } from './market-props.ts'
import { describeLabel, formatHolding } from './market-words.ts'
import { WalletLink } from './wallet-link.tsx'

/** Who holds most of the token. */
export function Holders({ data, network }: MarketProps) {
  const { slipway } = useSite()
  const { data: list, isError } = useQuery(holdersQuery(slipway, network, data.launch.genesisAddress))
  if (!list || list.holders.length === 0)
    return (
      <p role="status" className={styles.note}>
        {list
          ? 'No one holds this token yet.'
          : isError
            ? 'Holders are not available now.'
            : 'Reading the holders…'}
      </p>
    )
  return (
    <div className={styles.container}>
      <ol className={styles.holders}>
        {list.holders.map(({ owner, amount, share, label }) => (
          <li key={`${owner} ${amount}`}>
            <span className={styles.owner}>
              <WalletLink address={owner} network={network} />
              <Label label={label} />
            </span>
            <span className={styles.share}>{formatHolding(share)}</span>
            <Bar share={share} />
            <span className={styles.base}>
              <Amount units={amount} decimals={list.baseDecimals} symbol={data.baseToken.symbol} />
            </span>
          </li>
        ))}
      </ol>
    </div>
  )
}

function Label({ label }: { label: string | null }) {
  const text = describeLabel(label)
  return text === undefined ? null : <span className={styles.mark}>{text}</span>
}

/** Drawn without style attributes, which the site's policy forbids. */
const Bar = ({ share }: { share: number }) => (
  <svg className={styles.bar} aria-hidden="true" width="100%" height="4">
    <rect width="100%" height="4" rx="2" className={styles.track} />
    <rect
      width={`${(Math.min(1, Math.max(0, share)) * 100).toFixed(2)}%`}
      height="4"
      rx="2"
      className={styles.fill}
    />
  </svg>
)

const POLL_MS = 30_000

const holdersQuery = (slipway: Slipway, network: Network, address: string) =>
  queryOptions({
    queryKey: queryKeys.holders(network, address),
    queryFn: async ({ signal }) => fitHolders(await slipway.launches.holders(address, { network, signal })),
    refetchInterval: POLL_MS,
    retry: 1,
  })

/** Without an owner or an amount, nothing can be said about a holder. */
function fitHolders(value: unknown): Pick<LaunchHolders, 'holders' | 'baseDecimals'> {
  const { holders, baseDecimals } = objectOf(value)
  return {
    baseDecimals: numberOrNull(baseDecimals) ?? fail(),
    holders: listOf(holders).flatMap(each => {
      const { owner, amount, share, label } = objectOf(each)
      if (textOf(owner) === '' || unitsOf(amount) === '') return []
      const known = { owner, amount, share: numberOrNull(share) ?? 0, label: textOrNull(label) }
      return known as LaunchHolders['holders'][number]
    }),
  }
}
