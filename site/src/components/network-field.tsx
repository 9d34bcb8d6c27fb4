import type { Network } from '@slipway/client'
import { networkName } from '../lib/format.ts'
import { openWalletDialog, useWallet, type WalletAccount } from '../wallet/wallet-store.ts'
import { Button } from './button.tsx'
import styles from './network-field.module.css'

/** The network that was chosen; before that, the first one that the account can sign for. */
export function chooseNetwork(
  chosen: Network | '',
  served: readonly Network[],
  account: Pick<WalletAccount, 'networks'> | undefined,
): Network {
  const usable = served.find(network => account?.networks.includes(network))
  return served.find(network => network === chosen) ?? usable ?? (served[0] as Network)
}

/** Whether the account, if there is one, can sign for the network. */
export const canSignFor = (network: Network, account: Pick<WalletAccount, 'networks'> | undefined): boolean =>
  account?.networks.includes(network) ?? true

/** Chooses a network, and says so if the connected account is for another one. */
export function NetworkField({
  network,
  networks,
  error,
  onChoose,
}: {
  network: Network
  networks: readonly Network[]
  error?: string | undefined
  onChoose(network: Network): void
}) {
  const { account } = useWallet()
  const isMismatch = !canSignFor(network, account)
  return (
    <fieldset className={styles.networks}>
      <legend>Network</legend>
      <div className={styles.choices}>
        {networks.map(one => (
          <label key={one}>
            <input type="radio" name="network" checked={one === network} onChange={() => onChoose(one)} />
            {networkName(one)}
          </label>
        ))}
      </div>
      {account && isMismatch && (
        <div role="alert" className={styles.mismatch}>
          <p className={styles.fault}>
            The connected account is for {account.networks.map(networkName).join(' and ')}. Choose a{' '}
            {networkName(network)} account.
          </p>
          <Button onClick={openWalletDialog}>Choose an account</Button>
        </div>
      )}
      {error && (
        <p role="alert" className={styles.fault}>
          {error}
        </p>
      )}
    </fieldset>
  )
}
