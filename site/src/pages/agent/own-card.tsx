import type { Agent, Network } from '@slipway/client'
import { lazyPart } from '../../lib/load-part.ts'
import { OwnerLine } from '../../owner-changes/owner-line.tsx'
import { useWallet } from '../../wallet/wallet-store.ts'

const CardDialog = lazyPart(() => import('./card-dialog.tsx'))

/** Lets the owner of an agent replace or remove its card. */
export function OwnCard(props: { agent: Agent; network: Network }) {
  const { account } = useWallet()
  const draftName = `card:${props.network}:${props.agent.address}`
  return (
    <OwnerLine
      question={account?.address === props.agent.owner ? 'This is your agent.' : 'Is this your agent?'}
      action="Change its card"
      draftName={draftName}
      unfinished="You have not signed your changes to its card."
    >
      {onClose => <CardDialog {...props} {...{ draftName, onClose }} />}
    </OwnerLine>
  )
}
