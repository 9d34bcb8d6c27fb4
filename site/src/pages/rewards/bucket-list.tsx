import type { LaunchActivity, LaunchDetail, Network, RewardBucket } from '@slipway/client'
import { wordsOf } from '@slipway/launch-model/kinds/words'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import type { TransactionState } from '../../actions/action.ts'
import { Button } from '../../components/button.tsx'
import { Sparkline } from '../../components/sparkline.tsx'
import { TokenPicture } from '../../components/token-picture.tsx'
import { formatCount, formatUnits, shorten } from '../../lib/format.ts'
import { launchHref, titleOf } from '../../lib/launches.ts'
import { activityQuery, launchQuery } from '../../lib/queries.ts'
import { useSite } from '../../lib/site-context.ts'
import styles from './bucket-list.module.css'
import { BucketState } from './bucket-state.tsx'
import { findSources, groupByLaunch, type RewardsOfLaunch } from './group-by-launch.ts'
import { TokenAmount } from './token-amount.tsx'

/** A row asks for its launch and its figures, so they come in portions. */
const ROWS = 30

/** Where the fees come from, by launch, largest claim first. */
export function BucketList({
  buckets,
  network,
  states,
}: {
  buckets: readonly RewardBucket[]
  network: Network
  /** The progress of each bucket's claim, by address. */
  states: ReadonlyMap<string, TransactionState>
}) {
  const [shown, setShown] = useState(ROWS)
  const launches = groupByLaunch(buckets)
  const left = launches.length - shown
  return (
    <>
      <div className={styles.columns} aria-hidden="true">
        <span>Launch</span>
        <span>Launch’s fees, 24 h</span>
        <span>Earned</span>
        <span>Claimed</span>
        <span>To claim</span>
      </div>
      <ul>
        {launches.slice(0, shown).map(launch => (
          <li key={`${launch.genesisAddress} ${launch.quoteMint}`} className={styles.item}>
            <LaunchRewards {...{ launch, network, states }} />
          </li>
        ))}
      </ul>
      {left > 0 && (
        <div className={styles.more}>
          <Button onClick={() => setShown(count => count + ROWS)}>Show more</Button>
          <span>{formatCount(left)} more</span>
        </div>
      )}
    </>
  )
}

function LaunchRewards({
  launch: { genesisAddress, quoteMint, buckets, earned, claimed, claimable },
  network,
  states,
}: {
  launch: RewardsOfLaunch
  network: Network
  states: ReadonlyMap<string, TransactionState>
}) {
  const { slipway, settings } = useSite()
  const { data: launch } = useQuery({ ...launchQuery(slipway, network, genesisAddress), staleTime: 60_000 })
  const { data: activity, isError } = useQuery({
    ...activityQuery(slipway, network, genesisAddress, 'day'),
    retry: false,
  })
  const amount = (units: string) => (
    <TokenAmount units={units} mint={quoteMint} network={network} genesisAddress={genesisAddress} />
  )
  const hasGraduated = launch?.launch.graduatedAt != null
  const sources = findSources(buckets, hasGraduated)
  return (
    <div className={styles.row}>
      <TokenPicture
        image={launch?.baseToken.image}
        name={launch ? titleOf(launch) : '?'}
        address={genesisAddress}
        size={44}
      />
      <span className={styles.who}>
        <LaunchName
          launch={launch}
          address={genesisAddress}
          href={launchHref(genesisAddress, network, settings.networks)}
        />
        {sources.map(bucket => (
          <span key={bucket.address} className={styles.source}>
            <span className={styles.kind}>
              {wordsOf(bucket.kind).source ?? bucket.kind}
              {earned === '0' && ': no fees yet'}
              {sources.length > 1 && <>: {amount(bucket.claimable)}</>}
            </span>
            <BucketState state={states.get(bucket.address)} />
          </span>
        ))}
      </span>
      <span className={styles.grew}>
        <span className={styles.label}>Launch’s fees, 24 h</span>
        {activity ? (
          <Growth activity={activity} />
        ) : (
          isError && <span className={styles.growth}>Not known</span>
        )}
      </span>
      <span className={styles.figure}>
        <span className={styles.label}>Earned</span> {amount(earned)}
      </span>
      <span className={styles.figure}>
        <span className={styles.label}>Claimed</span> {amount(claimed)}
      </span>
      <span className={`${styles.figure} ${claimable === '0' ? styles.zero : styles.claimable}`}>
        <span className={styles.label}>To claim</span> {amount(claimable)}
      </span>
    </div>
  )
}

/** A launch that is hidden or was never registered has fees, but no page. Null: it was hidden a moment ago. */
function LaunchName({
  launch,
  address,
  href,
}: {
  launch: LaunchDetail | null | undefined
  address: string
  href: string
}) {
  if (!launch)
    return (
      <span className={styles.name} title={address}>
        Launch {shorten(address, 5)}
      </span>
    )
  return (
    <Link href={href} className={`reach ${styles.name}`}>
      <bdi>{titleOf(launch)}</bdi>
    </Link>
  )
}

/** How the fees of the whole launch have grown. */
function Growth({ activity: { points, current, quoteDecimals } }: { activity: LaunchActivity }) {
  const fees = [...points, ...(current ? [current] : [])].flatMap(({ creatorFees }) => creatorFees ?? [])
  const [first, last] = [fees[0], fees.at(-1)]
  if (first === undefined || last === undefined || fees.length < 2 || quoteDecimals === null)
    return <span className={styles.growth}>Not known</span>
  if (last === '0') return <span className={styles.growth}>None yet</span>
  const grown = BigInt(last) - BigInt(first)
  if (grown === 0n) return <span className={styles.growth}>No change</span>
  return (
    <>
      <Sparkline values={fees.map(Number)} />
      <span className={styles.growth}>
        {grown > 0n && '+'}
        {formatUnits(grown, quoteDecimals)}
      </span>
    </>
  )
}
