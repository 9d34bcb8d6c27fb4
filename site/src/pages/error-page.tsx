import { useEffect } from 'react'
import { Link } from 'wouter'
import { Button, LinkButton } from '../components/button.tsx'
import { Notice } from '../components/notice.tsx'

interface Copy {
  title: string
  text: string
  /** Where to go from here; to all launches by default. */
  next?: { href: string; label: string }
}

const MISSING: [RegExp, Copy][] = [
  [
    /^\/launches\//,
    {
      title: 'No launch at this address',
      text: 'It may be on another network, not registered here yet, or no longer listed.',
    },
  ],
  [
    /^\/agents\//,
    {
      title: 'No agent at this address',
      text: 'It may be on another network, unregistered, or no longer listed.',
      next: { href: '/agents', label: 'All agents' },
    },
  ],
  [
    /^\/rewards\//,
    {
      title: 'Not a wallet',
      text: 'A wallet’s address is 32 to 44 letters and digits.',
      next: { href: '/rewards', label: 'Try another' },
    },
  ],
]
const ALL_LAUNCHES = { href: '/', label: 'All launches' }
const OTHERS = [ALL_LAUNCHES, { href: '/agents', label: 'Agents' }, { href: '/rewards', label: 'Rewards' }]
const NO_PAGE: Copy = {
  title: 'No page here',
  text: 'The link may be mistyped or out of date. Search above for a launch or agent by name, or for any address.',
}
const FAILURES: Record<number, Copy> = {
  429: {
    title: 'Too many requests',
    text: 'Your network address has used up its requests for this minute. The page works again in less than 60 seconds.',
  },
  500: {
    title: 'This page failed',
    text: 'The fault is ours and has been logged. Other pages may still work.',
  },
  503: {
    title: 'The service is not answering',
    text: 'It may be starting, or its database may be down. This page reloads when the service is back.',
  },
}

const RETRY_MS = 2_000
const ANSWER_MS = 10_000

/** Opens the page as soon as the service can render it. */
function useReloadWhenBack(isDown: boolean) {
  useEffect(() => {
    if (!isDown) return undefined
    const timer = setInterval(async () => {
      const answer = await fetch(location.href, {
        method: 'HEAD',
        headers: { Accept: 'text/html' },
        cache: 'no-store',
        signal: AbortSignal.timeout(ANSWER_MS),
      }).catch(() => undefined)
      if (answer && answer.status < 500) location.reload()
    }, RETRY_MS)
    return () => clearInterval(timer)
  }, [isDown])
}

/** The page for everything that is missing or failed. */
export function ErrorPage({ status, path }: { status: number; path: string }) {
  const failure = FAILURES[status]
  useReloadWhenBack(status === 503)
  if (failure)
    return (
      <Notice
        kind="error"
        level={1}
        title={failure.title}
        action={
          <>
            <Button onClick={() => location.reload()}>Try again</Button>
            <Link href="/status">Status</Link>
          </>
        }
      >
        {failure.text}
      </Notice>
    )
  const { title, text, next = ALL_LAUNCHES } = MISSING.find(([pattern]) => pattern.test(path))?.[1] ?? NO_PAGE
  return (
    <Notice
      level={1}
      title={title}
      action={
        <>
          <LinkButton href={next.href} kind="quiet">
            {next.label}
          </LinkButton>
          {OTHERS.filter(({ href }) => href !== next.href).map(({ href, label }) => (
            <Link key={href} href={href}>
              {label}
            </Link>
          ))}
        </>
      }
    >
      {text}
    </Notice>
  )
}
