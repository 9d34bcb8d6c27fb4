import '@fontsource-variable/ibm-plex-sans/wght.css'
import './styles/tokens.css'
import './styles/base.css'
import './styles/primitives.css'
import { createSlipway } from '@slipway/client'
import { QueryClient } from '@tanstack/react-query'
import { hydrateRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { watchedFetch } from './lib/connection.ts'
import { isWorthRetrying } from './lib/queries.ts'
import { findPage } from './pages/find-page.ts'
import type { PageState } from './pages/page.ts'

const state = JSON.parse(document.getElementById('state')?.textContent ?? '') as PageState
const base = new URL(state.settings.publicUrl).pathname.replace(/\/$/, '')
// The query library retries, so that a page knows about every failure.
const slipway = createSlipway({
  url: `${location.origin}${base}`,
  retries: 0,
  // The API lets caches keep answers for a while. A page that follows events must not see answers from before an event.
  fetch: (input, init) => watchedFetch(input, { cache: 'no-cache', ...init }),
  // A request that hangs fails much sooner. This is for a large answer over a slow network.
  timeoutMs: 60_000,
})
const queryClient = new QueryClient({
  defaultOptions: {
    queries: { staleTime: 15_000, gcTime: 10 * 60_000, retry: isWorthRetrying, refetchOnWindowFocus: false },
  },
})
for (const [key, value] of state.data) queryClient.setQueryData(key, value)

function start() {
  hydrateRoot(
    document.getElementById('root') as HTMLElement,
    <App state={state} slipway={slipway} queryClient={queryClient} />,
  )
}

const page = findPage(location.pathname.slice(base.length) || '/')
// The server's HTML stays until the page's own script has loaded. If that fails, the page says so. This must not be
// awaited here: the page's script imports this one, and would wait for it.
if (page) page.part.load().then(start, start)
else start()
