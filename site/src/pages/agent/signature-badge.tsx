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
    meaning: 'The card’s author stored it here without a signature.',
  },
  pending: {
    Icon: CircleDashed,
    text: 'Signed, not checked yet',
    meaning: 'Your browser checks the signature if scripts are allowed.',
  },
  own: {
    Icon: ShieldCheck,
    text: 'Signed by this service, checked',
    meaning:
      'Your browser has checked the signature: the card is exactly what this service built from the agent’s document.',
  },
  mismatch: {
    Icon: ShieldAlert,
    text: 'Signature does not match',
    meaning:
      'The card names a key of this service, but was changed or was signed with a different key. Do not rely on this card.',
  },
  foreign: {
    Icon: ShieldQuestion,
    text: 'Signed by others, not checked',
    meaning:
      'This page checks only signatures by this service. Check the card with the keys of whoever signed it.',
  },
  unavailable: {
    Icon: ShieldQuestion,
    text: 'Signed, could not be checked here',
    meaning:
      'This browser can’t check signatures, or the keys could not be loaded. Reload the page to try again.',
  },
}

/** Says whether the signature of a card is valid. */
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
