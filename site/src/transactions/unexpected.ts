/**
 * A transaction does something other than what the page said. The message says what, in words for the person who was
 * about to sign. Such a transaction must not reach a wallet.
 */
export class UnexpectedTransactionError extends Error {
  override name = 'UnexpectedTransactionError'
}

export function refuse(message: string): never {
  throw new UnexpectedTransactionError(message)
}
