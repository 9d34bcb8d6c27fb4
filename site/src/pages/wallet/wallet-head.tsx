import type { Network } from '@slipway/client'
import { useQuery } from '@tanstack/react-query'
import { Address } from '../../components/address.tsx'
import { Amount } from '../../components/amount.tsx'
import { NetworkFilter } from '../../components/network-filter.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { useIsHydrated } from '../../lib/now.ts'
import { balanceQuery } from '../../lib/queries.ts'
import { useSite } from '../../lib/site-context.ts'
import { walletHref } from '../../lib/wallets.ts'
import { useWallet } from '../../wallet/wallet-store.ts'
import styles from './wallet.module.css'

const NATIVE_DECIMALS = 9

interface Shown {
  wallet: string
  network: Network
}

/** Whose page this is. It needs nothing but the address, so it is there whatever fails. */
export function WalletHead({ wallet, network }: Shown) {
  const { settings } = useSite()
  const { account } = useWallet()
  return (
    <header className={styles.head}>
      <div>
        <h1>{account?.address === wallet ? 'My wallet' : 'Wallet'}</h1>
        <p className={styles.facts}>
          <Address address={wallet} network={network} label="the wallet’s address" />
        </p>
        <Balance wallet={wallet} network={network} />
      </div>
      <NetworkFilter current={network} hrefOf={other => walletHref(wallet, other, settings.networks)} />
    </header>
  )
}

/** Hidden without an RPC that browsers may use. */
function Balance({ wallet, network }: Shown) {
  const { settings } = useSite()
  const rpc = settings.rpc[network]
  const isHydrated = useIsHydrated()
  const { data, isError } = useQuery({
    ...balanceQuery(rpc?.url ?? '', network, wallet),
    enabled: isHydrated && rpc !== undefined,
  })
  if (!rpc) return null
  return (
    <p className={styles.facts}>
      <span>Balance</span>{' '}
      {data !== undefined ? (
        <b>
          <Amount units={data} decimals={NATIVE_DECIMALS} symbol="SOL" />
        </b>
      ) : isError ? (
        'can’t be read right now'
      ) : (
        <Skeleton shape="short" />
      )}
      {isError && data !== undefined && (
        <span>The chain is not answering. This is the last known balance.</span>
      )}
    </p>
  )
}
