import type { Network } from '@slipway/client'
import {
  address,
  getTransactionDecoder,
  getTransactionEncoder,
  type TransactionModifyingSigner,
} from '@solana/kit'
import type { WalletAccount } from '../wallet/wallet-store.ts'

/** A wallet's account as a signer of kit. The wallet is asked once for all transactions. */
export function createSigner(account: WalletAccount, network: Network): TransactionModifyingSigner {
  return {
    address: address(account.address),
    async modifyAndSignTransactions(transactions) {
      const wires = transactions.map(
        transaction => new Uint8Array(getTransactionEncoder().encode(transaction)),
      )
      const signed = await account.signTransactions(wires, network)
      return signed.map(wire => getTransactionDecoder().decode(wire)) as never
    },
  }
}
