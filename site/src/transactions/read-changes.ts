import { TRANSACTION_VERSIONS } from '@slipway/launch-model/history/transaction'
import { WRAPPED_NATIVE_MINT } from '@slipway/launch-model/programs'
import { callRpc, RefusedCall } from '../lib/rpc.ts'

/** What transactions have changed in a wallet, by mint. Wrapped SOL stands for SOL too, without the network fee. */
export type Changes = ReadonlyMap<string, bigint>

const WAIT_MS = 4_000
const AGAIN_MS = 300

/**
 * Asks a node what confirmed transactions have moved. Undefined if it does not say so within seconds: the node that
 * answers may have seen a transaction later than the one that confirmed it.
 */
export async function readChanges(
  rpcUrl: string,
  signatures: readonly string[],
  wallet: string,
): Promise<Changes | undefined> {
  const signal = AbortSignal.timeout(WAIT_MS)
  const read = async (signature: string) => {
    for (;;) {
      const found = await fetchTransaction(rpcUrl, signature, signal)
      if (found !== null) return changesOf(found as Landed, wallet)
      await new Promise(resolve => setTimeout(resolve, AGAIN_MS))
    }
  }
  try {
    const sums = new Map<string, bigint>()
    for (const each of await Promise.all(signatures.map(read)))
      for (const [mint, change] of each) sums.set(mint, (sums.get(mint) ?? 0n) + change)
    return sums
  } catch {
    return undefined
  }
}

/** A node that calls a version invalid is asked for an older one. */
async function fetchTransaction(
  url: string,
  signature: string,
  signal: AbortSignal,
  [newest, ...older]: readonly number[] = TRANSACTION_VERSIONS,
): Promise<unknown> {
  const config = { commitment: 'confirmed', encoding: 'json', maxSupportedTransactionVersion: newest }
  try {
    return await callRpc(url, 'getTransaction', [signature, config], signal)
  } catch (error) {
    if (!(error instanceof RefusedCall) || older.length === 0) throw error
    return fetchTransaction(url, signature, signal, older)
  }
}

interface Landed {
  transaction: { message: { accountKeys: string[] } }
  meta: {
    err: unknown
    fee: number
    preBalances: number[]
    postBalances: number[]
    preTokenBalances: TokenBalance[]
    postTokenBalances: TokenBalance[]
  }
}
interface TokenBalance {
  mint: string
  owner?: string
  uiTokenAmount: { amount: string }
}

/** Throws if anything is missing. */
function changesOf({ transaction, meta }: Landed, wallet: string): [mint: string, change: bigint][] {
  if (meta.err !== null) throw new Error('the transaction failed')
  const { accountKeys } = transaction.message
  const at = accountKeys.indexOf(wallet)
  const lamports = BigInt(meta.postBalances[at] as number) - BigInt(meta.preBalances[at] as number)
  const own = (balances: readonly TokenBalance[], sign: bigint) =>
    balances
      .filter(({ owner }) => owner === wallet)
      .map(({ mint, uiTokenAmount }): [string, bigint] => [mint, sign * BigInt(uiTokenAmount.amount)])
  return [
    [WRAPPED_NATIVE_MINT, lamports + (at === 0 ? BigInt(meta.fee) : 0n)],
    ...own(meta.preTokenBalances, -1n),
    ...own(meta.postTokenBalances, 1n),
  ]
}
