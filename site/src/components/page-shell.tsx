import type { ReactNode } from 'react'
import { Link, useLocation } from 'wouter'
import { useSite } from '../lib/site-context.ts'
import { SearchButton } from '../search/search-button.tsx'
import { WalletButton } from '../wallet/wallet-button.tsx'
import { ThemeButton } from './button.tsx'
import { StaleStrip } from './failure.tsx'
import styles from './page-shell.module.css'

const SECTIONS = [
  { href: '/', label: 'Launches', covers: /^\/($|launches)/ },
  { href: '/agents', label: 'Agents', covers: /^\/agents/ },
  { href: '/rewards', label: 'Rewards', covers: /^\/rewards/ },
]

/** The parts of every page: navigation, search and theme. */
export function PageShell({ children }: { children: ReactNode }) {
  const [path] = useLocation()
  const { basePath, settings } = useSite()
  return (
    <div className={styles.shell}>
      <a className="skip" href="#content">
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
          <SearchButton />
          <div className={styles.scripted}>
            <span className={styles.theme}>
              <ThemeButton />
            </span>
            <WalletButton />
          </div>
        </div>
        <StaleStrip />
      </header>
      <main id="content" className={styles.main} tabIndex={-1}>
        {settings.isDemo && <p className={styles.demo}>A demo: money here is worth nothing.</p>}
        {children}
      </main>
      <footer className={styles.footer}>
        <p>
          Figures come from the chain. Names, pictures and links come from the people behind each launch and
          agent.
        </p>
        <nav aria-label="About this service">
          <Link href="/status">Status</Link>
          <a href={`${basePath}/docs`}>API</a>
          {/* A phone's header has no room for it. */}
          <span className={styles.phoneTheme}>
            <ThemeButton />
          </span>
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
