import { ArrowUpRight } from 'lucide-react'
import { parseLink, STRANGERS_LINK } from '../lib/safe-links.ts'
import styles from './external-link.module.css'

/** A link that a stranger chose. Anything that is not a web address is shown as text. */
export function ExternalLink({ url, text }: { url: string; text?: string }) {
  const link = parseLink(url)
  if (!link)
    return (
      <bdi className={styles.text} title="Not a web address">
        {url}
      </bdi>
    )
  return (
    <a href={link.href} {...STRANGERS_LINK} className={`reach ${styles.link}`}>
      <bdi className={styles.text}>{text ?? link.label}</bdi>
      <ArrowUpRight size={14} strokeWidth={1.5} aria-label="(opens a new tab)" />
    </a>
  )
}
