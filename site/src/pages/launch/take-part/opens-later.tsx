import type { LaunchDetail } from '@slipway/client'
import { Countdown, Time } from '../../../components/time.tsx'
import { isRaise } from '../../../lib/launches.ts'
import styles from './take-part.module.css'

/** When an upcoming launch opens: `Deposits open in 2 h 14 m`. */
export const OpensIn = ({ data: { launch } }: { data: LaunchDetail }) => (
  <>
    {isRaise(launch.mechanic) ? 'Deposits open in' : 'Trading opens in'}{' '}
    <b>
      <Countdown at={launch.startTime} />
    </b>
  </>
)

/** Before a launch opens, its time is all that there is to know. */
export const OpensLater = ({ data }: { data: LaunchDetail }) => (
  <div className={styles.opens}>
    <p>
      <OpensIn data={data} />
    </p>
    <p className={styles.small}>
      <Time at={data.launch.startTime} />
    </p>
  </div>
)
