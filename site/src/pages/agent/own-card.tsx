import type { Agent, Network } from '@slipway/client'
import { lazyPart } from '../../lib/load-part.ts'
import { OwnerLine } from '../../owner-changes/owner-line.tsx'

const CardDialog = lazyPart(() => import('./card-dialog.tsx'))

/** Lets the owner of an agent replace or remove its card. */
export const OwnCard = (props: { agent: Agent; network: Network }) => (
  <OwnerLine question="Is this your agent?" action="Change its card">
    {onClose => <CardDialog {...props} onClose={onClose} />}
  </OwnerLine>
)
