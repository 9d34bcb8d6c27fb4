import type { LaunchDetail } from '@slipway/client'
import { wordsOf } from '@slipway/launch-model/kinds/words'
import { buttonClass } from '../../../components/button.tsx'
import { Amount, Countdown, Time } from '../../../components/figures.tsx'
import { Facts } from '../../../components/layout.tsx'
import { formatFee, formatNumber } from '../../../lib/format.ts'
import { type Figures, isRaise, launchHref, titleOf } from '../../../lib/launches.ts'
import { useSite } from '../../../lib/site-context.ts'
import { useTerms } from '../launch-terms.tsx'
import type { Terms } from '../read-terms.ts'
import { type TakePartProps, tokensOf } from './context.ts'
import styles from './take-part.module.css'

type Upcoming = Pick<TakePartProps, 'data' | 'network' | 'figures'>

/** When an upcoming launch opens: `Deposits open in 2 h 14 m`. */
export const OpensIn = ({ data: { launch } }: { data: LaunchDetail }) => (
  <>
    {isRaise(launch.mechanic) ? 'Deposits open in' : 'Trading opens in'}{' '}
    <b>
      <Countdown at={launch.startTime} />
    </b>
  </>
)

/** Before a launch opens: when that is, what people will pay and get, and whether it pays to be early. */
export const OpensLater = ({ data, network, figures }: Upcoming) => (
  <div className={styles.form}>
    <div className={styles.opens}>
      <p>
        <OpensIn data={data} />
      </p>
      <p className="small faint">
        <Time at={data.launch.startTime} />
      </p>
    </div>
    {figures && <Expected {...{ data, network, figures }} />}
    <p className={styles.note}>{describePrice(data)}</p>
    {/* On a phone, the bar has it. */}
    <div className={`${styles.form} ${styles.calendar}`}>
      <CalendarLink data={data} network={network} />
    </div>
  </div>
)

function Expected({ data, network, figures }: Upcoming & { figures: Figures }) {
  const terms = useTerms(network, data.launch.genesisAddress).data
  const { fees = [], limits } = terms ?? {}
  const { isShared } = wordsOf(data.launch.mechanic)
  const { quote, base } = tokensOf(data, figures)
  const bought = terms && countBought(data, figures, terms)
  return (
    <Facts
      facts={{
        'Depositors share': isShared && <Amount units={figures.supply} {...base} />,
        [`1 ${quote.symbol} buys`]: bought !== undefined && (
          <bdi>
            {formatNumber(bought)} {base.symbol}
          </bdi>
        ),
        'At most per wallet': limits?.perWallet !== undefined && (
          <Amount units={limits.perWallet} {...quote} />
        ),
        ...Object.fromEntries(fees.map(({ share, text }) => [`Fee ${text}`, formatFee(share)])),
      }}
    />
  )
}

function describePrice({ launch: { mechanic } }: LaunchDetail): string {
  const { isShared, raises } = wordsOf(mechanic)
  if (isShared) return 'Everyone pays the same price, whether they deposit early or late.'
  return raises
    ? 'The price stays the same until the cap is reached.'
    : 'Each purchase raises the price, so later buyers get less.'
}

/** Works without script. */
export function CalendarLink({ data, network }: Pick<Upcoming, 'data' | 'network'>) {
  const { networks, publicUrl } = useSite().settings
  const { genesisAddress, startTime } = data.launch
  const title = titleOf(data)
  const url = publicUrl + launchHref(genesisAddress, network, networks)
  const event = toCalendarEvent({ id: genesisAddress, title, url, startTime })
  return (
    <a
      className={buttonClass('quiet')}
      href={`data:text/calendar;charset=utf-8,${encodeURIComponent(event)}`}
      download={`${title} opens.ics`}
    >
      Add to calendar
    </a>
  )
}

/**
 * How many tokens a first payment of 1 brings, after fees. Undefined where deposits decide that, where a wallet has
 * the first buy, and where the price is not known.
 */
export function countBought(
  { launch }: LaunchDetail,
  figures: Pick<Figures, 'price' | 'supply' | 'quoteDecimals' | 'baseDecimals'>,
  { fees, firstBuy, virtualReserves }: Pick<Terms, 'fees' | 'firstBuy' | 'virtualReserves'>,
): number | undefined {
  const { raises, isShared } = wordsOf(launch.mechanic)
  if (isShared || firstBuy) return undefined
  const net = 1 - (fees.find(({ on }) => on === 'paying')?.share ?? 0)
  if (raises) return figures.price === null ? undefined : net / Number(figures.price)
  if (!virtualReserves) return undefined
  const quote = Number(virtualReserves.quote) / 10 ** figures.quoteDecimals
  const base = (Number(virtualReserves.base) + Number(figures.supply)) / 10 ** figures.baseDecimals
  return Math.min((base * net) / (quote + net), Number(figures.supply) / 10 ** figures.baseDecimals)
}

/** Long names and texts are cut: some calendars refuse long lines. */
const TEXT_MAX = 60

/** A launch's opening as a file that calendars open, with a reminder a quarter of an hour before. */
export function toCalendarEvent({
  id,
  title,
  url,
  startTime,
}: {
  /** Tells events apart, so that opening the file twice adds one. */
  id: string
  title: string
  url: string
  /** In ISO 8601. */
  startTime: string
}): string {
  const time = startTime.replaceAll(/[-:]|\.\d+/g, '')
  return [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Slipway//EN',
    'BEGIN:VEVENT',
    `UID:${id}`,
    `DTSTAMP:${time}`,
    `DTSTART:${time}`,
    `SUMMARY:${escapeText(title)} opens`,
    `URL:${url}`,
    'BEGIN:VALARM',
    'ACTION:DISPLAY',
    'DESCRIPTION:Opens soon',
    'TRIGGER:-PT15M',
    'END:VALARM',
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ].join('\r\n')
}

/** Names come from strangers, who must not be able to add lines. */
const escapeText = (text: string): string =>
  [...text.replaceAll(/\p{Cc}+/gu, ' ')]
    .slice(0, TEXT_MAX)
    .join('')
    .replaceAll(/[\\;,]/g, String.raw`\$&`)
