import { Check, CircleAlert, Clock, LoaderCircle } from 'lucide-react'
import type { TransactionState } from '../../actions/action.ts'
import styles from './bucket-list.module.css'

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
export function BucketState({ state }: { state: TransactionState | undefined }) {
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
