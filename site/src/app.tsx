import type { Slipway } from '@slipway/client'
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { useEffect, useLayoutEffect, useState } from 'react'
import { Router, useLocation } from 'wouter'
import styles from './app.module.css'
import { PageBoundary } from './components/failure.tsx'
import { Skeleton } from './components/notice.tsx'
import { PageShell } from './components/page-shell.tsx'
import { usePageStart } from './lib/hooks.ts'
import { useLiveUpdates } from './lib/live.ts'
import { usePart } from './lib/load-part.ts'
import { SiteContext } from './lib/site-context.ts'
import { ErrorPage } from './pages/error-page.tsx'
import { findPage } from './pages/find-page.ts'
import type { PageState } from './pages/page.ts'

/** The whole site. Server and browser render the same HTML from the same state. */
export function App({
  state,
  slipway,
  queryClient,
  ssr,
}: {
  state: PageState
  slipway: Slipway
  queryClient: QueryClient
  /** The address, on the server. */
  ssr?: { path: string; search: string }
}) {
  const base = new URL(state.settings.publicUrl).pathname.replace(/\/$/, '')
  return (
    <QueryClientProvider client={queryClient}>
      <SiteContext value={{ settings: state.settings, serverNowMs: state.nowMs, slipway, basePath: base }}>
        <Router base={base} {...(ssr && { ssrPath: base + ssr.path, ssrSearch: ssr.search })}>
          <LiveUpdates lastEventId={state.lastEventId} />
          <PageShell>
            <CurrentPage firstStatus={state.status} />
          </PageShell>
        </Router>
      </SiteContext>
    </QueryClientProvider>
  )
}

/** Marks the document when script has taken over, for styles and tests. */
function useReadyMark() {
  useEffect(() => {
    document.documentElement.dataset.ready = 'yes'
  }, [])
}

/** A component of its own, so that the page isn't drawn again when the connection changes. */
function LiveUpdates({ lastEventId }: { lastEventId: string | undefined }) {
  useLiveUpdates(lastEventId)
  return null
}

function CurrentPage({ firstStatus }: { firstStatus: number }) {
  useReadyMark()
  const [path] = useLocation()
  const startPage = usePageStart()
  const [firstPath, setFirstPath] = useState<string | undefined>(path)
  if (firstPath !== undefined && firstPath !== path) setFirstPath(undefined)
  if (firstPath === path && firstStatus !== 200) return <ErrorPage status={firstStatus} path={path} />
  return (
    <PageBoundary path={path} onShown={startPage}>
      <PageAt key={path} path={path} onShown={startPage} />
    </PageBoundary>
  )
}

function PageAt({ path, onShown }: { path: string; onShown(): void }) {
  const found = findPage(path)
  const page = usePart(found?.part)
  const isLoading = found !== undefined && page === undefined
  useLayoutEffect(() => {
    if (!isLoading) onShown()
  }, [isLoading, onShown])
  if (!found) return <ErrorPage status={404} path={path} />
  return page ? <page.Component params={found.params} /> : <PageSkeleton />
}

/** Most pages load faster than a person could read a loading message. */
const WORDS_MS = 800

/** While the page's own script is being loaded. */
function PageSkeleton() {
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), WORDS_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div role="status" className={styles.loading}>
      <Skeleton shape="title" />
      <p className={isLate ? undefined : 'unseen'}>Loading the page…</p>
    </div>
  )
}
