import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import styles from './rows.module.css'
import { TokenPicture } from './token-picture.tsx'

/** A list of launches, tokens or agents, below each other in a panel. */
export const Rows = ({ children }: { children: ReactNode }) => <ul className={styles.rows}>{children}</ul>

/** One of them: its picture, its name, and a line about it. It leads to its page, or ends with something else. */
export function Row({
  href,
  address,
  image,
  title,
  end,
  children,
}: {
  href?: string | undefined
  address: string
  image: string | null
  title: string
  /** Without a page. */
  end?: ReactNode
  children: ReactNode
}) {
  const content = (
    <>
      <TokenPicture image={image} name={title} address={address} size={44} />
      <span className="column shrinks">
        <b className="clipped strong">
          <bdi>{title}</bdi>
        </b>{' '}
        <span>{children}</span>
      </span>
    </>
  )
  return (
    <li className="shrinks">
      {href === undefined ? (
        <span className={styles.row}>
          {content}
          {end}
        </span>
      ) : (
        <Link href={href} className={styles.row}>
          {content}
          <ChevronRight size={20} strokeWidth={1.5} aria-hidden="true" />
        </Link>
      )}
    </li>
  )
}
