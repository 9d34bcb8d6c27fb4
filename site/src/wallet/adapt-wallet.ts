import type { Network } from '@slipway/client'
import { NETWORK_TABLE } from '@slipway/launch-model/networks'
import type { SolanaSignMessageFeature, SolanaSignTransactionFeature } from '@solana/wallet-standard-features'
import type { WalletAccount as StandardAccount, Wallet } from '@wallet-standard/base'
import type { StandardConnectFeature, StandardEventsFeature } from '@wallet-standard/features'
import type { WalletAccount } from './wallet-store.ts'

/** The names of the networks in the Wallet Standard. */
export const chainOf = (network: Network): `solana:${string}` => `solana:${NETWORK_TABLE[network].cluster}`

export type UsableWallet = Omit<Wallet, 'features'> & {
  features: StandardConnectFeature &
    SolanaSignTransactionFeature &
    Partial<SolanaSignMessageFeature & StandardEventsFeature>
}

/** Whether a wallet can connect and sign transactions of version 0, as the API builds them, for one of the networks. */
export function isUsable(wallet: Wallet, networks: readonly Network[]): wallet is Wallet & UsableWallet {
  const signing = (wallet.features as Partial<UsableWallet['features']>)['solana:signTransaction']
  return (
    'standard:connect' in wallet.features &&
    signing?.supportedTransactionVersions.includes(0) === true &&
    networks.some(network => wallet.chains.includes(chainOf(network)))
  )
}

/** The accounts that can sign for one of the networks. */
export function adaptAccounts(wallet: UsableWallet, accounts: readonly StandardAccount[]): WalletAccount[] {
  return accounts
    .filter(({ features }) => features.includes('solana:signTransaction'))
    .map(account => adaptAccount(wallet, account))
    .filter(({ networks }) => networks.length > 0)
}

function adaptAccount(wallet: UsableWallet, account: StandardAccount): WalletAccount {
  const { signTransaction } = wallet.features['solana:signTransaction']
  const messages = account.features.includes('solana:signMessage') && wallet.features['solana:signMessage']
  return {
    address: account.address,
    ...(account.label !== undefined && { label: account.label }),
    walletName: wallet.name,
    icon: wallet.icon,
    networks: (Object.keys(NETWORK_TABLE) as Network[]).filter(network =>
      account.chains.includes(chainOf(network)),
    ),
    async signTransactions(transactions, network) {
      const inputs = transactions.map(transaction => ({ account, transaction, chain: chainOf(network) }))
      const signed = await signTransaction(...inputs)
      if (signed.length !== inputs.length) throw new Error(`${wallet.name} did not sign all transactions`)
      return signed.map(({ signedTransaction }) => signedTransaction)
    },
    ...(messages && {
      async signMessage(message: Uint8Array) {
        const [signed] = await messages.signMessage({ account, message })
        if (!signed) throw new Error(`${wallet.name} returned no signature`)
        return signed.signature
      },
    }),
  }
}
