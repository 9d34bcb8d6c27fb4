import type { Network } from '@slipway/client'
import {
  address,
  getTransactionDecoder,
  getTransactionEncoder,
  type TransactionModifyingSigner,
} from '@solana/kit'
import type { WalletAccount } from '../wallet/wallet-store.ts'

/**
 * A wallet's account as a signer of kit. The wallet is asked once for all transactions. When the signal is aborted, the
 * page no longer waits for it: many wallets never answer once their window is closed.
 */
export function createSigner(
  account: WalletAccount,
  network: Network,
  signal: AbortSignal,
): TransactionModifyingSigner {
  return {
    address: address(account.address),
    async modifyAndSignTransactions(transactions) {
      const wires = transactions.map(
        transaction => new Uint8Array(getTransactionEncoder().encode(transaction)),
      )
      const stopped = new Promise<never>((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason), { once: true })
      })
      const signed = await Promise.race([account.signTransactions(wires, network), stopped])
      return signed.map(wire => getTransactionDecoder().decode(wire)) as never
    },
  }
}
