import type { Blockhash } from '../types.ts'

/** What the submission needs of a Solana library. Everything is read at the commitment `confirmed`. */
export interface Chain<Signed = unknown> {
  /** The addresses of the given signers. */
  signers: readonly string[]
  /** Adds the signatures of those signers that a transaction asks for. A wallet is asked once for all of them. */
  sign(transactions: Uint8Array[], blockhash: Blockhash): Promise<Signed[]>
  /** The signature of a signed transaction, in base58. */
  signatureOf(signed: Signed): string
  send(signed: Signed, options: { skipPreflight: boolean }): Promise<unknown>
  /**
   * The statuses of at most 256 transactions, including old ones. Undefined if the chain does not know a transaction.
   */
  readStatuses(signatures: string[]): Promise<(TransactionStatus | undefined)[]>
  readBlockHeight(): Promise<number>
  /** What an error of `send` means. */
  classify(error: unknown): SendFailure
}

export interface TransactionStatus {
  isConfirmed: boolean
  /** The slot in which it was executed. */
  slot: number
  /** What the chain reports of a transaction that failed. */
  error: unknown
}

/**
 * `unreachable`: the node is down or behind, and the transaction may have arrived. `blockhash`: the node does not
 * know the blockhash, because it has expired or because the node is behind. `duplicate`: it has arrived. `refused`:
 * it will never be accepted.
 */
export type SendFailure = 'unreachable' | 'blockhash' | 'duplicate' | 'refused'

/** Decides by the message, which is the RPC's own in web3.js and Umi. */
export function classifyMessage(error: unknown): SendFailure {
  const { name = '', message = '', logs, code } = (error ?? {}) as Record<string, unknown>
  const text = `${name} ${message}`
  if (/blockhash not found/i.test(text)) return 'blockhash'
  if (/already been processed/i.test(text)) return 'duplicate'
  if (/node is (?:behind|unhealthy)/i.test(text)) return 'unreachable'
  // A JSON-RPC error has a numeric code, and one of the simulation has logs.
  if (logs || typeof code === 'number' || /simulation failed|SendTransactionError/i.test(text))
    return 'refused'
  return /fetch|network|timed? ?out|abort|socket|ECONN|\b(?:429|50\d)\b/i.test(text)
    ? 'unreachable'
    : 'refused'
}
