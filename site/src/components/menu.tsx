import { ChevronDown } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Link } from 'wouter'
import styles from './menu.module.css'

/** One of several choices behind a button, each a link. Without script, the browser opens and closes it. */
export function Menu({
  label,
  choices,
}: {
  label: string
  choices: { text: string; href: string; isCurrent: boolean }[]
}) {
  const details = useRef<HTMLDetailsElement>(null)
  useEffect(() => {
    function close(event: Event) {
      const { current } = details
      if (!current?.open) return
      if (event instanceof KeyboardEvent) {
        if (event.key !== 'Escape') return
        current.querySelector('summary')?.focus()
      } else if (event.target instanceof Node && current.contains(event.target)) return
      current.open = false
    }
    const events = ['pointerdown', 'focusin', 'keydown']
    for (const event of events) document.addEventListener(event, close)
    return () => {
      for (const event of events) document.removeEventListener(event, close)
    }
  }, [])
  function choose() {
    if (!details.current) return
    details.current.open = false
    details.current.querySelector('summary')?.focus()
  }
  return (
    <details ref={details} className={styles.menu}>
      <summary>
        <span className="unseen">{label}:</span> {choices.find(({ isCurrent }) => isCurrent)?.text}
        <ChevronDown size={16} strokeWidth={1.5} aria-hidden="true" />
      </summary>
      <nav aria-label={label} className={styles.choices}>
        {choices.map(({ text, href, isCurrent }) => (
          <Link key={text} href={href} replace onClick={choose} aria-current={isCurrent ? 'true' : undefined}>
            {text}
          </Link>
        ))}
      </nav>
    </details>
  )
}
