import type { ButtonHTMLAttributes, ReactNode } from 'react'
import { Link } from 'wouter'
import styles from './button.module.css'

/** `primary` is for the one action that a page is about. */
export function Button({
  kind = 'quiet',
  ...attributes
}: ButtonHTMLAttributes<HTMLButtonElement> & { kind?: 'primary' | 'quiet' }) {
  return <button type="button" {...attributes} className={`${styles.button} ${styles[kind]}`} />
}

/** For a plain link that looks like a button. */
export const buttonClass = (kind: 'primary' | 'quiet') => `${styles.button} ${styles.link} ${styles[kind]}`

/** A link that looks like the one action that a page is about. */
export const LinkButton = ({
  href,
  kind = 'primary',
  children,
}: {
  href: string
  kind?: 'primary' | 'quiet'
  children: ReactNode
}) => (
  <Link href={href} className={buttonClass(kind)}>
    {children}
  </Link>
)
