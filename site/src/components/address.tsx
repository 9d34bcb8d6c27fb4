import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Link } from 'wouter'
import { shorten } from '../lib/format.ts'
import styles from './address.module.css'

const COPIED_MS = 1_500

/** An address, shortened, with a button that copies all of it. `label` says whose it is. */
export function Address({ address, label, href }: { address: string; label: string; href?: string }) {
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return undefined
    const timer = setTimeout(() => setCopied(false), COPIED_MS)
    return () => clearTimeout(timer)
  }, [isCopied])
  if (address === '') return 'unknown'
  const Icon = isCopied ? Check : Copy
  const text = <code title={address}>{shorten(address, 5)}</code>
  return (
    <span className={styles.address}>
      {href === undefined ? text : <Link href={href}>{text}</Link>}
      <button
        type="button"
        className={styles.copy}
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
    </span>
  )
}
