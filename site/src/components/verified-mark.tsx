import { BadgeCheck } from 'lucide-react'
import styles from './verified-mark.module.css'

const MEANING = 'Verified by this service’s operator'

/** Beside the name of an agent that the operator has verified. */
export const VerifiedMark = ({ size = 16 }: { size?: number }) => (
  <span role="img" aria-label={MEANING} title={MEANING} className={styles.mark}>
    <BadgeCheck size={size} strokeWidth={1.5} aria-hidden="true" />
  </span>
)
