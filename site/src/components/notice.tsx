import type { ReactNode } from 'react'
import { Link } from 'wouter'
import styles from './notice.module.css'

/**
 * Says why there is nothing to see, and what to do about it. `kind` is `error` for a failure, and `empty` if nothing
 * exists.
 */
export function Notice({
  kind = 'empty',
  title,
  children,
  action,
  level = 2,
}: {
  kind?: 'empty' | 'error'
  title: string
  children?: ReactNode
  action?: ReactNode
  /** The level of the heading. */
  level?: 1 | 2 | 3
}) {
  const Heading = `h${level}` as const
  return (
    <section className={`${styles.notice} ${styles[kind]}`} role={kind === 'error' ? 'alert' : undefined}>
      <Water />
      <Heading className={styles.noticeTitle}>{title}</Heading>
      {children && <p className={styles.noticeText}>{children}</p>}
      {action && <div className={styles.action}>{action}</div>}
    </section>
  )
}

/** Calm water when nothing is there, a broken line when something failed. */
function Water() {
  return (
    <svg viewBox="0 0 96 24" width="96" height="24" aria-hidden="true" className={styles.water}>
      <path d="M2 9q7.700-6 15.300 0t15.400 0 15.300 0 15.300 0 15.400 0 15.300 0" />
      <path d="M14 18q7.700-6 15.300 0t15.400 0 15.300 0 15.300 0" />
    </svg>
  )
}

/** Replaces a page whose subject is hidden while someone looks at it. */
export function NoLongerListed({ what, all }: { what: string; all: { href: string; label: string } }) {
  return (
    <Notice level={1} title="No longer listed" action={<Link href={all.href}>{all.label}</Link>}>
      This {what} was taken off the list while you were here. Its accounts on the chain are untouched.
    </Notice>
  )
}

/** Takes the place of something that is still loading, in its size. Nothing moves. */
export function Skeleton({
  shape = 'text',
  unscripted,
}: {
  shape?: 'text' | 'short' | 'title' | 'chart' | 'line'
  /** Said instead without script, because then nothing takes its place. */
  unscripted?: string
}) {
  return (
    <span
      className={`${styles.skeleton} ${styles[shape]}`}
      data-unscripted={unscripted}
      aria-hidden={unscripted === undefined}
    />
  )
}

/** What a part is waiting for, in words. Without script, it says that the part needs JavaScript. */
export const Waiting = ({ className, children }: { className: string | undefined; children: ReactNode }) => (
  <p role="status" className={`${styles.waiting} ${className ?? ''}`}>
    <span>{children}</span>
  </p>
)
