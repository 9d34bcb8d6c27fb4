import type { Agent, Network, WalletToken } from '@slipway/client'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useLayoutEffect, useState } from 'react'
import { Link } from 'wouter'
import type { Action } from '../../actions/action.ts'
import { useActionSheet } from '../../actions/use-sheet.tsx'
import { Button } from '../../components/button.tsx'
import { Tabs } from '../../components/choices.tsx'
import { ActionBar } from '../../components/detail-page.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { DialogBoundary } from '../../components/failure.tsx'
import { Amount } from '../../components/figures.tsx'
import { Panel } from '../../components/layout.tsx'
import { Skeleton } from '../../components/notice.tsx'
import { Address } from '../../components/text.tsx'
import { agentTitle } from '../../lib/agents.ts'
import { NATIVE_DECIMALS, shorten } from '../../lib/format.ts'
import { useIsNarrow } from '../../lib/hooks.ts'
import { useIsHydrated } from '../../lib/now.ts'
import { agentDelegatesQuery, agentWalletQuery, balanceQuery } from '../../lib/queries.ts'
import { useSite } from '../../lib/site-context.ts'
import { ActAs } from '../../wallet/wallet-button.tsx'
import { openWalletDialog, useWallet } from '../../wallet/wallet-store.ts'
import { rewardsHref } from '../rewards/token-amount.tsx'
import styles from './agent.module.css'
import { describeSpenders } from './agent-delegates.tsx'
import { listTokens } from './agent-identity.tsx'
import { AmountForm } from './amount-form.tsx'
import { listAssets, type Way } from './move-funds.ts'

/**
 * What the agent's wallet holds, and the form that moves it: in the panel or, on a phone, behind a bar. Nothing without
 * an RPC that browsers may use.
 */
export function useAgentWallet({ agent, network }: { agent: Agent; network: Network }): {
  panel: ReactNode
  bar: ReactNode
} {
  const { slipway, settings } = useSite()
  const rpc = settings.rpc[network]
  const enabled = useIsHydrated() && rpc !== undefined
  const balance = useQuery({ ...balanceQuery(rpc?.url ?? '', network, agent.walletAddress), enabled })
  const wallet = useQuery({ ...agentWalletQuery(slipway, network, agent), enabled })
  const delegates = useQuery({ ...agentDelegatesQuery(slipway, network, agent.address), enabled })
  const isNarrow = useIsNarrow()
  const { account } = useWallet()
  const [way, setWay] = useState<Way>('fund')
  const [isOpen, setOpen] = useState(false)
  // Turning a phone replaces the form, but not the sheet in which something is being signed.
  const { open, sheet } = useActionSheet()
  const [isMoved, setMoved] = useState(false)
  const isDone = isMoved && !sheet
  // After the sheet, so that the browser gives the focus back to the bar.
  useLayoutEffect(() => {
    if (!isDone) return
    setMoved(false)
    setOpen(false)
  }, [isDone])
  if (!rpc) return { panel: null, bar: null }

  const tokens = wallet.data?.tokens ?? []
  const amount =
    balance.data !== undefined ? (
      <Amount units={balance.data} decimals={NATIVE_DECIMALS} symbol="SOL" />
    ) : balance.isError ? undefined : (
      <Skeleton unscripted="To see the balance or fund the agent, allow JavaScript." />
    )
  const form = (
    <AgentFunds
      {...{ agent, network, tokens, way, open }}
      balance={balance.data}
      // Funders should know before they pay.
      warning={delegates.data?.total ? describeSpenders(delegates.data.total) : undefined}
      onChooseWay={setWay}
      onMoved={() => setMoved(true)}
    />
  )
  const title = account && account.address !== agent.owner ? 'Fund' : 'Fund or withdraw'
  const close = () => setOpen(false)
  return {
    panel: (
      <Panel title="Wallet">
        <p className={styles.balance}>
          {amount ?? <span className={styles.unread}>The balance can’t be read right now</span>}
        </p>
        {tokens.length > 0 && <WalletTokens tokens={tokens} network={network} />}
        <p className="small faint top-2">
          {wallet.isError && !wallet.data
            ? 'The wallet’s tokens can’t be read right now.'
            : wallet.data?.truncated
              ? 'The wallet holds more tokens than are shown.'
              : balance.isError && balance.data !== undefined
                ? 'The chain is not answering. This is the last known balance.'
                : ''}{' '}
          {listTokens(agent).length > 0 && (
            <Link href={rewardsHref(agent.walletAddress, network, settings.networks, agent.address)}>
              Creator rewards of this agent
            </Link>
          )}
        </p>
        {!isNarrow && <div className={styles.beside}>{form}</div>}
      </Panel>
    ),
    bar: (
      <>
        <ActionBar
          standing={
            <>
              Wallet <b>{amount ?? 'Can’t be read'}</b>
            </>
          }
        >
          <Button kind="primary" onClick={() => setOpen(true)} aria-haspopup="dialog">
            {title}
          </Button>
          {isOpen && isNarrow && (
            <DialogBoundary title={title} onClose={close}>
              <Dialog title={title} lead={agentTitle(agent)} onClose={close}>
                {form}
              </Dialog>
            </DialogBoundary>
          )}
        </ActionBar>
        {sheet}
      </>
    ),
  }
}

