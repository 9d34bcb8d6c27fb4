import { lazy, Suspense } from 'react'
import { PageHead } from '../../components/page-head.tsx'
import { useIsHydrated } from '../../lib/now.ts'
import { useTitle } from '../../lib/title.ts'
import { definePage } from '../page.ts'

const NewLaunch = lazy(() => import('./new-launch.tsx'))

export const newLaunchPage = definePage({
  path: '/launches/new',
  Component: NewLaunchPage,
  async load() {
    return {
      head: {
        title: 'Create a launch',
        description: 'Create a token and its launch: a bonding curve or a launch pool.',
        path: '/launches/new',
      },
      data: [],
    }
  },
})

/** The form needs script, and most readers never open it, so that it is loaded here alone. */
function NewLaunchPage() {
  const isHydrated = useIsHydrated()
  useTitle('Create a launch')
  return (
    <>
      <PageHead
        title="Create a launch"
        summary="A new token, and the sale that puts it into people’s hands. A name and a symbol are enough; the rest has sensible values."
      />
      {isHydrated ? (
        <Suspense fallback={<p role="status">Loading the form…</p>}>
          <NewLaunch />
        </Suspense>
      ) : (
        <p>The form needs JavaScript, because your wallet signs in this page.</p>
      )}
    </>
  )
}
