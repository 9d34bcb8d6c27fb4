import type { Network } from '@slipway/client'
import { useSyncExternalStore } from 'react'

/** An account that a wallet lets this page use. */
export interface WalletAccount {
  address: string
  /** The wallet's name for it. */
  label?: string
  walletName: string
  /** A picture of the wallet, as a data URL. */
  icon: string
  /** The networks that it can sign for. */
  networks: Network[]
  /** Rejects if the person or the wallet refuses. */
  signTransactions(transactions: Uint8Array[], network: Network): Promise<Uint8Array[]>
  /** Absent if the wallet signs no texts. */
  signMessage?(text: Uint8Array): Promise<Uint8Array>
}

interface WalletState {
  /** The one that acts. */
  account: WalletAccount | undefined
  /** All accounts that the connected wallet offers. */
  accounts: readonly WalletAccount[]
  isDialogOpen: boolean
}

const NOT_CONNECTED: WalletState = { account: undefined, accounts: [], isDialogOpen: false }

let state = NOT_CONNECTED
const listeners = new Set<() => void>()

/** The rest of the wallet code is loaded only when it is needed; this much every page knows. */
export function setWallet(change: Partial<WalletState>): void {
  state = { ...state, ...change }
  for (const listener of listeners) listener()
}

export function useWallet(): WalletState {
  return useSyncExternalStore(
    subscribe,
    () => state,
    () => NOT_CONNECTED,
  )
}

export const readWallet = (): WalletState => state

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const openWalletDialog = (): void => setWallet({ isDialogOpen: true })
export const closeWalletDialog = (): void => setWallet({ isDialogOpen: false })

const REMEMBERED = 'wallet'

/** The wallet and the account of the last visit. */
export interface RememberedWallet {
  name: string
  address: string
}

export function readRemembered(): RememberedWallet | undefined {
  try {
    return JSON.parse(localStorage.getItem(REMEMBERED) ?? '') as RememberedWallet
  } catch {
    return undefined
  }
}

export function remember(wallet: RememberedWallet | undefined): void {
  try {
    if (wallet) localStorage.setItem(REMEMBERED, JSON.stringify(wallet))
    else localStorage.removeItem(REMEMBERED)
  } catch {
    // Storage may be blocked; the wallet is then connected until the page is left.
  }
}

/** Lets another account of the connected wallet act. */
export function chooseAccount(address: string): void {
  const account = state.accounts.find(one => one.address === address)
  if (!account) return
  setWallet({ account })
  remember({ name: account.walletName, address })
}
