import { SlipwayError } from '@slipway/client'
import { useEffect, useEffectEvent, useState } from 'react'
import { Link } from 'wouter'
import { useNow } from '../lib/now.ts'
import { isLimited } from '../lib/outage.ts'
import { Button } from './button.tsx'
import { Notice } from './notice.tsx'

interface UnreachableProps {
  error: unknown
  /** The level of the heading: 2 if only a part of the page is missing. */
  level?: 1 | 2
  children: string
  onRetry(): void
}

/** Takes the place of a page, or a part of it, whose data could not be loaded. */
export function Unreachable({ error, level = 1, children, onRetry }: UnreachableProps) {
  const hasReachedLimit = isLimited(error)
  return (
    <Notice
      kind="error"
      level={level}
      title={hasReachedLimit ? 'Too many requests' : 'The service is not answering'}
      action={
        <>
          <Button onClick={onRetry}>Try again</Button>
          <Link href="/status">Status</Link>
        </>
      }
    >
      {hasReachedLimit ? <NextTry error={error} onRetry={onRetry} /> : children}
    </Notice>
  )
}

/** Counts down to the next try, and tries. */
function NextTry({ error, onRetry }: Pick<UnreachableProps, 'error' | 'onRetry'>) {
  const nowMs = useNow('second')
  const retry = useEffectEvent(onRetry)
  const [nextMs, setNextMs] = useState(() => Date.now() + waitMsOf(error))
  // Each refusal is a new error, even if its text is the same.
  useEffect(() => {
    const waitMs = waitMsOf(error)
    setNextMs(Date.now() + waitMs)
    const timer = setTimeout(() => retry(), waitMs)
    return () => clearTimeout(timer)
  }, [error])
  return (
    <>
      Your network address has used up its requests for this minute. Trying again in{' '}
      {Math.max(1, Math.ceil((nextMs - nowMs) / 1_000))} s.
    </>
  )
}

const WAIT_S = 30
const WAIT_S_MAX = 60

const waitMsOf = (error: unknown): number =>
  1_000 * Math.min(WAIT_S_MAX, (error instanceof SlipwayError && error.retryAfter) || WAIT_S)
