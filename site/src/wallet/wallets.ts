import type { Network } from '@slipway/client'
import { getWallets } from '@wallet-standard/app'
import { createPart } from '../lib/load-part.ts'
import type { SiteSettings } from '../server/protocol.ts'
import { adaptAccounts, isUsable, type UsableWallet } from './adapt-wallet.ts'
import { readRemembered, readWallet, remember, setWallet } from './wallet-store.ts'

/**
 * Calls back with the wallets that may connect here, now and whenever they change. While the demo's keys are served,
 * only the built-in wallet may connect: on the embedded chains, no other has anything.
 */
export function watchWallets(
  settings: SiteSettings,
  onChange: (wallets: readonly UsableWallet[]) => void,
  onFailed: (error: unknown) => void,
): () => void {
  if (settings.hasDemoWallet) {
    let isWatching = true
    loadDemoWallet(settings).then(wallet => isWatching && onChange([wallet]), onFailed)
    return () => {
      isWatching = false
    }
  }
  // No wallet knows an embedded chain.
  const networks = settings.isEmbedded ? [] : (settings.networks as Network[])
  const registry = getWallets()
  const report = () => onChange(registry.get().filter(wallet => isUsable(wallet, networks)))
  const stops = [registry.on('register', report), registry.on('unregister', report)]
  report()
  return () => {
    for (const stop of stops) stop()
  }
}

const demoPart = createPart(() => import('./demo-wallet.ts'))
let demoWallet: Promise<UsableWallet> | undefined

function loadDemoWallet({ publicUrl }: SiteSettings): Promise<UsableWallet> {
  demoWallet ??= demoPart
    .load()
    .then(({ createDemoWallet }) => createDemoWallet(new URL(publicUrl).pathname.replace(/\/$/, '')))
  demoWallet.catch(() => {
    demoWallet = undefined
  })
  return demoWallet
}

let stopFollowing = () => {}

/**
 * Asks a wallet for its accounts, and lets the one of the last visit act, or else the first. With `silent`, the wallet
 * offers only what it has allowed before, without asking the person.
 */
export async function connect(wallet: UsableWallet, { silent = false } = {}): Promise<void> {
  const { accounts } = await wallet.features['standard:connect'].connect({ silent })
  if (!use(wallet, accounts) && !silent)
    throw new Error(`${wallet.name} offered no account for this site's networks`)
  stopFollowing()
  stopFollowing =
    wallet.features['standard:events']?.on('change', ({ accounts }) => {
      if (accounts && !use(wallet, accounts)) disconnect()
    }) ?? (() => {})
}

function use(wallet: UsableWallet, offered: UsableWallet['accounts']): boolean {
  const accounts = adaptAccounts(wallet, offered)
  const wanted = readWallet().account?.address ?? readRemembered()?.address
  const account = accounts.find(({ address }) => address === wanted) ?? accounts[0]
  if (!account) return false
  setWallet({ account, accounts })
  remember({ name: wallet.name, address: account.address })
  return true
}

export function disconnect(): void {
  stopFollowing()
  setWallet({ account: undefined, accounts: [] })
  remember(undefined)
}

/** Disconnects when another tab has. Returns a function that stops it. */
export function followDisconnect(): () => void {
  const follow = () => {
    if (readWallet().account && !readRemembered()) disconnect()
  }
  addEventListener('storage', follow)
  return () => removeEventListener('storage', follow)
}
