import type { LaunchDetail, Network } from '@slipway/client'
import { titleOf } from '../../lib/launches.ts'
import { OwnerDialog } from '../../owner-changes/owner-dialog.tsx'
import { LinksForm } from './links-form.tsx'
import { useAuthority } from './use-authority.ts'

/** Corrects the links of a launch, for the wallet that controls it. */
export default function LinksDialog(props: {
  draftName: string
  data: LaunchDetail
  network: Network
  onClose(): void
}) {
  const { draftName, data, network, onClose } = props
  return (
    <OwnerDialog
      title="Correct the links"
      {...{ network, draftName }}
      subject={titleOf(data)}
      {...useAuthority(data, network)}
      name="the wallet that controls this launch"
      right="correct its links"
      onClose={onClose}
    >
      {(account, onCancel) => <LinksForm {...props} {...{ account, onCancel }} />}
    </OwnerDialog>
  )
}
