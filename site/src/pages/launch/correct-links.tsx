import type { LaunchDetail, Network } from '@slipway/client'
import { lazyPart } from '../../lib/load-part.ts'
import { OwnerLine } from '../../owner-changes/owner-line.tsx'

const LinksDialog = lazyPart(() => import('./links-dialog.tsx'))

/** Lets the launch's authority correct its links. */
export function CorrectLinks(props: { data: LaunchDetail; network: Network }) {
  const draftName = `links:${props.network}:${props.data.launch.genesisAddress}`
  return (
    <OwnerLine
      question="Is this your launch?"
      action="Correct its links"
      draftName={draftName}
      unfinished="You have not signed your changes to its links."
    >
      {onClose => <LinksDialog {...props} {...{ draftName, onClose }} />}
    </OwnerLine>
  )
}
