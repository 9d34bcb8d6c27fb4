import type { Network } from '@slipway/client'
import { ArrowUpRight, Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Link } from 'wouter'
import { explorerUrl } from '../lib/explorer.ts'
import { shorten } from '../lib/format.ts'
import { useSite } from '../lib/site-context.ts'
import styles from './address.module.css'

const COPIED_MS = 1_500

/** An address, shortened, with a button that copies all of it and a link to an explorer. `label` says whose it is. */
export function Address({
  address,
  label,
  network,
  href,
}: {
  address: string
  label: string
  network: Network
  /** Its page on this site. */
  href?: string
}) {
  const { settings } = useSite()
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return undefined
    const timer = setTimeout(() => setCopied(false), COPIED_MS)
    return () => clearTimeout(timer)
  }, [isCopied])
  if (address === '') return 'unknown'
  const Icon = isCopied ? Check : Copy
  const text = <code title={address}>{shorten(address)}</code>
  return (
    <span className={styles.address}>
      {href === undefined ? (
        text
      ) : (
        <Link href={href} className="reach">
          {text}
        </Link>
      )}
      <button
        type="button"
        className={styles.tool}
        aria-label={isCopied ? 'Copied' : `Copy ${label}`}
        onClick={() =>
          void navigator.clipboard?.writeText(address).then(
            () => setCopied(true),
            () => {},
          )
        }
      >
        <Icon size={14} strokeWidth={1.5} aria-hidden="true" />
      </button>
      <a
        className={styles.tool}
        href={explorerUrl(`address/${address}`, network, settings)}
        target="_blank"
        rel="noopener"
        aria-label={`View ${label} in an explorer`}
        title="View in explorer"
      >
        <ArrowUpRight size={14} strokeWidth={1.5} aria-hidden="true" />
      </a>
    </span>
  )
}
