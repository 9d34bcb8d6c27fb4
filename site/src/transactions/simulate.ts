import type { Address } from '@slipway/launch-model/programs'
import { callRpc, RefusedCall, WrongAnswer } from '../lib/rpc.ts'
import { ACCOUNT_BYTES, type AccountChanges, compareAccounts } from './account-changes.ts'
import { explainFailure } from './explain-failure.ts'

export type Simulation =
  | {
      outcome: 'ok'
      /** The change of the connected wallet's balance, with fees and rent; negative if it falls. */
      walletChangeLamports: bigint
      accounts: AccountChanges
      unitsConsumed?: number
    }
  | { outcome: 'fails'; reason: string; logs: string[] }
  | { outcome: 'unknown'; reason: string }

/**
 * Asks a node what would happen if the transaction were sent now. A node can lie or be behind, so this informs and
 * decides nothing. `others` are the accounts that it may change besides the wallet. Rejects only if `signal` aborts.
 */
export async function simulateTransaction(
  rpcUrl: string,
  wire: Uint8Array,
  wallet: Address,
  signal: AbortSignal,
  others: readonly Address[] = [],
): Promise<Simulation> {
  // Both calls read the newest state, so that the difference contains no other transaction.
  const commitment = 'processed'
  const addresses = [wallet, ...others.filter(other => other !== wallet)]
  try {
    const call = async (method: string, params: unknown[]) => {
      const { value } = ((await callRpc(rpcUrl, method, params, signal)) ?? {}) as { value?: unknown }
      if (value === undefined || value === null) throw new WrongAnswer()
      return value
    }
    const [before, simulated] = await Promise.all([
      call('getMultipleAccounts', [
        addresses,
        { commitment, encoding: 'base64', dataSlice: { offset: 0, length: ACCOUNT_BYTES } },
      ]),
      call('simulateTransaction', [
        toBase64(wire),
        {
          commitment,
          encoding: 'base64',
          sigVerify: false,
          replaceRecentBlockhash: false,
          accounts: { encoding: 'base64', addresses },
        },
      ]),
    ])
    return describe(before, simulated as SimulatedValue, wallet)
  } catch (error) {
    signal.throwIfAborted()
    return { outcome: 'unknown', reason: reasonOf(error) }
  }
}

interface SimulatedValue {
  err?: unknown
  logs?: unknown
  unitsConsumed?: unknown
  accounts?: unknown
}

function describe(
  before: unknown,
  { err, logs, unitsConsumed, accounts: after }: SimulatedValue,
  wallet: Address,
): Simulation {
  if (err !== null && err !== undefined) {
    const lines = Array.isArray(logs) ? logs.filter(line => typeof line === 'string') : []
    return { outcome: 'fails', reason: explainFailure(err, lines), logs: lines }
  }
  if (!Array.isArray(before) || !Array.isArray(after) || before.length !== after.length)
    throw new WrongAnswer()
  return {
    outcome: 'ok',
    walletChangeLamports: lamportsOf(after[0]) - lamportsOf(before[0]),
    accounts: compareAccounts(before.slice(1), after.slice(1), wallet),
    ...(typeof unitsConsumed === 'number' && { unitsConsumed }),
  }
}

function lamportsOf(account: { lamports?: unknown } | null): bigint {
  const lamports = account?.lamports ?? 0
  if (!Number.isSafeInteger(lamports)) throw new WrongAnswer()
  return BigInt(lamports as number)
}

function reasonOf(error: unknown): string {
  if (error instanceof RefusedCall) return `The node didn’t simulate the transaction: ${error.message}`
  if (error instanceof WrongAnswer) return 'The node’s answer can’t be used.'
  return 'The node can’t be reached.'
}

const toBase64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes))
