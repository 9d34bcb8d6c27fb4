import type { LaunchDetail, Network } from '@slipway/client'
import { lazy, Suspense, useState } from 'react'
import { OwnerLine } from '../../components/owner-line.tsx'

const LinksDialog = lazy(() => import('./links-dialog.tsx'))

/** Lets the launch's authority correct its links. */
export function CorrectLinks({ data, network }: { data: LaunchDetail; network: Network }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <OwnerLine question="Is this your launch?" action="Correct its links" onClick={() => setOpen(true)} />
      {isOpen && (
        <Suspense>
          <LinksDialog data={data} network={network} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
