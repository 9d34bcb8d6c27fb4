import type { Agent, Network } from '@slipway/client'
import { agentTitle } from '../../lib/agents.ts'
import { OwnerDialog } from '../../owner-changes/owner-dialog.tsx'
import { CardForm } from './card-form.tsx'

/** Replaces or removes the card of an agent, for its owner. */
export default function CardDialog(props: {
  draftName: string
  agent: Agent
  network: Network
  onClose(): void
}) {
  const { draftName, agent, network, onClose } = props
  return (
    <OwnerDialog
      title="Change the card"
      {...{ network, draftName }}
      subject={agentTitle(agent)}
      signer={agent.owner}
      name="the owner"
      right="change the card"
      onClose={onClose}
    >
      {(account, onCancel) => <CardForm {...props} {...{ account, onCancel }} />}
    </OwnerDialog>
  )
}
