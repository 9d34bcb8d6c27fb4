import { lazy, Suspense } from 'react'
import { PageHead } from '../../components/page-head.tsx'
import { useIsHydrated } from '../../lib/now.ts'
import { useTitle } from '../../lib/title.ts'
import { definePage } from '../page.ts'

const MintForm = lazy(() => import('./mint-form.tsx'))

export const newAgentPage = definePage({
  path: '/agents/new',
  Component: NewAgent,
  load: async () => ({
    head: {
      title: 'Create an agent',
      description: 'Create an agent on the chain: its name, what it does and where to reach it.',
      path: '/agents/new',
    },
    data: [],
  }),
})

function NewAgent() {
  useTitle('Create an agent')
  const isHydrated = useIsHydrated()
  return (
    <>
      <PageHead
        title="Create an agent"
        summary="An agent is an asset that your wallet owns. It has a wallet of its own, which only you can empty, and a card that tells others what it does and where to reach it."
      />
      {isHydrated ? (
        <Suspense fallback={<p role="status">Loading the form…</p>}>
          <MintForm />
        </Suspense>
      ) : (
        <p>The form needs JavaScript, because your wallet signs in this page.</p>
      )}
    </>
  )
}
