import { Link } from 'wouter'
import { Notice } from './notice.tsx'

/** Replaces a page whose subject is hidden while someone looks at it. */
export function NoLongerListed({ what, all }: { what: string; all: { href: string; label: string } }) {
  return (
    <Notice level={1} title="No longer listed" action={<Link href={all.href}>{all.label}</Link>}>
      This {what} was taken off the list while you were here. Its accounts on the chain are untouched.
    </Notice>
  )
}
