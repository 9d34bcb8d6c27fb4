import type { LaunchDetail, Network } from '@slipway/client'
import { lazyPart } from '../../lib/load-part.ts'
import { OwnerLine } from '../../owner-changes/owner-line.tsx'

const LinksDialog = lazyPart(() => import('./links-dialog.tsx'))

/** Lets the launch's authority correct its links. */
export const CorrectLinks = (props: { data: LaunchDetail; network: Network }) => (
  <OwnerLine question="Is this your launch?" action="Correct its links">
    {onClose => <LinksDialog {...props} onClose={onClose} />}
  </OwnerLine>
)
