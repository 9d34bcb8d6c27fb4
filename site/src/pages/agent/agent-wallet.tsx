import type { Agent, Network, WalletToken } from '@slipway/client'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { Address } from '../../components/address.tsx'
import { Amount } from '../../components/amount.tsx'
import { Panel } from '../../components/panel.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { useIsHydrated } from '../../lib/now.ts'
import { agentWalletQuery, balanceQuery } from '../../lib/queries.ts'
import { useSite } from '../../lib/site-context.ts'
import { rewardsHref } from '../rewards/rewards-href.ts'
import styles from './agent.module.css'
import { AgentFunds } from './agent-funds.tsx'

const NATIVE_DECIMALS = 9

/** What the agent's wallet holds. Hidden without an RPC that browsers may use. */
export function AgentWallet({ agent, network }: { agent: Agent; network: Network }) {
  const { slipway, settings } = useSite()
  const rpc = settings.rpc[network]
  const isHydrated = useIsHydrated()
  const { data, isError } = useQuery({
    ...balanceQuery(rpc?.url ?? '', network, agent.walletAddress),
    enabled: isHydrated && rpc !== undefined,
  })
  const wallet = useQuery({
    ...agentWalletQuery(slipway, network, agent.address),
    enabled: isHydrated && rpc !== undefined,
  })
  const tokens = wallet.data?.tokens ?? []
  if (!rpc) return null
  return (
    <Panel title="Wallet">
      <p className={styles.balance}>
        {data !== undefined ? (
          <Amount units={data} decimals={NATIVE_DECIMALS} symbol="SOL" />
        ) : isError ? (
          <span className={styles.unread}>The balance can’t be read right now</span>
        ) : (
          <Skeleton />
        )}
      </p>
      {tokens.length > 0 && (
        <ul className={styles.holdings} aria-label="Tokens in this wallet">
          {tokens.map(token => (
            <li key={token.mint}>
              <Holding token={token} network={network} />
            </li>
          ))}
        </ul>
      )}
      <p className={styles.note}>
        {wallet.isError && !wallet.data
          ? 'The wallet’s tokens can’t be read right now.'
          : wallet.data?.truncated
            ? 'The wallet holds more tokens than are shown.'
            : isError && data !== undefined
              ? 'The chain is not answering. This is the last known balance.'
              : ''}{' '}
        <Link href={rewardsHref(agent.walletAddress, network, settings.networks, agent.address)}>
          Creator rewards of this agent
        </Link>
      </p>
      <AgentFunds agent={agent} network={network} balance={data} tokens={tokens} />
    </Panel>
  )
}

function Holding({ token, network }: { token: WalletToken; network: Network }) {
  const { mint, amount, decimals, name, symbol, known, restriction } = token
  const label = name || symbol
  return (
    <>
      <span className={styles.holding}>
        {known || label === '' ? (
          <bdi>{label || 'Unnamed token'}</bdi>
        ) : (
          <span className={styles.claimed}>
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
