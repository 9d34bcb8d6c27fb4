import type { Agent, Network } from '@slipway/client'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { agentTitle } from '../../lib/agents.ts'
import { NETWORK_NAMES, shorten } from '../../lib/format.ts'
import { ActAs } from '../../wallet/act-as.tsx'
import { openWalletDialog, useWallet } from '../../wallet/wallet-store.ts'
import styles from './card-form.module.css'
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
  const { account } = useWallet()
  const { owner } = agent
  return (
    <Dialog
      title="Change the card"
      lead={`${NETWORK_NAMES[network] ?? network} · ${agentTitle(agent)}`}
      onClose={onClose}
    >
      {!account ? (
        <div className={styles.gate}>
          <p>The owner, {shorten(owner)}, can replace the card. They sign a text, which costs nothing.</p>
          <Button kind="primary" onClick={openWalletDialog}>
            Connect a wallet
          </Button>
        </div>
      ) : account.address !== owner ? (
        <div className={styles.gate}>
          <p>
            Only the owner, {shorten(owner)}, can change the card. You are connected as{' '}
            {account.label ?? shorten(account.address)}.
          </p>
          <p>
            <ActAs address={owner}>Act as the owner</ActAs>
          </p>
        </div>
      ) : !account.signMessage ? (
        <p>
          {account.walletName} signs transactions, but no texts. Connect another wallet to change the card.
        </p>
      ) : (
        <CardForm {...{ agent, network, account, onClose }} />
      )}
    </Dialog>
  )
}
