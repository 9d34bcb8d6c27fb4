import type { LaunchDetail } from '@slipway/client'
import { wordsOf } from '@slipway/launch-model/kinds/words'
import { buttonClass } from '../../../components/button.tsx'
import { Countdown, Time } from '../../../components/time.tsx'
import { isRaise, launchHref, titleOf } from '../../../lib/launches.ts'
import { useSite } from '../../../lib/site-context.ts'
import { toCalendarEvent } from './calendar-event.ts'
import styles from './take-part.module.css'
import type { TakePartProps } from './taking.ts'

type Upcoming = Pick<TakePartProps, 'data' | 'network'>

/** When an upcoming launch opens: `Deposits open in 2 h 14 m`. */
export const OpensIn = ({ data: { launch } }: { data: LaunchDetail }) => (
  <>
    {isRaise(launch.mechanic) ? 'Deposits open in' : 'Trading opens in'}{' '}
    <b>
      <Countdown at={launch.startTime} />
    </b>
  </>
)

/** Before a launch opens: when that is, and whether it pays to be early. */
export const OpensLater = ({ data, network }: Upcoming) => (
  <div className={styles.form}>
    <div className={styles.opens}>
      <p>
        <OpensIn data={data} />
      </p>
      <p className={styles.small}>
        <Time at={data.launch.startTime} />
      </p>
    </div>
    <p className={styles.note}>{describePrice(data)}</p>
    <CalendarLink data={data} network={network} />
  </div>
)

function describePrice({ launch: { mechanic } }: LaunchDetail): string {
  const { isShared, raises } = wordsOf(mechanic)
  if (isShared) return 'Everyone pays the same price, whether they deposit early or late.'
  return raises ? 'The price stays the same until the cap is reached.' : 'Each purchase raises the price.'
}

/** Works without script. */
export function CalendarLink({ data, network }: Upcoming) {
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
