import { FormPage } from '../../components/layout.tsx'
import { lazyPart } from '../../lib/load-part.ts'
import { definePage } from '../page.ts'

const NewLaunch = lazyPart(() => import('./new-launch.tsx'))

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

function NewLaunchPage() {
  return (
    <FormPage
      title="Create a launch"
      summary="A new token, and the sale that puts it into people’s hands. A name and a symbol are enough; the rest has sensible values."
      Form={NewLaunch}
    />
  )
}