const WalletTokens = ({ tokens, network }: { tokens: readonly WalletToken[]; network: Network }) => (
  <ul className={styles.holdings} aria-label="Tokens in this wallet">
    {tokens.map(token => (
      <li key={token.mint}>
        <Holding token={token} network={network} />
      </li>
    ))}
  </ul>
)

function Holding({ token, network }: { token: WalletToken; network: Network }) {
  const { mint, amount, decimals, name, symbol, known, restriction } = token
  const label = name || symbol
  return (
    <>
      <span className={styles.holding}>
        {known || label === '' ? (
          <bdi>{label || 'Unnamed token'}</bdi>
        ) : (
          <span className="faint">
            “<bdi>{label}</bdi>”
          </span>
        )}
        {/* A symbol of a stranger's choice next to a number reads like a price. */}
        <Amount units={amount} decimals={decimals} {...(known && symbol && { symbol })} />
      </span>
      {(!known || restriction) && (
        <span className={styles.doubt}>
          {!known && (
            <>
              {label ? 'Not a known token, whatever its name says: ' : 'Not a known token: '}
              <Address address={mint} network={network} label="the token’s mint" />
            </>
          )}
          {restriction && <span>{RESTRICTIONS[restriction]}</span>}
        </span>
      )}
    </>
  )
}

const RESTRICTIONS: Record<NonNullable<WalletToken['restriction']>, string> = {
  frozen: 'The issuer has frozen these tokens.',
  'non-transferable': 'This token can’t be transferred.',
  paused: 'Transfers of this token are paused.',
  hook: 'Transfers of this token call another program, so they can’t be made here.',
  fee: 'This token takes a fee from each transfer.',
}

/** Pays into the agent's wallet, or back to its owner. */
function AgentFunds({
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
    <div className="stack gap-4 start">
      <Tabs
        label="What to do"
        choices={[
          { value: 'fund', text: 'Fund' },
          { value: 'withdraw', text: 'Withdraw' },
        ]}
        current={way}
        onChoose={onChooseWay}
      />
      {way === 'fund' && warning !== undefined && <p className="warning">{warning}</p>}
      {!account ? (
        <>
          <p className="soft">
            {way === 'fund' ? 'Anyone can fund an agent.' : 'Only the owner can withdraw.'}
          </p>
          <Button kind="primary" onClick={openWalletDialog}>
            Connect a wallet
          </Button>
        </>
      ) : !account.networks.includes(network) ? (
        <p className="soft">
          The connected account is on a different network.{' '}
          <ActAs address={agent.owner}>Act as the owner</ActAs>
        </p>
      ) : way === 'withdraw' && !isOwner ? (
        <p className="soft">
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
