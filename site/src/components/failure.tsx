import { type ReactNode, useEffect, useEffectEvent, useLayoutEffect, useState } from 'react'
import { Link } from 'wouter'
import { PartError } from '../lib/load-part.ts'
import { hasJustEnded, useOutage } from '../lib/outage.ts'
import { hasTypedWork } from '../lib/typed-work.ts'
import { Button } from './button.tsx'
import { Dialog, DialogActions } from './dialog.tsx'
import { ErrorBoundary } from './error-boundary.tsx'
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
  const isOut = outage !== undefined && outage.kind !== 'slow'
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
