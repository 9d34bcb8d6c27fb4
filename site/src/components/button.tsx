import type { ButtonHTMLAttributes } from 'react'
import styles from './button.module.css'

/** `primary` is for the one action that a page is about. */
export function Button({
  kind = 'quiet',
  ...attributes
}: ButtonHTMLAttributes<HTMLButtonElement> & { kind?: 'primary' | 'quiet' }) {
  return <button type="button" {...attributes} className={`${styles.button} ${styles[kind]}`} />
}
