import {
  CircleDashed,
  FileQuestion,
  type LucideIcon,
  ShieldAlert,
  ShieldCheck,
  ShieldQuestion,
} from 'lucide-react'
import styles from './agent.module.css'
import type { SignatureState } from './signature-state.ts'

const STATES: Record<SignatureState, { Icon: LucideIcon; text: string; meaning: string }> = {
  none: {
    Icon: FileQuestion,
    text: 'Not signed',
    meaning: 'The card is as its author stored it here. No signature vouches for it.',
  },
  pending: {
    Icon: CircleDashed,
    text: 'Signed, not checked yet',
    meaning: 'Your browser checks the signature, if it runs scripts.',
  },
  own: {
    Icon: ShieldCheck,
    text: 'Signed by this service, checked',
    meaning: 'Your browser has checked it: the card is as this service built it from the chain’s documents.',
  },
  mismatch: {
    Icon: ShieldAlert,
    text: 'Signature does not match',
    meaning:
      'The card names a key of this service, but was changed or signed with another. Do not rely on it.',
  },
  foreign: {
    Icon: ShieldQuestion,
    text: 'Signed by others, not checked',
    meaning: 'This page checks signatures of this service only. Check the card with its author’s keys.',
  },
  unavailable: {
    Icon: ShieldQuestion,
    text: 'Signed, could not be checked here',
    meaning: 'This browser lacks what it takes, or the keys could not be loaded.',
  },
}

/** What the signature of a card is worth. */
export function SignatureBadge({ state }: { state: SignatureState }) {
  const { Icon, text } = STATES[state]
  return (
    <span className={`${styles.signature} ${styles[state]}`} role="status">
      <Icon size={16} strokeWidth={1.5} aria-hidden="true" />
      {text}
    </span>
  )
}

export const signatureMeaning = (state: SignatureState): string => STATES[state].meaning
