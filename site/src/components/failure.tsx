import { SlipwayError } from '@slipway/client'
import { Component, type ReactNode, useEffect, useEffectEvent, useLayoutEffect, useState } from 'react'
import { Link } from 'wouter'
import { hasJustEnded, isFailure, isLimited, reportOutage, useOutage } from '../lib/connection.ts'
import { formatClock } from '../lib/format.ts'
import { hasTypedWork, PartError } from '../lib/load-part.ts'
import { useNow } from '../lib/now.ts'
import { Button } from './button.tsx'
import { Dialog, DialogActions } from './dialog.tsx'
import styles from './failure.module.css'
import { Notice } from './notice.tsx'

interface Copy {
  title: string
  text: string
  /** The error's own text, for a report. */
  detail?: string
  /** Whether only a new version of the page helps. */
  needsReload?: boolean
}

function describeFailure(error: Error, what: string, isOut: boolean): Copy {
  if (!(error instanceof PartError))
    return {
      title: `${what} failed`,
      text: 'Something went wrong here, or the service sent an unexpected response. The rest of the site still works.',
      detail: error.message,
    }
  if (error.kind === 'outdated')
    return {
      title: 'A new version is ready',
      text: 'Slipway was updated while this page was open. Reload to continue. What you have typed is kept, except the verification of an account.',
      needsReload: true,
    }
  if (error.kind === 'hanging')
    return {
      title: 'The service is not answering',
      text: `${what} could not be loaded. Reload the page once the service is back.`,
      needsReload: true,
    }
  const title = `${what} could not be loaded`
  if (isOut) return { title, text: 'It opens by itself when the service can be reached again.' }
  return error.kind === 'stuck'
    ? { title, text: 'Check your connection, then reload the page.', needsReload: true }
    : { title, text: 'Check your connection, then try again.' }
}

/** The message. Retries by itself when an outage ends, because the missing part may load now. */
function useFailure(error: Error, what: string, retry: () => void): Copy {
  const outage = useOutage()
  const isOut = isFailure(outage)
  const [wasOut, setWasOut] = useState(hasJustEnded)
  if (isOut && !wasOut) setWasOut(true)
  const isOver = wasOut && !isOut
  const copy = describeFailure(error, what, isOut)
  const tryAgain = useEffectEvent(() => {
    if (!(error instanceof PartError)) return
    if (!copy.needsReload) retry()
    else if (!hasTypedWork()) location.reload()
  })
  useEffect(() => {
    if (isOver) tryAgain()
  }, [isOver])
  return copy
}

export const RetryButton = ({ needsReload, retry }: { needsReload: boolean | undefined; retry(): void }) =>
  needsReload ? (
    <Button kind="primary" onClick={() => location.reload()}>
      Reload
    </Button>
  ) : (
    <Button kind="primary" onClick={retry}>
      Try again
    </Button>
  )

const Detail = ({ text }: { text: string | undefined }) =>
  text ? (
    <span className={styles.detail}>
      <bdi>{text}</bdi>
    </span>
  ) : null

/** Keeps a failure of a page to the page: the shell around it stays. */
export const PageBoundary = ({
  path,
  onShown,
  children,
}: {
  path: string
  onShown(): void
  children: ReactNode
}) => (
  <ErrorBoundary resetKey={path} fallback={(error, retry) => <FailedPage {...{ error, retry, onShown }} />}>
    {children}
  </ErrorBoundary>
)

function FailedPage({ error, retry, onShown }: { error: Error; retry(): void; onShown(): void }) {
  useLayoutEffect(onShown, [onShown])
  const { title, text, detail, needsReload } = useFailure(error, 'This page', retry)
  return (
    <Notice
      kind="error"
      level={1}
      title={title}
      action={
        <>
          <RetryButton {...{ needsReload, retry }} />
          <Link href="/status">Status</Link>
        </>
      }
    >
      {text}
      <Detail text={detail} />
    </Notice>
  )
}

/** Keeps a failure of a dialog to the dialog: the page below it stays as it is. */
export const DialogBoundary = ({
  title,
  onClose,
  children,
}: {
  title: string
  onClose(): void
  children: ReactNode
}) => (
  <ErrorBoundary fallback={(error, retry) => <FailedDialog {...{ title, error, retry, onClose }} />}>
    {children}
  </ErrorBoundary>
)

export function FailedDialog({
  title,
  error,
  retry,
  onClose,
}: {
  title: string
  error: Error
  retry(): void
  onClose(): void
}) {
  const copy = useFailure(error, 'This part', retry)
  return (
    <Dialog title={title} onClose={onClose}>
      <div role="alert" className={styles.dialog}>
        <h3>{copy.title}</h3>
        <p>
          {copy.text}
          <Detail text={copy.detail} />
        </p>
      </div>
      <DialogActions>
        <RetryButton needsReload={copy.needsReload} retry={retry} />
        <Button onClick={onClose}>Close</Button>
      </DialogActions>
    </Dialog>
  )
}

/** Keeps a failure of a panel to the panel. */
export const PanelBoundary = ({ children }: { children: ReactNode }) => (
  <ErrorBoundary fallback={(error, retry) => <FailedPanel {...{ error, retry }} />}>{children}</ErrorBoundary>
)

function FailedPanel({ error, retry }: { error: Error; retry(): void }) {
  const { title, text, detail, needsReload } = useFailure(error, 'This part', retry)
  return (
    <Notice kind="error" level={3} title={title} action={<RetryButton {...{ needsReload, retry }} />}>
      {text}
      <Detail text={detail} />
    </Notice>
  )
}

interface Props {
  children: ReactNode
  /** Shown instead of the part that failed. */
  fallback(error: Error, retry: () => void): ReactNode
  /** When it changes, such as to another page, the failed part is rendered again. */
  resetKey?: string
}

/** Keeps a failure to the part that failed: the rest of the page goes on. */
export class ErrorBoundary extends Component<Props, { error: Error | undefined }> {
  override state: { error: Error | undefined } = { error: undefined }

  static getDerivedStateFromError(thrown: unknown) {
    return { error: thrown instanceof Error ? thrown : new Error(String(thrown)) }
  }

  retry = () => {
    if (this.state.error instanceof PartError) this.state.error.forget()
    this.setState({ error: undefined })
  }

  override componentDidUpdate(before: Props) {
    if (this.state.error && before.resetKey !== this.props.resetKey) this.retry()
  }

  /** A part that is opened again later is loaded again. */
  override componentWillUnmount() {
    if (this.state.error instanceof PartError) this.state.error.forget()
  }

  override render() {
    const { error } = this.state
    return error ? this.props.fallback(error, this.retry) : this.props.children
  }
}

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

/** Rendered where data is shown that could not be refreshed. The strip below the header says so. */
export function StaleNotice({ error }: { error?: unknown }) {
  const kind = isLimited(error) ? 'limited' : 'unreachable'
  useEffect(() => reportOutage({ sinceMs: Date.now(), kind }), [kind])
  return null
}

/** Says why the page does not update. It lies over the page, so that nothing moves when it appears. */
export function StaleStrip() {
  const outage = useOutage()
  return (
    <div role="status" className={styles.place}>
      {outage && (
        <p className={outage.kind === 'slow' ? styles.slow : styles.stale}>
          {outage.kind !== 'slow' && `Not updating since ${formatClock(outage.sinceMs)}. `}
          {TEXTS[outage.kind]}
        </p>
      )}
    </div>
  )
}

const TEXTS = {
  unreachable: 'The service is not answering.',
  limited: 'Too many requests. Trying again soon.',
  slow: 'The service is slow to answer.',
  offline: 'You are offline.',
}
