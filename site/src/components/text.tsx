import type { Network } from '@slipway/client'
import { ArrowUpRight, BadgeCheck, Check, Copy } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { Link } from 'wouter'
import { formatCount, shorten } from '../lib/format.ts'
import { explorerUrl, parseLink, STRANGERS_LINK } from '../lib/links.ts'
import { cut } from '../lib/parse-json.ts'
import { useSite } from '../lib/site-context.ts'
import styles from './text.module.css'

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

/** A link that a stranger chose. Anything that is not a web address is shown as text. */
export function ExternalLink({ url, text }: { url: string; text?: string }) {
  const link = parseLink(url)
  if (!link)
    return (
      <bdi className="clipped" title="Not a web address">
        {url}
      </bdi>
    )
  return (
    <a href={link.href} {...STRANGERS_LINK} className={`reach ${styles.link}`}>
      <bdi className="clipped">{text ?? link.label}</bdi>
      <ArrowUpRight size={14} strokeWidth={1.5} aria-label="(opens a new tab)" />
    </a>
  )
}

const LINES_MAX = 24

/**
 * A text that a stranger wrote. Only its beginning is shown if it is long; the rest is one click away, without script
 * too.
 */
export function LongText({ text, lengthMax }: { text: string; lengthMax: number }) {
  const start = cut(text.split('\n', LINES_MAX).join('\n'), lengthMax)
  if (start === text)
    return (
      <p dir="auto" className={styles.longTextText}>
        {text}
      </p>
    )
  return (
    <div className="column gap-2">
      <p dir="auto" className={styles.longTextText}>
        {start}
      </p>
      <details className={`fold ${styles.rest}`}>
        <summary className="reach">All {formatCount(text.length)} characters</summary>
        <p dir="auto" className={styles.longTextText}>
          {text}
        </p>
      </details>
    </div>
  )
}

/** Short words, each in a box of its own. Those beyond `max` are counted. */
export function Tags({ tags, max = 12, label }: { tags: readonly string[]; max?: number; label: string }) {
  const shown = [...new Set(tags)]
  const left = shown.length - max
  return (
    <ul className="wrap shrinks gap-1" aria-label={label}>
      {shown.slice(0, max).map(tag => (
        <Tag key={tag}>
          <bdi>{tag}</bdi>
        </Tag>
      ))}
      {left > 0 && <li className={styles.more}>+{left}</li>}
    </ul>
  )
}

const Tag = ({ children }: { children: ReactNode }) => <li className={styles.tag}>{children}</li>

/** A text that a wallet signs, to the letter. */
export const SignedText = ({ text }: { text: string }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it
  <pre className={styles.signedTextText} tabIndex={0}>
    {text}
  </pre>
)

const MEANING = 'Verified by this service’s operator'

/** Beside the name of an agent that the operator has verified. */
export const VerifiedMark = ({ size = 16 }: { size?: number }) => (
  <span role="img" aria-label={MEANING} title={MEANING} className={styles.mark}>
    <BadgeCheck size={size} strokeWidth={1.5} aria-hidden="true" />
  </span>
)
