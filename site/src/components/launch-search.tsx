import { Search } from 'lucide-react'
import { type FormEvent, useEffect, useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import { useSite } from '../lib/site-context.ts'
import styles from './launch-search.module.css'

/** Searches the directory. Works without script too: it is a plain form. A phone has room for it only where it is used most. */
export function LaunchSearch() {
  const [path, navigate] = useLocation()
  const search = useSearch()
  const { basePath } = useSite()
  const isDirectory = path === '/'
  const current = isDirectory ? (new URLSearchParams(search).get('q') ?? '') : ''
  const [text, setText] = useState(current)
  useEffect(() => setText(current), [current])

  function change(value: string, replace: boolean) {
    setText(value)
    const next = new URLSearchParams(isDirectory ? search : '')
    next.delete('page')
    if (value.trim()) next.set('q', value.trim())
    else next.delete('q')
    navigate(next.size > 0 ? `/?${next}` : '/', { replace })
  }
  function submit(event: FormEvent) {
    event.preventDefault()
    change(text, isDirectory)
  }
  return (
    <search className={isDirectory ? styles.search : `${styles.search} ${styles.elsewhere}`}>
      <form action={`${basePath}/`} onSubmit={submit}>
        <label>
          <span className="unseen">Search launches by name, symbol or address</span>
          <Search size={16} strokeWidth={1.5} aria-hidden="true" />
          <input
            type="search"
            name="q"
            value={text}
            maxLength={64}
            placeholder="Find a launch"
            autoComplete="off"
            spellCheck="false"
            onChange={event => (isDirectory ? change(event.target.value, true) : setText(event.target.value))}
          />
        </label>
      </form>
    </search>
  )
}
