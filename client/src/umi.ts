import { type Context, type Signer, signAllTransactions, type Transaction } from '@metaplex-foundation/umi'
import { decodeBase58, encodeBase58 } from './base58.ts'
import { type Chain, classifyMessage } from './submit/chain.ts'
import { createSubmitter as createFor, type Submitter } from './submit/create-submitter.ts'

export type * from './submit/create-submitter.ts'
export { TransactionError, type TransactionFailure } from './submit/transaction-error.ts'

export interface UmiSubmitterOptions {
  umi: Pick<Context, 'rpc' | 'transactions' | 'identity'>
  /** Each signs the transactions that need its signature; the identity of Umi by default. */
  signers?: readonly Signer[] | undefined
}

/** Signs, sends and confirms transactions of the API with Umi. */
export function createSubmitter({ umi, signers = [umi.identity] }: UmiSubmitterOptions): Submitter {
  const chain: Chain<Transaction> = {
    signers: signers.map(({ publicKey }) => publicKey),
    sign: wires =>
      signAllTransactions(
        wires.map(wire => {
          const transaction = umi.transactions.deserialize(wire)
          return { transaction, signers: signers.filter(signer => needs(transaction, signer)) }
        }),
      ),
    signatureOf: ({ signatures }) => encodeBase58(signatures[0] as Uint8Array),
    send: (signed, { skipPreflight }) =>
      umi.rpc.sendTransaction(signed, { skipPreflight, preflightCommitment: 'confirmed' }),
    async readStatuses(signatures) {
      const options = { searchTransactionHistory: true }
      const statuses = await umi.rpc.getSignatureStatuses(signatures.map(decodeBase58), options)
      return statuses.map(status =>
        status
          ? { isConfirmed: status.commitment !== 'processed', slot: Number(status.slot), error: status.error }
          : undefined,
      )
    },
    readBlockHeight: () => umi.rpc.call<number>('getBlockHeight', [], { commitment: 'confirmed' }),
    classify: classifyMessage,
  }
  return createFor(chain)
}

function needs({ message: { header, accounts } }: Transaction, { publicKey }: Signer): boolean {
  return accounts.slice(0, header.numRequiredSignatures).includes(publicKey)
}
