import type { Network } from '@slipway/client'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { agentHref } from '../../../lib/agents.ts'
import { shorten } from '../../../lib/format.ts'
import { agentQuery } from '../../../lib/queries.ts'
import { useSite } from '../../../lib/site-context.ts'
import { walletHref } from '../../../lib/wallets.ts'
import { useWallet } from '../../../wallet/wallet-store.ts'
import styles from './market.module.css'

/** The reader's own wallet is marked. */
export function WalletLink({ address, network }: { address: string; network: Network }) {
  const { settings } = useSite()
  const { account } = useWallet()
  if (address === '') return 'unknown'
  return (
    <Link href={walletHref(address, network, settings.networks)} className={styles.address} title={address}>
      {account?.address === address ? <b className={styles.mark}>you</b> : shorten(address)}
    </Link>
  )
}

/** An agent by its name. */
export function AgentLink({ address, network }: { address: string; network: Network }) {
  const { slipway, settings } = useSite()
  const { data } = useQuery(agentQuery(slipway, network, address))
  return (
    <Link href={agentHref(address, network, settings.networks)} className={styles.agent} title={address}>
      <bdi>{data?.name || shorten(address)}</bdi>
    </Link>
  )
}
