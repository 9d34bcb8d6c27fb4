import { useEffect, useRef, useState } from 'react'
import { isRunning, removePending, runNext } from '../../actions/pending.ts'
import { Button, LinkButton } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Address } from '../../components/text.tsx'
import { networkName, plural, shorten } from '../../lib/format.ts'
import { launchHref } from '../../lib/launches.ts'
import { fetchStatuses } from '../../lib/rpc.ts'
import { useSite } from '../../lib/site-context.ts'
import { ActAs } from '../../wallet/wallet-button.tsx'
import { openWalletDialog, useWallet } from '../../wallet/wallet-store.ts'
import { createKey } from './create-action.ts'
import styles from './started-launches.module.css'
import { lockKeyOf, removeStarted, type StartedLaunch, useIsListed } from './started-launches.tsx'

/** A launch that is not complete: continue it, or forget it. */
export function InterruptedLaunch({
  started,
  isNew,
  problem,
  onContinue,
}: {
  started: StartedLaunch
  /** Whether it was interrupted on this page, just now. */
  isNew: boolean
  /** Why it could not be continued. */
  problem: string | undefined
  onContinue(progress: Progress): void
}) {
  const { isBusy, progress } = useProgress(started)
  const { settings } = useSite()
  const isListed = useIsListed(started)
  const [isForgetting, setForgetting] = useState(false)
  const { account } = useWallet()
  const panel = useRef<HTMLElement>(null)
  useEffect(() => {
    if (isNew && !isBusy) panel.current?.focus()
  }, [isNew, isBusy])
  const { request, network } = started
  const { wallet, launch } = request
  const isOnChain = progress.confirmed === progress.total
  if (isListed)
    return (
      <section className={styles.panel} role="status">
        <h2 className={styles.title}>
          <bdi>{launch.name}</bdi> is listed
        </h2>
        <p>
          Creating it was interrupted in this browser, but the launch is complete now. There is nothing left
          to do.
        </p>
        <div className={styles.actions}>
          <LinkButton href={launchHref(started.genesisAccount, network, settings.networks)}>
            Open your launch
          </LinkButton>
          <Button onClick={() => removeStarted(started.genesisAccount)}>Dismiss</Button>
        </div>
      </section>
    )
  if (isBusy)
    return (
      <section className={styles.panel} role="status">
        <h2 className={styles.title}>
          Another tab is creating <bdi>{launch.name}</bdi>
        </h2>
        <p>Finish it there. If you close that tab, you can continue here.</p>
      </section>
    )
  return (
    <section ref={panel} tabIndex={-1} className={styles.panel} aria-label={`Interrupted: ${launch.name}`}>
      <div>
        <h2 className={styles.title}>
          A launch was interrupted: <bdi>{launch.name}</bdi> (<bdi>{launch.symbol}</bdi>)
        </h2>
        <p>
          {isOnChain
            ? 'It is on the chain, and not registered yet.'
            : `${progress.confirmed} of ${plural(progress.total, 'transaction')} confirmed.`}{' '}
          {networkName(network)}.
        </p>
        {problem && (
          <p role="alert" className={styles.problem}>
            It can’t be continued: {problem}
          </p>
        )}
        {account && account.address !== wallet && !isOnChain && (
          <p>
            {shorten(wallet)} began it, so only that account can go on.{' '}
            <ActAs address={wallet}>Act as that account</ActAs>
          </p>
        )}
      </div>
      <div className={styles.actions}>
        {!account && !isOnChain ? (
          <Button kind="primary" onClick={openWalletDialog}>
            Connect to continue
          </Button>
        ) : (
          <Button
            kind="primary"
            disabled={!isOnChain && account?.address !== wallet}
            onClick={() => onContinue(progress)}
          >
            Continue
          </Button>
        )}
        <Button onClick={() => setForgetting(true)}>Forget it</Button>
      </div>
      {isForgetting && <ForgetDialog {...{ started, progress }} onClose={() => setForgetting(false)} />}
    </section>
  )
}

/** The launch's progress on the chain, and whether another tab is creating it. */
function useProgress(started: StartedLaunch): { isBusy: boolean; progress: Progress } {
  const { settings } = useSite()
  const rpcUrl = settings.rpc[started.network]?.url
  const [isBusy, setBusy] = useState(false)
  const [progress, setProgress] = useState(() => progressOf(started))
  useEffect(() => {
    const { signal, abort } = withAbort()
    const key = lockKeyOf(started.genesisAccount)
    void isRunning(key).then(running => !signal.aborted && setBusy(running))
    runNext(key, signal, async () => {
      setBusy(false)
      setProgress(progressOf(started))
      // This says more than the notice about sent transactions.
      removePending(createKey(started.network, started.request.wallet))
      if (rpcUrl) setProgress(await fetchProgress(rpcUrl, started, signal))
    }).catch(() => {
      // The page was left, or the chain does not answer. Then the page shows what this browser knows.
    })
    return abort
  }, [started, rpcUrl])
  return { isBusy, progress }
}

function withAbort() {
  const controller = new AbortController()
  return { signal: controller.signal, abort: () => controller.abort() }
}

function ForgetDialog({
  started: { genesisAccount, mintAddress, request, network },
  progress: { confirmed, total },
  onClose,
}: {
  started: StartedLaunch
  progress: Progress
  onClose(): void
}) {
  const { name } = request.launch
  return (
    <Dialog title={`Forget ${name}?`} onClose={onClose}>
      <div className={styles.remains}>
        <p>
          {confirmed === 0
            ? 'So far, none of its transactions is confirmed. If it stays that way, nothing is left on the chain.'
            : confirmed < total
              ? 'What is confirmed remains on the chain, and what its accounts cost is not refunded. Unless the launch was finalized, it can’t be listed.'
              : 'It remains on the chain and works, but this site does not list it. Anyone can register it.'}
          {request.launch.type === 'bondingCurve' &&
            confirmed > 0 &&
            confirmed < total &&
            ' If its curve exists already, people may be able to trade on it, but an unfinished launch never graduates.'}
        </p>
        {confirmed > 0 && (
          <dl>
            <dt>Launch</dt>
            <dd>
              <Address address={genesisAccount} network={network} label="the launch’s address" />
            </dd>
            <dt>Token</dt>
            <dd>
              <Address address={mintAddress} network={network} label="the token’s address" />
            </dd>
          </dl>
        )}
        <p>This browser can’t continue it afterwards.</p>
      </div>
      <div className={styles.actions}>
        <Button onClick={() => removeStarted(genesisAccount)}>Forget it</Button>
        <Button onClick={onClose}>Keep it</Button>
      </div>
    </Dialog>
  )
}

export interface Progress {
  confirmed: number
  total: number
}

/** How far a launch has come, as far as this browser knows. */
export const progressOf = ({ earlier, confirmed, signatures }: StartedLaunch): Progress => ({
  confirmed: earlier + confirmed,
  total: earlier + signatures.length,
})

/** The same from the chain, which may have confirmed more since. */
async function fetchProgress(
  rpcUrl: string,
  { earlier, signatures }: StartedLaunch,
  signal: AbortSignal,
): Promise<Progress> {
  const statuses = await fetchStatuses(rpcUrl, signatures, signal)
  const confirmed = statuses.filter(
    status => status && !status.err && status.confirmationStatus !== 'processed',
  )
  return { confirmed: earlier + confirmed.length, total: earlier + signatures.length }
}
