import { FormPage } from '../../components/layout.tsx'
import { lazyPart } from '../../lib/load-part.ts'
import { definePage } from '../page.ts'

const MintForm = lazyPart(() => import('./mint-form.tsx'))

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
  return (
    <FormPage
      title="Create an agent"
      summary="An agent is an asset that your wallet owns. It has a wallet of its own, which only you can empty, and a card that tells others what it does and where to reach it."
      Form={MintForm}
    />
  )
}
