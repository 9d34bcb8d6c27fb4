import { useEffect, useState } from 'react'
import { PendingNotices } from '../actions/pending-notices.tsx'
import { useSite } from '../lib/site-context.ts'
import type { UsableWallet } from './adapt-wallet.ts'
import { DemoApproval } from './demo-approval-dialog.tsx'
import { WalletDialog } from './wallet-dialog.tsx'
import { readRemembered, readWallet, useWallet } from './wallet-store.ts'
import { connect, followDisconnect, watchWallets } from './wallets.ts'

/** The parts of the wallet on every page once it is used: its dialogs, and the outcomes of earlier transactions. */
export default function WalletParts() {
  const { settings } = useSite()
  const { isDialogOpen } = useWallet()
  const [wallets, setWallets] = useState<readonly UsableWallet[]>()
  const [failure, setFailure] = useState<unknown>()
  const [attempt, setAttempt] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt looks again
  useEffect(() => watchWallets(settings, setWallets, setFailure), [settings, attempt])
  const retry = () => {
    setFailure(undefined)
    setAttempt(attempt + 1)
  }
  useReconnect(wallets)
  useEffect(followDisconnect, [])
  return (
    <>
      {isDialogOpen && <WalletDialog {...{ wallets, failure, retry }} />}
      {settings.hasDemoWallet && <DemoApproval />}
      <PendingNotices />
    </>
  )
}

/** Connects the wallet of the last visit, if it allows that without asking. */
function useReconnect(wallets: readonly UsableWallet[] | undefined) {
  useEffect(() => {
    const remembered = readRemembered()
    const wallet = remembered && wallets?.find(({ name }) => name === remembered.name)
    if (!wallet || readWallet().account) return
    connect(wallet, { silent: true }).catch(() => {
      // The person connects again.
    })
  }, [wallets])
}
