import { Link } from 'wouter'
import { Button } from './button.tsx'
import { Notice } from './notice.tsx'

/** Takes the place of a page whose data could not be loaded. */
export function Unreachable({ children, onRetry }: { children: string; onRetry(): void }) {
  return (
    <Notice
      kind="error"
      level={1}
      title="The service is not answering"
      action={
        <>
          <Button onClick={onRetry}>Try again</Button>
          <Link href="/status">Status</Link>
        </>
      }
    >
      {children}
    </Notice>
  )
}
