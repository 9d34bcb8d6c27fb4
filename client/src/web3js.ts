import { type Connection, type PublicKey, type Signer, VersionedTransaction } from '@solana/web3.js'
import { encodeBase58 } from './base58.ts'
import { type Chain, classifyMessage } from './submit/chain.ts'
import { createSubmitter as createFor, type Submitter } from './submit/create-submitter.ts'

export type * from './submit/create-submitter.ts'
export { TransactionError, type TransactionFailure } from './submit/transaction-error.ts'

/** A wallet as `@solana/wallet-adapter` provides it. */
export interface WalletSigner {
  publicKey: PublicKey
  signAllTransactions(transactions: VersionedTransaction[]): Promise<VersionedTransaction[]>
}

export interface Web3JsSubmitterOptions {
  connection: Pick<Connection, 'sendRawTransaction' | 'getSignatureStatuses' | 'getBlockHeight'>
  /** Each signs the transactions that need its signature: a wallet, or a `Keypair`. */
  signers: readonly (WalletSigner | Signer)[]
}

/** Signs, sends and confirms transactions of the API with version 1 of `@solana/web3.js`. */
export function createSubmitter({ connection, signers }: Web3JsSubmitterOptions): Submitter {
  const chain: Chain<VersionedTransaction> = {
    signers: signers.map(({ publicKey }) => publicKey.toBase58()),
    sign: transactions => sign(signers, transactions),
    signatureOf: ({ signatures }) => encodeBase58(signatures[0] as Uint8Array),
    send: (signed, { skipPreflight }) =>
      connection.sendRawTransaction(signed.serialize(), { skipPreflight, preflightCommitment: 'confirmed' }),
    async readStatuses(signatures) {
      const { value } = await connection.getSignatureStatuses(signatures, { searchTransactionHistory: true })
      return value.map(status =>
        status
          ? { isConfirmed: status.confirmationStatus !== 'processed', slot: status.slot, error: status.err }
          : undefined,
      )
    },
    readBlockHeight: () => connection.getBlockHeight('confirmed'),
    classify: classifyMessage,
  }
  return createFor(chain)
}

async function sign(
  signers: Web3JsSubmitterOptions['signers'],
  wires: Uint8Array[],
): Promise<VersionedTransaction[]> {
  const transactions = wires.map(wire => VersionedTransaction.deserialize(wire))
  // Wallets come first: one that changes a transaction would undo the signatures of the others.
  for (const signer of [...signers].sort((a, b) => Number('secretKey' in a) - Number('secretKey' in b))) {
    const concerned = transactions.flatMap((transaction, index) =>
      needs(transaction, signer.publicKey) ? [index] : [],
    )
    if (concerned.length === 0) continue
    if ('secretKey' in signer) {
      for (const index of concerned) transactions[index]?.sign([signer])
    } else {
      const given = concerned.map(index => transactions[index] as VersionedTransaction)
      const signed = await signer.signAllTransactions(given)
      for (const [at, index] of concerned.entries()) transactions[index] = signed[at] as VersionedTransaction
    }
  }
  return transactions
}

function needs({ message }: VersionedTransaction, key: PublicKey): boolean {
  const { header, staticAccountKeys } = message
  return staticAccountKeys.slice(0, header.numRequiredSignatures).some(account => account.equals(key))
}
