import {
  type Commitment,
  type GetBlockHeightApi,
  type GetSignatureStatusesApi,
  getBase64EncodedWireTransaction,
  getSignatureFromTransaction,
  getTransactionDecoder,
  isSolanaError,
  type Rpc,
  type SendTransactionApi,
  type Signature,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_NODE_UNHEALTHY,
  SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR,
  SOLANA_ERROR__TRANSACTION_ERROR__ALREADY_PROCESSED,
  SOLANA_ERROR__TRANSACTION_ERROR__BLOCKHASH_NOT_FOUND,
  type Transaction,
  type TransactionModifyingSigner,
  type TransactionPartialSigner,
} from '@solana/kit'
import type { Chain, SendFailure } from './submit/chain.ts'
import { createSubmitter as createFor, type Submitter } from './submit/create-submitter.ts'
import type { Blockhash } from './types.ts'

export type * from './submit/create-submitter.ts'
export { TransactionError, type TransactionFailure } from './submit/transaction-error.ts'

export interface KitSubmitterOptions {
  /** For example `createSolanaRpc(url)`. */
  rpc: Rpc<GetBlockHeightApi & GetSignatureStatusesApi & SendTransactionApi>
  /**
   * Each signs the transactions that need its signature: a wallet's signer, or one from
   * `createKeyPairSignerFromBytes`.
   */
  signers: readonly (TransactionModifyingSigner | TransactionPartialSigner)[]
}

/** Signs, sends and confirms transactions of the API with `@solana/kit`. */
export function createSubmitter({ rpc, signers }: KitSubmitterOptions): Submitter {
  const commitment: Commitment = 'confirmed'
  const chain: Chain<Transaction> = {
    signers: signers.map(({ address }) => address),
    sign: (transactions, blockhash) => sign(signers, transactions, blockhash),
    signatureOf: getSignatureFromTransaction,
    send: (signed, { skipPreflight }) =>
      rpc
        .sendTransaction(getBase64EncodedWireTransaction(signed), {
          encoding: 'base64',
          preflightCommitment: commitment,
          skipPreflight,
        })
        .send(),
    async readStatuses(signatures) {
      const options = { searchTransactionHistory: true }
      const { value } = await rpc.getSignatureStatuses(signatures as Signature[], options).send()
      return value.map(
        status =>
          status && {
            isConfirmed: status.confirmationStatus !== 'processed',
            slot: Number(status.slot),
            error: status.err,
          },
      ) as Awaited<ReturnType<Chain['readStatuses']>>
    },
    readBlockHeight: async () => Number(await rpc.getBlockHeight({ commitment }).send()),
    classify,
  }
  return createFor(chain)
}

async function sign(
  signers: KitSubmitterOptions['signers'],
  wires: Uint8Array[],
  { blockhash, lastValidBlockHeight }: Blockhash,
): Promise<Transaction[]> {
  const lifetimeConstraint = { blockhash, lastValidBlockHeight: BigInt(lastValidBlockHeight) }
  const transactions: Transaction[] = wires.map(wire => getTransactionDecoder().decode(wire))
  // Those that may change a transaction come first: a change would undo the signatures of the others.
  for (const signer of [...signers].sort((a, b) => rank(a) - rank(b))) {
    const concerned = [...transactions.entries()].filter(([, { signatures }]) => signer.address in signatures)
    if (concerned.length === 0) continue
    // The signers' types ask for a lifetime and a limited size, which every transaction of the API has.
    const given = concerned.map(([, transaction]) => ({ ...transaction, lifetimeConstraint })) as never[]
    if ('modifyAndSignTransactions' in signer) {
      const signed = await signer.modifyAndSignTransactions(given)
      for (const [at, [index]] of concerned.entries()) transactions[index] = signed[at] as Transaction
    } else {
      const signed = await signer.signTransactions(given)
      for (const [at, [index, transaction]] of concerned.entries())
        transactions[index] = { ...transaction, signatures: { ...transaction.signatures, ...signed[at] } }
    }
  }
  return transactions
}

const rank = (signer: object) => ('modifyAndSignTransactions' in signer ? 0 : 1)

const UNREACHABLE = [
  SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_NODE_UNHEALTHY,
] as const

function classify(error: unknown): SendFailure {
  if (!isSolanaError(error) || UNREACHABLE.some(code => isSolanaError(error, code))) return 'unreachable'
  if (isSolanaError(error.cause, SOLANA_ERROR__TRANSACTION_ERROR__BLOCKHASH_NOT_FOUND)) return 'blockhash'
  if (isSolanaError(error.cause, SOLANA_ERROR__TRANSACTION_ERROR__ALREADY_PROCESSED)) return 'duplicate'
  return 'refused'
}
