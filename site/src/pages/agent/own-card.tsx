import type { Agent, Network } from '@slipway/client'
import { lazy, Suspense, useState } from 'react'
import { OwnerLine } from '../../components/owner-line.tsx'

const CardDialog = lazy(() => import('./card-dialog.tsx'))

/** Lets the owner of an agent replace or remove its card. */
export function OwnCard({ agent, network }: { agent: Agent; network: Network }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <OwnerLine question="Is this your agent?" action="Change its card" onClick={() => setOpen(true)} />
      {isOpen && (
        <Suspense>
          <CardDialog agent={agent} network={network} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
