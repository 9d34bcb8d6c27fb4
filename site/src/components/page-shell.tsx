import { Moon, Search, Sun } from 'lucide-react'
import { type FormEvent, type ReactNode, useEffect, useState } from 'react'
import { Link, useLocation, useSearch } from 'wouter'
import { useSite } from '../lib/site-context.ts'
import { WalletButton } from '../wallet/wallet-button.tsx'
import styles from './page-shell.module.css'

const SECTIONS = [
  { href: '/', label: 'Launches', covers: /^\/($|launches)/ },
  { href: '/agents', label: 'Agents', covers: /^\/agents/ },
  { href: '/rewards', label: 'Rewards', covers: /^\/rewards/ },
]

/** What every page has: the way to the others, the search, the theme. */
export function PageShell({ children }: { children: ReactNode }) {
  const [path] = useLocation()
  const { basePath } = useSite()
  return (
    <div className={styles.shell}>
      <a className={styles.skip} href="#content">
        Skip to content
      </a>
      <header className={styles.header}>
        <div className={styles.bar}>
          <Link href="/" className={styles.brand}>
            <Mark />
            Slipway
          </Link>
          <nav className={styles.nav} aria-label="Sections">
            {SECTIONS.map(({ href, label, covers }) => (
              <Link key={href} href={href} aria-current={covers.test(path) ? 'page' : undefined}>
                {label}
              </Link>
            ))}
          </nav>
          <SearchField />
          <ThemeButton />
          <WalletButton />
        </div>
      </header>
      <main id="content" className={styles.main} tabIndex={-1}>
        {children}
      </main>
      <footer className={styles.footer}>
        <p>Figures come from the chain. Names, pictures and links come from the people behind each launch.</p>
        <nav aria-label="About this service">
          <Link href="/status">Status</Link>
          <a href={`${basePath}/docs`}>API</a>
        </nav>
      </footer>
    </div>
  )
}

/** A slip, and the water. */
function Mark() {
  return (
    <svg viewBox="0 0 32 32" width="24" height="24" aria-hidden="true" className={styles.mark}>
      <path d="M4 8 28 19" />
      <path d="M4 26c2.700 0 2.700-2 5.300-2s2.700 2 5.400 2 2.600-2 5.300-2 2.700 2 5.300 2c1.400 0 2-.500 2.700-1" />
    </svg>
  )
}

/** Works without script too: it is a form of the directory. */
function SearchField() {
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
    <search className={styles.search}>
      <form action={`${basePath}/`} onSubmit={submit}>
        <label>
          <span className="unseen">Search launches by name, symbol or address</span>
          <Search size={16} strokeWidth={1.5} aria-hidden="true" />
          <input
            type="search"
            name="q"
            value={text}
            maxLength={64}
            placeholder="Name, symbol, address"
            autoComplete="off"
            spellCheck={false}
            onChange={event => (isDirectory ? change(event.target.value, true) : setText(event.target.value))}
          />
        </label>
      </form>
    </search>
  )
}

function ThemeButton() {
  function toggle() {
    const root = document.documentElement
    const isDark = root.dataset.theme
      ? root.dataset.theme === 'dark'
      : matchMedia('(prefers-color-scheme: dark)').matches
    const theme = isDark ? 'light' : 'dark'
    root.dataset.theme = theme
    try {
      localStorage.setItem('theme', theme)
    } catch {
      // Storage may be blocked; the choice then lasts until the page is left.
    }
    window.dispatchEvent(new Event('themechange'))
  }
  return (
    <button
      type="button"
      className={styles.theme}
      onClick={toggle}
      aria-label="Switch between light and dark"
    >
      <Moon size={18} strokeWidth={1.5} aria-hidden="true" className={styles.moon} />
      <Sun size={18} strokeWidth={1.5} aria-hidden="true" className={styles.sun} />
    </button>
  )
}
