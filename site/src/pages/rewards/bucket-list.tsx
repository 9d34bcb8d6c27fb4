import type { LaunchActivity, LaunchDetail, Network, RewardBucket } from '@slipway/client'
import { wordsOf } from '@slipway/launch-model/kinds/words'
import { useQuery } from '@tanstack/react-query'
import { Check, CircleAlert, Clock, LoaderCircle } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import type { TransactionState } from '../../actions/action.ts'
import { Button } from '../../components/button.tsx'
import { Sparkline } from '../../components/figures.tsx'
import { TokenPicture } from '../../components/token-picture.tsx'
import { formatCount, formatDuration, formatSaid, quoteSymbol, shorten } from '../../lib/format.ts'
import { launchHref, titleOf } from '../../lib/launches.ts'
import { useNow } from '../../lib/now.ts'
import { activityQuery, launchQuery } from '../../lib/queries.ts'
import { useSite } from '../../lib/site-context.ts'
import styles from './bucket-list.module.css'
import { findGrowth, findSources, groupByLaunch, type RewardsOfLaunch } from './group-by-launch.ts'
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
  const hasClaimed = launches.some(({ claimed }) => claimed !== '0')
  return (
    <div className={hasClaimed ? undefined : styles.unclaimed}>
      <div className={styles.columns} aria-hidden="true">
        <span>Launch</span>
        <span>Launch’s fees, 24 h</span>
        <span>Earned</span>
        {hasClaimed && <span>Claimed</span>}
        <span>To claim</span>
      </div>
      <ul>
        {launches.slice(0, shown).map(launch => (
          <li key={`${launch.genesisAddress} ${launch.quoteMint}`} className={styles.item}>
            <LaunchRewards {...{ launch, network, states, hasClaimed }} />
          </li>
        ))}
      </ul>
      {left > 0 && (
        <div className={styles.more}>
          <Button onClick={() => setShown(count => count + ROWS)}>Show more</Button>
          <span>{formatCount(left)} more</span>
        </div>
      )}
    </div>
  )
}

function LaunchRewards({
  launch: { genesisAddress, quoteMint, buckets, earned, claimed, claimable },
  network,
  states,
  hasClaimed,
}: {
  launch: RewardsOfLaunch
  network: Network
  states: ReadonlyMap<string, TransactionState>
  /** Whether anything was claimed from any launch. */
  hasClaimed: boolean
}) {
  const { slipway, settings } = useSite()
  const { data: launch } = useQuery({ ...launchQuery(slipway, network, genesisAddress), staleTime: 60_000 })
  const { data: activity } = useQuery({
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
            <span className="small faint">
              {wordsOf(bucket.kind).source ?? bucket.kind}
              {earned === '0' && ': no fees yet'}
              {sources.length > 1 && bucket.claimable !== '0' && <>: {amount(bucket.claimable)} to claim</>}
            </span>
            <BucketState state={states.get(bucket.address)} />
          </span>
        ))}
      </span>
      <span className={styles.grew}>
        <span className={styles.label}>Launch’s fees, 24 h</span>
        {activity && <Grew activity={activity} startTime={launch?.launch.startTime} />}
      </span>
      <span className={styles.figure}>
        <span className={styles.label}>Earned</span> {amount(earned)}
      </span>
      {hasClaimed && (
        <span className={`${styles.figure} ${claimed === '0' ? styles.zero : ''}`}>
          <span className={styles.label}>Claimed</span> {claimed === '0' ? '–' : amount(claimed)}
        </span>
      )}
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
        Launch {shorten(address)}
      </span>
    )
  return (
    <Link href={href} className={`reach ${styles.name}`}>
      <bdi>{titleOf(launch)}</bdi>
    </Link>
  )
}

/** How the fees of the whole launch have grown. Nothing if that is not known. */
function Grew({ activity, startTime }: { activity: LaunchActivity; startTime: string | undefined }) {
  const nowMs = useNow('minute')
  const growth = findGrowth(activity, startTime, nowMs)
  const { quoteDecimals, current } = activity
  if (current?.creatorFees === '0') return <span className="small faint steady unbroken">None yet</span>
  if (!growth || quoteDecimals === null) return null
  const { units, spanMs, values } = growth
  if (units === 0n) return <span className="small faint steady unbroken">No change</span>
  return (
    <>
      <Sparkline values={values} />
      <span className="small faint steady unbroken">
        {units > 0n && '+'}
        {formatSaid(units, quoteDecimals)} {quoteSymbol(activity.quoteMint ?? '')}
        {spanMs !== undefined && ` in ${formatDuration(spanMs)}`}
      </span>
    </>
  )
}

const STATES = {
  ready: undefined,
  signed: { Icon: LoaderCircle, text: 'Sending' },
  sent: { Icon: LoaderCircle, text: 'Sent' },
  confirmed: { Icon: Check, text: 'Claimed' },
  rejected: { Icon: CircleAlert, text: 'Not accepted' },
  failed: { Icon: CircleAlert, text: 'Failed' },
  expired: { Icon: Clock, text: 'Expired, not claimed' },
  unknown: { Icon: Clock, text: 'Not known yet' },
} as const

/** The progress of a bucket's claim. */
function BucketState({ state }: { state: TransactionState | undefined }) {
  const shown = state && STATES[state]
  if (!shown) return null
  const { Icon, text } = shown
  return (
    <span className={styles.state} data-state={state}>
      <Icon size={14} strokeWidth={1.5} aria-hidden="true" />
      {text}
    </span>
  )
}
