import { X } from 'lucide-react'
import styles from './close-button.module.css'

/** In the corner of a dialog or a notice. */
export const CloseButton = ({ label, onClick }: { label: string; onClick(): void }) => (
  <button type="button" className={styles.close} aria-label={label} onClick={onClick}>
    <X size={18} strokeWidth={1.5} aria-hidden="true" />
  </button>
)
