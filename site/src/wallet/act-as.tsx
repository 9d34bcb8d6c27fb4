import type { ReactNode } from 'react'
import { chooseAccount, useWallet } from './wallet-store.ts'

/** A button that lets another account of the connected wallet act. Nothing if the wallet does not have it. */
export function ActAs({ address, children }: { address: string; children: ReactNode }) {
  const { accounts } = useWallet()
  if (!accounts.some(account => account.address === address)) return null
  return (
    <button type="button" className="text-button" onClick={() => chooseAccount(address)}>
      {children}
    </button>
  )
}
