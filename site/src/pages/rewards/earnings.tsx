import type { Network, Slipway } from '@slipway/client'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { Link } from 'wouter'
import { Amount } from '../../components/figures.tsx'
import { TokenPicture } from '../../components/token-picture.tsx'
import { formatSaid, quoteSymbol } from '../../lib/format.ts'
import { readLaunchPage } from '../../lib/launch-rows.ts'
import { figuresOf, launchHref, titleOf } from '../../lib/launches.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { useSite } from '../../lib/site-context.ts'
import styles from './earnings.module.css'

const CURVES_SHOWN = 6

/** The curves that have raised the most: the fees of their creators grow with every trade. */
export const earningsQuery = (slipway: Slipway, network: Network) =>
  queryOptions({
    queryKey: queryKeys.earnings(network),
    queryFn: async ({ signal }) => {
      const { launches, figures } = await readLaunchPage(
        slipway,
        { network, mechanic: 'bondingCurveV2', sort: 'raised', limit: CURVES_SHOWN, figures: true },
        { signal },
      )
      const earnings = launches.flatMap(data => {
        const { genesisAddress } = data.launch
        const known = figuresOf(figures?.find(one => one.genesisAddress === genesisAddress))
        // Claimed or not.
        const fees = known?.creatorFees
        return known && fees && fees !== '0' ? [{ data, fees, known }] : []
      })
      // Amounts of different tokens can't be compared.
      return earnings
        .filter(({ known }) => known.quoteMint === earnings[0]?.known.quoteMint)
        .sort((one, other) => Number(other.fees) - Number(one.fees))
    },
    staleTime: 60_000,
  })

/** What creators have earned so far. */
export function Earnings({ network }: { network: Network }) {
  const { slipway, settings } = useSite()
  const { data: earnings } = useQuery(earningsQuery(slipway, network))
  const id = useId()
  if (!earnings || earnings.length === 0) return null
  return (
    <section className={styles.earnings} aria-labelledby={id}>
      <h2 id={id}>What the largest curves have earned for their creators</h2>
      <ul>
        {earnings.map(({ data, fees, known }) => (
          <li key={data.launch.genesisAddress}>
            <Link href={launchHref(data.launch.genesisAddress, network, settings.networks)}>
              <TokenPicture
                image={data.baseToken.image}
                name={titleOf(data)}
                address={data.launch.genesisAddress}
                size={44}
              />
              <bdi>{titleOf(data)}</bdi>
              <b>
                <Amount
                  units={fees}
                  decimals={known.quoteDecimals}
                  symbol={quoteSymbol(known.quoteMint)}
                  format={formatSaid}
                />
              </b>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
