/**
 * - `rejected`: a signer is missing, the wallet did not sign it, or the RPC did not accept it. Nothing happened.
 * - `failed`: it was executed and failed. Only the fee was paid.
 * - `expired`: its blockhash expired first, so it will never be executed. Build it again.
 * - `unknown`: the RPC could not be reached long enough to find out.
 */
export type TransactionFailure = 'rejected' | 'failed' | 'expired' | 'unknown'

/** Why a transaction was not confirmed. */
export class TransactionError extends Error {
  override readonly name = 'TransactionError'
  readonly reason: TransactionFailure
  /** Undefined if it was never signed. */
  readonly signature: string | undefined
  /** The logs of the programs, if the RPC sent them. */
  readonly logs: readonly string[] | undefined

  constructor(
    reason: TransactionFailure,
    { signature, cause }: { signature?: string | undefined; cause?: unknown } = {},
  ) {
    const logs = findLogs(cause)
    const detail = findDetail(logs ?? [])
    super(
      `${MESSAGES[reason]}${cause === undefined ? '' : `: ${describe(cause)}`}${detail && ` (${detail})`}`,
      { cause },
    )
    this.reason = reason
    this.signature = signature
    this.logs = logs
  }
}

const MESSAGES: Record<TransactionFailure, string> = {
  rejected: 'The transaction was rejected',
  failed: 'The transaction failed on the chain',
  expired: 'The blockhash of the transaction has expired',
  unknown: 'The RPC cannot be reached, so it is not known whether the transaction was executed',
}

function describe(cause: unknown): string {
  if (cause instanceof Error) return cause.message
  return JSON.stringify(cause, (_, value) => (typeof value === 'bigint' ? Number(value) : value))
}

/** The last log line of a program, other than that it was called, succeeded or failed. */
function findDetail(logs: readonly string[]): string {
  const said = logs
    .map(line => line.replace(/^Program log: (?!Instruction: )/, ''))
    .filter(
      line => !/^Program (?:log|data|return|\w+ (?:invoke|success|failed|consumed)|consumption)\b/.test(line),
    )
  return said.at(-1) ?? ''
}

/** web3.js and Umi have them on the error, kit in its context. */
function findLogs(cause: unknown): string[] | undefined {
  const { logs, context } = (cause ?? {}) as { logs?: unknown; context?: { logs?: unknown } }
  const found = logs ?? context?.logs
  return Array.isArray(found) ? found.map(String) : undefined
}
