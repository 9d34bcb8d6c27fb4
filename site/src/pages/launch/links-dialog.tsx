import type { LaunchDetail, Network } from '@slipway/client'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { NETWORK_NAMES, shorten } from '../../lib/format.ts'
import { titleOf } from '../../lib/launches.ts'
import { ActAs } from '../../wallet/act-as.tsx'
import { openWalletDialog, useWallet } from '../../wallet/wallet-store.ts'
import styles from './links-form.module.css'
import { LinksForm } from './links-form.tsx'
import { useAuthority } from './use-authority.ts'

/** Corrects the links of a launch, for the wallet that controls it. */
export default function LinksDialog({
  data,
  network,
  onClose,
}: {
  data: LaunchDetail
  network: Network
  onClose(): void
}) {
  const { account } = useWallet()
  const { signer, isPending } = useAuthority(data, network)
  return (
    <Dialog
      title="Correct the links"
      lead={`${NETWORK_NAMES[network] ?? network} · ${titleOf(data)}`}
      onClose={onClose}
    >
      {isPending ? (
        <p role="status">Looking up who controls the launch…</p>
      ) : !account ? (
        <div className={styles.gate}>
          <p>
            The wallet that controls this launch{signer && `, ${shorten(signer)},`} can correct its links. It
            signs a text, which costs nothing.
          </p>
          <Button kind="primary" onClick={openWalletDialog}>
            Connect a wallet
          </Button>
        </div>
      ) : signer !== undefined && account.address !== signer ? (
        <div className={styles.gate}>
          <p>
            Only the wallet that controls this launch, {shorten(signer)}, can correct its links. You are
            connected as {account.label ?? shorten(account.address)}.
          </p>
          <p>
            <ActAs address={signer}>Act as this wallet</ActAs>
          </p>
        </div>
      ) : !account.signMessage ? (
        <p>
          {account.walletName} signs transactions, but no texts. Connect another wallet to correct the links.
        </p>
      ) : (
        <LinksForm {...{ data, network, account, onClose }} />
      )}
    </Dialog>
  )
}
