import { Check } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Link } from 'wouter'
import { Button, buttonClass } from '../components/button.tsx'
import { Dialog, focusTopDialog } from '../components/dialog.tsx'
import { RetryButton } from '../components/failure.tsx'
import { networkName, shorten } from '../lib/format.ts'
import { PartError } from '../lib/load-part.ts'
import { useSite } from '../lib/site-context.ts'
import { walletHref } from '../lib/wallets.ts'
import type { UsableWallet } from './adapt-wallet.ts'
import styles from './wallet-dialog.module.css'
import { chooseAccount, closeWalletDialog as close, useWallet, type WalletAccount } from './wallet-store.ts'
import { connect, disconnect } from './wallets.ts'

interface Found {
  /** Undefined while they are looked for. */
  wallets: readonly UsableWallet[] | undefined
  /** Why they could not be loaded. */
  failure: unknown
  retry(): void
}

/** Connects a wallet, or chooses between the accounts of the connected one. */
export function WalletDialog({ wallets, failure, retry }: Found) {
  const { account } = useWallet()
  return (
    <Dialog title={account ? account.walletName : 'Connect a wallet'} onClose={close}>
      {account ? <Accounts current={account} /> : <Wallets {...{ wallets, failure, retry }} />}
    </Dialog>
  )
}

function Wallets({ wallets, failure, retry }: Found) {
  const { settings } = useSite()
  const [error, setError] = useState<string>()
  const [asked, setAsked] = useState<string>()

  async function choose(wallet: UsableWallet) {
    setError(undefined)
    setAsked(wallet.name)
    try {
      await connect(wallet)
      // The demo wallet has many accounts: choose one first.
      if (!settings.hasDemoWallet) close()
    } catch (cause) {
      setError(`${wallet.name} did not connect: ${(cause as Error).message}`)
    }
    setAsked(undefined)
  }

  if (failure)
    return (
      <>
        <p role="alert" className="bottom-4 soft">
          {failure instanceof PartError ? failure.message : 'The demo wallet could not be loaded.'}
        </p>
        <RetryButton needsReload={failure instanceof PartError && failure.kind !== 'failed'} retry={retry} />
      </>
    )
  if (!wallets) return <p role="status">Looking for wallets…</p>
  return (
    <>
      <p className="bottom-4 soft">
        {settings.hasDemoWallet
          ? 'This service runs on chains of its own, with money that is worth nothing. The demo wallet can act as any owner or creator in it. Wallets from outside cannot connect.'
          : 'The wallet keeps your keys. This page asks it to sign, and shows you first what a transaction does.'}
      </p>
      {wallets.length === 0 && (
        <p className="bottom-4 soft">
          {settings.isEmbedded
            ? 'No wallet can sign for the embedded chains here. Start the service with both chains embedded, listening on this machine only, to get a demo wallet.'
            : 'No wallet was found in this browser. Install one that supports Solana, then reload the page.'}
        </p>
      )}
      <ul className="stack gap-1">
        {wallets.map(wallet => (
          <li key={wallet.name}>
            <button
              type="button"
              className={styles.row}
              disabled={asked !== undefined}
              onClick={() => void choose(wallet)}
            >
              <img src={wallet.icon} alt="" width="32" height="32" />
              <span className="stack strong shrinks">{wallet.name}</span>
              {asked === wallet.name && <span className={styles.aside}>Waiting for the wallet…</span>}
            </button>
          </li>
        ))}
      </ul>
      {error && (
        <p role="alert" className="top-3 danger">
          {error}
        </p>
      )}
    </>
  )
}

/** Beyond this many, a field to search in them. */
const FEW = 6

function Accounts({ current }: { current: WalletAccount }) {
  const { settings } = useSite()
  const { accounts } = useWallet()
  const [text, setText] = useState('')
  // The button that connected the wallet may have had the focus. It is gone.
  useEffect(focusTopDialog, [])
  const wanted = text.trim().toLowerCase()
  const shown = accounts.filter(
    ({ label = '', address }) => label.toLowerCase().includes(wanted) || address === text.trim(),
  )
  return (
    <>
      <p className="bottom-4 soft">
        You act as <bdi className={styles.who}>{current.label ?? shorten(current.address, 6)}</bdi>.
        {accounts.length > 1 && ' You can choose another account.'}
      </p>
      {accounts.length > FEW && (
        <label className={styles.search}>
          <span className="unseen">Search accounts</span>
          <input
            type="search"
            value={text}
            placeholder="Owner of…, creator of…"
            autoComplete="off"
            spellCheck="false"
            onChange={event => setText(event.target.value)}
          />
        </label>
      )}
      <div className={styles.accounts}>
        {groupByNetwork(shown, settings.networks).map(([name, group]) => (
          <section key={name} className={styles.group} aria-label={name}>
            <h3 className={styles.network}>{name}</h3>
            <ul className="stack gap-1">
              {group.map(account => (
                <li key={account.address}>
                  <Account
                    account={account}
                    networkName={name}
                    isCurrent={account.address === current.address}
                  />
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
      {shown.length === 0 && <p className="bottom-4 soft">No account matches. Try a shorter name.</p>}
      <div className="row gap-3 top-4">
        {settings.hasDemoWallet && (
          <Button kind="primary" onClick={close}>
            Continue
          </Button>
        )}
        <Link
          className={buttonClass('quiet')}
          href={walletHref(current.address, networkOf(current, settings.networks), settings.networks)}
          onClick={close}
        >
          My wallet
        </Link>
        <button
          type="button"
          className={`text-button ${styles.disconnect}`}
          onClick={() => {
            disconnect()
            close()
          }}
        >
          Disconnect
        </button>
      </div>
    </>
  )
}

/** The first network of the service that the account is on. */
const networkOf = ({ networks: own }: WalletAccount, networks: readonly string[]): string =>
  networks.find(one => (own as readonly string[]).includes(one)) ?? networks[0] ?? ''

/** Accounts of a real wallet usually act on all networks, those of the demo on one each. */
function groupByNetwork(
  accounts: readonly WalletAccount[],
  networks: readonly string[],
): [name: string, accounts: WalletAccount[]][] {
  const groups = new Map<string, WalletAccount[]>()
  const rank = ({ networks: own }: WalletAccount) =>
    networks.findIndex(one => (own as readonly string[]).includes(one))
  for (const account of [...accounts].sort((one, two) => rank(one) - rank(two))) {
    const name = account.networks.map(networkName).join(', ')
    groups.set(name, [...(groups.get(name) ?? []), account])
  }
  return [...groups]
}

function Account({
  account: { address, label },
  networkName,
  isCurrent,
}: {
  account: WalletAccount
  networkName: string
  isCurrent: boolean
}) {
  return (
    <button
      type="button"
      className={styles.row}
      aria-current={isCurrent ? 'true' : undefined}
      onClick={() => {
        chooseAccount(address)
        close()
      }}
    >
      <span className="stack strong shrinks">
        <bdi>{label ?? shorten(address, 6)}</bdi>
        <span className={styles.aside}>
          {label && shorten(address)}
          <span className="unseen"> {networkName}</span>
        </span>
      </span>
      {isCurrent && <Check size={18} strokeWidth={1.5} aria-label="acts now" />}
    </button>
  )
}
