import type { LaunchDetail, Network } from '@slipway/client'
import { lazy } from 'react'
import { OwnerLine } from '../../owner-changes/owner-line.tsx'

const LinksDialog = lazy(() => import('./links-dialog.tsx'))

/** Lets the launch's authority correct its links. */
export const CorrectLinks = (props: { data: LaunchDetail; network: Network }) => (
  <OwnerLine question="Is this your launch?" action="Correct its links">
    {onClose => <LinksDialog {...props} onClose={onClose} />}
  </OwnerLine>
)
