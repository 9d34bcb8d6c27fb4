import type { Agent, Network } from '@slipway/client'
import { Dialog } from '../../components/dialog.tsx'
import { agentTitle } from '../../lib/agents.ts'
import { networkName } from '../../lib/format.ts'
import { OwnerGate } from '../../owner-changes/owner-gate.tsx'
import { CardForm } from './card-form.tsx'

/** Replaces or removes the card of an agent, for its owner. */
export default function CardDialog({
  agent,
  network,
  onClose,
}: {
  agent: Agent
  network: Network
  onClose(): void
}) {
  return (
    <Dialog title="Change the card" lead={`${networkName(network)} · ${agentTitle(agent)}`} onClose={onClose}>
      <OwnerGate signer={agent.owner} name="the owner" right="change the card">
        {account => <CardForm {...{ agent, network, account, onClose }} />}
      </OwnerGate>
    </Dialog>
  )
}
