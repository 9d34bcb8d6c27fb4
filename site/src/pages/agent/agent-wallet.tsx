import type { Agent, Network } from '@slipway/client'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useLayoutEffect, useState } from 'react'
import { Link } from 'wouter'
import { useActionSheet } from '../../actions/use-sheet.tsx'
import { Button } from '../../components/button.tsx'
import { ActionBar } from '../../components/detail-page.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { DialogBoundary } from '../../components/failure.tsx'
import { Amount } from '../../components/figures.tsx'
import { Panel } from '../../components/layout.tsx'
import { Skeleton } from '../../components/notice.tsx'
import { agentTitle } from '../../lib/agents.ts'
import { NATIVE_DECIMALS } from '../../lib/native.ts'
import { useIsHydrated } from '../../lib/now.ts'
import { agentDelegatesQuery, agentWalletQuery, balanceQuery } from '../../lib/queries.ts'
import { useSite } from '../../lib/site-context.ts'
import { useIsNarrow } from '../../lib/use-is-narrow.ts'
import { useWallet } from '../../wallet/wallet-store.ts'
import { rewardsHref } from '../rewards/rewards-href.ts'
import styles from './agent.module.css'
import { describeSpenders } from './agent-delegates.tsx'
import { AgentFunds } from './agent-funds.tsx'
import { listTokens } from './agent-tokens.tsx'
import type { Way } from './move-funds.ts'
import { WalletTokens } from './wallet-tokens.tsx'

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
        <p className={styles.note}>
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
