import { Check, Share2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import styles from './launch-head.module.css'

const COPIED_MS = 2_000

/** Hands the page's link to the device, which lets the reader choose where to; without that, copies it. */
export function ShareButton({ title, url }: { title: string; url: string }) {
  const [outcome, setOutcome] = useState<'copied' | 'failed'>()
  useEffect(() => {
    if (outcome !== 'copied') return undefined
    const timer = setTimeout(() => setOutcome(undefined), COPIED_MS)
    return () => clearTimeout(timer)
  }, [outcome])

  async function share() {
    try {
      if (navigator.share) return await navigator.share({ title, url })
    } catch (error) {
      // The reader changed their mind.
      if ((error as Error).name === 'AbortError') return
    }
    try {
      await navigator.clipboard.writeText(url)
      setOutcome('copied')
    } catch {
      setOutcome('failed')
    }
  }

  const Icon = outcome === 'copied' ? Check : Share2
  return (
    <span className={styles.share}>
      <button type="button" onClick={() => void share()}>
        <Icon size={16} strokeWidth={1.5} aria-hidden="true" />
        <span>Share</span>
      </button>
      <span role="status">
        {outcome === 'copied' && 'Link copied'}
        {outcome === 'failed' && <code>{url}</code>}
      </span>
    </span>
  )
}
