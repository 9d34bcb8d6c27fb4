import { ChevronLeft } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { Link } from 'wouter'
import styles from './detail-page.module.css'
import { StaleNotice } from './failure.tsx'

interface Back {
  href: string
  label: string
}

/** The page of one thing: the way back to all of them, its head, and two columns. */
export function DetailPage({
  skip,
  back,
  staleError,
  head,
  main,
  aside,
  bar,
}: {
  /** For the keyboard: a link to where people act. */
  skip?: ReactNode
  back: Back
  /** Why the data could not be refreshed. */
  staleError: unknown
  /** Above both columns. Where people act in the second one, the head is better in the first. */
  head?: ReactNode
  main: ReactNode
  aside: ReactNode
  /** Stays at the bottom while the page scrolls. */
  bar?: ReactNode
}) {
  return (
    <article className="column shrinks gap-6">
      {skip}
      <BackLink {...back} />
      {staleError !== null && <StaleNotice error={staleError} />}
      {head}
      <div className={styles.columns}>
        <Column className={styles.first}>{main}</Column>
        <Column className={styles.second}>{aside}</Column>
      </div>
      {bar}
    </article>
  )
}

/** The shorter column stays in view while the longer one scrolls: from its top if it fits into the window, or else its end. */
function Column({ className, children }: { className: string | undefined; children: ReactNode }) {
  const column = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = column.current
    if (!element) return undefined
    const place = () => element.style.setProperty('--room', `${innerHeight - element.offsetHeight}px`)
    const observer = new ResizeObserver(place)
    observer.observe(element)
    window.addEventListener('resize', place)
    return () => {
      observer.disconnect()
      window.removeEventListener('resize', place)
    }
  }, [])
  return (
    <div ref={column} className={`${styles.column} ${className}`}>
      {children}
    </div>
  )
}

/** In the shape of the page that is still loading. */
export function DetailSkeleton({ back, label }: { back: Back; label: string }) {
  return (
    <div className="column shrinks gap-6" role="status" aria-label={label}>
      <BackLink {...back} />
      <div className={styles.head}>
        <span className={styles.picture} />
        <span className={styles.title} />
        <span className={styles.line} />
      </div>
      <div className={styles.columns}>
        <div className={styles.placeholder} />
        <div className={styles.placeholder} />
      </div>
    </div>
  )
}

const BackLink = ({ href, label }: Back) => (
  <Link href={href} className={styles.back}>
    <ChevronLeft size={16} strokeWidth={1.5} aria-hidden="true" />
    {label}
  </Link>
)

/** On a narrow page: the figure that people decide by, and the button of the page's main action. Stays at the bottom. */
export const ActionBar = ({
  id,
  standing,
  children,
}: {
  /** For links that lead to it. */
  id?: string
  standing: ReactNode
  children: ReactNode
}) => (
  <section id={id} className={styles.bar} aria-label="What you can do" tabIndex={-1}>
    <p className={styles.standing}>{standing}</p>
    {children}
  </section>
)
