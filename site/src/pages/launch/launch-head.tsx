import type { LaunchDetail, LaunchStatus, Network } from '@slipway/client'
import { wordsOf } from '@slipway/launch-model/kinds/words'
import { Check, Share2 } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { Amount, Countdown, Progress, Raised, StatusBadge, Time } from '../../components/figures.tsx'
import { LongText } from '../../components/text.tsx'
import { TokenPicture } from '../../components/token-picture.tsx'
import { formatDuration, formatShare, isEndless, networkName, quoteSymbol } from '../../lib/format.ts'
import { type Figures, hasMissedGoal, isRaise, launchHref, standingAt, titleOf } from '../../lib/launches.ts'
import { parsePicture } from '../../lib/links.ts'
import { useNow } from '../../lib/now.ts'
import { cut } from '../../lib/parse-json.ts'
import { useSite } from '../../lib/site-context.ts'
import styles from './launch-head.module.css'

const DESCRIPTION_LENGTH_MAX = 1_000
const SYMBOL_LENGTH_MAX = 32

interface HeadProps {
  data: LaunchDetail
  status: LaunchStatus
  network: Network
  figures: Figures | undefined
}

/** Who, what, status, progress and time left. */
export function LaunchHead({
  data,
  status,
  network,
  figures,
  isPublished = true,
}: HeadProps & {
  /** Whether it has a page that can be shared. */
  isPublished?: boolean
}) {
  const { settings } = useSite()
  const nowMs = useNow('minute')
  const { launch, baseToken } = data
  return (
    <header className="stack gap-4">
      <Hero path={launch.heroUrl} />
      <div className="column gap-4">
        <div className={styles.who}>
          <TokenPicture
            image={baseToken.image}
            name={titleOf(data)}
            address={launch.genesisAddress}
            size={88}
          />
          <div className={styles.title}>
            <h1>
              <bdi>{titleOf(data)}</bdi>{' '}
              <bdi className={styles.symbol}>{cut(baseToken.symbol, SYMBOL_LENGTH_MAX)}</bdi>
            </h1>
            <div className={styles.kind}>
              <StatusBadge
                status={hasMissedGoal(data, figures, nowMs) ? 'missed' : standingAt(data, nowMs, status)}
              />
              <span>{wordsOf(launch.mechanic).title}</span>
              {settings.networks.length > 1 && (
                <span className={network === settings.networks[0] ? styles.usual : undefined}>
                  {networkName(network)}
                </span>
              )}
              {isPublished && (
                <ShareButton
                  title={titleOf(data)}
                  url={settings.publicUrl + launchHref(launch.genesisAddress, network, settings.networks)}
                />
              )}
            </div>
          </div>
        </div>
        {data.existingToken && (
          <p className={styles.foreign}>
            Not by the maker of this token: the token existed before this launch, and the links here are those
            of whoever made it.
          </p>
        )}
        {baseToken.description && (
          <div className={styles.description}>
            <LongText text={baseToken.description} lengthMax={DESCRIPTION_LENGTH_MAX} />
          </div>
        )}
        <Standing {...{ data, status, figures }} />
      </div>
    </header>
  )
}

/** How far it has come, and how long it is open. */
function Standing({ data, status, figures }: Omit<HeadProps, 'network'>) {
  const nowMs = useNow('second')
  const isMissed = hasMissedGoal(data, figures, nowMs)
  const { launch } = data
  const shown = status === 'upcoming' ? undefined : figures
  return (
    <div className={styles.standing}>
      <div className={styles.figures}>
        {status === 'upcoming' && figures && <Offered {...{ data, figures }} />}
        {shown && (
          <Figure label="Raised">
            <Raised figures={shown} />
          </Figure>
        )}
        <Deadline {...{ launch, status, isMissed }} />
      </div>
      {shown && shown.progress !== null && status !== 'graduated' && (
        <Reached mechanic={launch.mechanic} share={shown.progress} status={isMissed ? 'missed' : status} />
      )}
      {isMissed && (
        <p className={styles.refunds}>
          Everyone can get their deposit back. Fees and penalties are not refunded.
        </p>
      )}
    </div>
  )
}

