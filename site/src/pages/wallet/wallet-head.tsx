import type { Network } from '@slipway/client'
import { NetworkFilter } from '../../components/choices.tsx'
import { Address } from '../../components/text.tsx'
import { useSite } from '../../lib/site-context.ts'
import { walletHref } from '../../lib/wallets.ts'
import { useWallet } from '../../wallet/wallet-store.ts'
import styles from './wallet.module.css'

/** Whose page this is. It needs nothing but the address, so it is there whatever fails. */
export function WalletHead({ wallet, network }: { wallet: string; network: Network }) {
  const { settings } = useSite()
  const { account } = useWallet()
  return (
    <header className={styles.head}>
      <div>
        <h1>{account?.address === wallet ? 'My wallet' : 'Wallet'}</h1>
        <p className={styles.facts}>
          <Address address={wallet} network={network} label="the wallet’s address" />
        </p>
      </div>
      <NetworkFilter current={network} hrefOf={other => walletHref(wallet, other, settings.networks)} />
    </header>
  )
}
