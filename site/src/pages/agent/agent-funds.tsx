import type { Agent, Network, WalletToken } from '@slipway/client'
import type { Action } from '../../actions/action.ts'
import { Button } from '../../components/button.tsx'
import { Tabs } from '../../components/choices.tsx'
import { shorten } from '../../lib/format.ts'
import { ActAs } from '../../wallet/act-as.tsx'
import { openWalletDialog, useWallet } from '../../wallet/wallet-store.ts'
import styles from './agent-funds.module.css'
import { AmountForm } from './amount-form.tsx'
import { listAssets, type Way } from './move-funds.ts'

/** Pays into the agent's wallet, or back to its owner. */
export function AgentFunds({
  agent,
  network,
  balance,
  tokens,
  warning,
  way,
  onChooseWay,
  open,
  onMoved,
}: {
  agent: Agent
  network: Network
  /** In the smallest unit; undefined while it is not known. */
  balance: string | undefined
  tokens: readonly WalletToken[]
  /** What funders should know. */
  warning: string | undefined
  way: Way
  onChooseWay(way: Way): void
  /** Opens the sheet in which an action is signed. It outlives this form. */
  open(action: Action): void
  /** Called when it is confirmed. */
  onMoved(): void
}) {
  const { account } = useWallet()
  const isOwner = account?.address === agent.owner
  return (
    <div className={styles.funds}>
      <Tabs
        label="What to do"
        choices={[
          { value: 'fund', text: 'Fund' },
          { value: 'withdraw', text: 'Withdraw' },
        ]}
        current={way}
        onChoose={onChooseWay}
      />
      {way === 'fund' && warning !== undefined && <p className={styles.warning}>{warning}</p>}
      {!account ? (
        <>
          <p className={styles.note}>
            {way === 'fund' ? 'Anyone can fund an agent.' : 'Only the owner can withdraw.'}
          </p>
          <Button kind="primary" onClick={openWalletDialog}>
            Connect a wallet
          </Button>
        </>
      ) : !account.networks.includes(network) ? (
        <p className={styles.note}>
          The connected account is on a different network.{' '}
          <ActAs address={agent.owner}>Act as the owner</ActAs>
        </p>
      ) : way === 'withdraw' && !isOwner ? (
        <p className={styles.note}>
          Only the owner, {shorten(agent.owner)}, can withdraw. You are connected as{' '}
          {account.label ?? shorten(account.address)}. <ActAs address={agent.owner}>Act as the owner</ActAs>
        </p>
      ) : (
        <AmountForm
          key={way}
          {...{ way, agent, network, open, onMoved }}
          sender={account.address}
          assets={listAssets(way, balance, tokens)}
        />
      )}
    </div>
  )
}