/** The goal or cap of an upcoming launch, and the tokens for sale. */
function Offered({ data: { launch, baseToken }, figures }: { data: LaunchDetail; figures: Figures }) {
  const { goal, supply, quoteMint, quoteDecimals, baseDecimals } = figures
  const symbol = quoteSymbol(quoteMint)
  const isSale = isRaise(launch.mechanic) && !wordsOf(launch.mechanic).isShared
  return (
    <>
      {goal !== null && (
        <Figure label={isSale ? 'Cap' : 'Goal'}>
          <Amount units={goal} decimals={quoteDecimals} symbol={symbol} />
        </Figure>
      )}
      {!isSale && (
        <Figure label="For sale">
          <Amount units={supply} decimals={baseDecimals} symbol={baseToken.symbol} />
        </Figure>
      )}
    </>
  )
}

const Figure = ({ label, children }: { label: string; children: ReactNode }) => (
  <p className={styles.figure}>
    <span className={styles.label}>{label} </span>
    {children}
  </p>
)

function Reached({ mechanic, share, status }: { mechanic: string; share: number; status: string }) {
  const { progress: towards = '' } = wordsOf(mechanic)
  return (
    <div className={styles.reached}>
      <Progress share={share} label={`Progress, ${towards}`} status={status} />
      <span>{share >= 1 && isRaise(mechanic) ? 'Goal reached' : `${formatShare(share)} ${towards}`}</span>
    </div>
  )
}

function Deadline({
  launch: { startTime, endTime, graduatedAt },
  status,
  isMissed,
}: {
  launch: LaunchDetail['launch']
  status: LaunchStatus
  isMissed: boolean
}) {
  const nowMs = useNow('second')
  const at = (label: string, time: string) => (
    <Figure label={label}>
      <Time at={time} />
    </Figure>
  )
  const [startMs, endMs] = [startTime, endTime].map(Date.parse) as [number, number]
  if (status === 'graduated' && graduatedAt !== null) return at('Graduated', graduatedAt)
  // Where people take part, the time until then is counted down.
  if (status === 'upcoming' && isEndless(endTime)) return at('Opens', startTime)
  if (status === 'upcoming')
    return (
      <Figure label="Open for">
        {formatDuration(endMs - startMs)}
        <span className={styles.exactly}>
          from <Time at={startTime} />
        </span>
      </Figure>
    )
  if (isEndless(endTime)) return <Figure label="Open">Until it graduates</Figure>
  if (endMs <= nowMs) return at(isMissed ? 'Closed below its goal' : 'Closed', endTime)
  return (
    <Figure label="Ends in">
      <Countdown at={endTime} />
      <span className={styles.exactly}>
        <Time at={endTime} />
      </span>
    </Figure>
  )
}

/** The wide picture, where the deployment says where such pictures are. */
function Hero({ path }: { path: string | null }) {
  const { settings } = useSite()
  const [hasFailed, setFailed] = useState(false)
  if (path === null || settings.heroesUrl === undefined || hasFailed) return null
  const picture = parsePicture(settings.heroesUrl + path, settings.isEmbedded)
  if (picture === undefined) return null
  return (
    <div className={styles.hero}>
      <img
        src={picture}
        alt=""
        width={1136}
        height={240}
        loading="lazy"
        decoding="async"
        referrerPolicy="no-referrer"
        onError={() => setFailed(true)}
      />
    </div>
  )
}

const COPIED_MS = 2_000

/** Hands the page's link to the device, which lets the reader choose where to; without that, copies it. */
function ShareButton({ title, url }: { title: string; url: string }) {
  const [outcome, setOutcome] = useState<'copied' | 'failed'>()
  useEffect(() => {
    if (outcome !== 'copied') return undefined
    const timer = setTimeout(() => setOutcome(undefined), COPIED_MS)
    return () => clearTimeout(timer)
  }, [outcome])

  async function share() {
    try {
      if (navigator.share) return await navigator.share({ title, url })
    } catch (error) {
      // The reader changed their mind.
      if ((error as Error).name === 'AbortError') return
    }
    try {
      await navigator.clipboard.writeText(url)
      setOutcome('copied')
    } catch {
      setOutcome('failed')
    }
  }

  const Icon = outcome === 'copied' ? Check : Share2
  return (
    <span className={styles.share}>
      <button type="button" onClick={() => void share()}>
        <Icon size={16} strokeWidth={1.5} aria-hidden="true" />
        <span>Share</span>
      </button>
      <span role="status">
        {outcome === 'copied' && 'Link copied'}
        {outcome === 'failed' && <code>{url}</code>}
      </span>
    </span>
  )
}
