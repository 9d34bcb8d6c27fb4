import { Moon, Sun, X } from 'lucide-react'
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

/** In the corner of a dialog or a notice. */
export const CloseButton = ({ label, onClick }: { label: string; onClick(): void }) => (
  <button type="button" className={styles.close} aria-label={label} onClick={onClick}>
    <X size={18} strokeWidth={1.5} aria-hidden="true" />
  </button>
)

/** Switches the theme and remembers it. */
export function ThemeButton() {
  function toggle() {
    const root = document.documentElement
    const isDark = root.dataset.theme
      ? root.dataset.theme === 'dark'
      : matchMedia('(prefers-color-scheme: dark)').matches
    const theme = isDark ? 'light' : 'dark'
    root.dataset.theme = theme
    try {
      localStorage.setItem('theme', theme)
    } catch {
      // Storage may be blocked; the choice then lasts until the page is left.
    }
    window.dispatchEvent(new Event('themechange'))
  }
  return (
    <button
      type="button"
      className={styles.theme}
      onClick={toggle}
      aria-label="Switch between light and dark"
    >
      <Moon size={18} strokeWidth={1.5} aria-hidden="true" className={styles.moon} />
      <Sun size={18} strokeWidth={1.5} aria-hidden="true" className={styles.sun} />
    </button>
  )
}
