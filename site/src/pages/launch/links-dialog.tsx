import type { LaunchDetail, Network } from '@slipway/client'
import { Dialog } from '../../components/dialog.tsx'
import { networkName } from '../../lib/format.ts'
import { titleOf } from '../../lib/launches.ts'
import { OwnerGate } from '../../owner-changes/owner-gate.tsx'
import { LinksForm } from './links-form.tsx'
import { useAuthority } from './use-authority.ts'

/** Corrects the links of a launch, for the wallet that controls it. */
export default function LinksDialog({
  data,
  network,
  onClose,
}: {
  data: LaunchDetail
  network: Network
  onClose(): void
}) {
  const { signer, isPending } = useAuthority(data, network)
  return (
    <Dialog title="Correct the links" lead={`${networkName(network)} · ${titleOf(data)}`} onClose={onClose}>
      {isPending ? (
        <p role="status">Looking up who controls the launch…</p>
      ) : (
        <OwnerGate signer={signer} name="the wallet that controls this launch" right="correct its links">
          {account => <LinksForm {...{ data, network, account, onClose }} />}
        </OwnerGate>
      )}
    </Dialog>
  )
}
