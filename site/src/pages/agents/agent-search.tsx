import { Search } from 'lucide-react'
import { type FormEvent, useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react'
import { useLocation } from 'wouter'
import { type AgentFilter, agentsHref, TEXT_LENGTH_MAX } from '../../lib/agent-filter.ts'
import { useIsHydrated } from '../../lib/now.ts'
import { useSite } from '../../lib/site-context.ts'
import styles from './agents.module.css'

/** A search begins when no key has been pressed for this long. */
const PAUSE_MS = 250

/** Searches while you type. Without script it is a plain form. */
export function AgentSearch({ filter }: { filter: AgentFilter }) {
  const { settings, basePath } = useSite()
  const [, navigate] = useLocation()
  const isHydrated = useIsHydrated()
  // It keeps its own text, so that text typed before the script loaded stays.
  const input = useRef<HTMLInputElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const latest = useRef(filter)
  useLayoutEffect(() => {
    latest.current = filter
  })
  const searched = useRef(filter.text)
  // A link or the back button may change the address too. Otherwise, newly typed text stays.
  useEffect(() => {
    if (filter.text === searched.current || !input.current) return
    searched.current = filter.text
    input.current.value = filter.text
  }, [filter.text])
  const searchTyped = useEffectEvent(() => search(input.current?.value ?? ''))
  useEffect(() => {
    searchTyped()
    return () => clearTimeout(timer.current)
  }, [])

  function search(value: string) {
    clearTimeout(timer.current)
    const wanted = value.trim()
    if (wanted === latest.current.text) return
    searched.current = wanted
    navigate(agentsHref({ ...latest.current, text: wanted, page: 1 }, settings.networks), { replace: true })
  }
  function change(value: string) {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => search(value), PAUSE_MS)
  }
  function submit(event: FormEvent) {
    event.preventDefault()
    search(input.current?.value ?? '')
  }
  const { network, flags, sort } = filter
  return (
    <search className={styles.search}>
      <form action={`${basePath}/agents`} onSubmit={submit}>
        <label>
          <span className="unseen">Search agents by name or description</span>
          <Search size={18} strokeWidth={1.5} aria-hidden="true" />
          <input
            ref={input}
            type="search"
            name="q"
            defaultValue={filter.text}
            maxLength={TEXT_LENGTH_MAX}
            placeholder="Search agents"
            autoComplete="off"
            spellCheck="false"
            onChange={event => change(event.target.value)}
          />
        </label>
        {network !== settings.networks[0] && <input type="hidden" name="network" value={network} />}
        {flags.length > 0 && <input type="hidden" name="filter" value={flags.join(',')} />}
        {sort !== 'latest' && <input type="hidden" name="sort" value={sort} />}
        {!isHydrated && <button type="submit">Search</button>}
      </form>
    </search>
  )
}
