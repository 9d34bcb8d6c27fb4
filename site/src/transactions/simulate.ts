import {
  type Address,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  WRAPPED_NATIVE_MINT,
} from '@slipway/launch-model/programs'
import { getAddressDecoder } from '@solana/kit'
import { callRpc, decodeBase64, RefusedCall, WrongAnswer } from '../lib/rpc.ts'
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

/** What a simulated transaction changes in accounts other than the wallet itself. */
export interface AccountChanges {
  /** The deposits in the wallet's own new token accounts. Closing an account returns its deposit. */
  ownDeposits: bigint
  /** The deposits in all other new accounts. */
  otherDeposits: bigint
  /** The deposits of accounts that it closes. */
  returnedDeposits: bigint
  /** How much token accounts gain or lose. */
  tokens: { owner: string; mint: string; change: bigint }[]
}

interface Account {
  lamports: bigint
  owner: string
  /** If it is a token account. */
  tokens?: { owner: string; mint: string; amount: bigint }
}

/** Compares accounts, as an RPC returns them, before and after a transaction. */
export function compareAccounts(
  before: readonly unknown[],
  after: readonly unknown[],
  wallet: Address,
): AccountChanges {
  const changes: AccountChanges = { ownDeposits: 0n, otherDeposits: 0n, returnedDeposits: 0n, tokens: [] }
  for (const [at, value] of before.entries()) {
    const [old, now] = [parseAccount(value), parseAccount(after[at])]
    if (!old && now) changes[now.tokens?.owner === wallet ? 'ownDeposits' : 'otherDeposits'] += depositIn(now)
    if (old && !now) changes.returnedDeposits += depositIn(old)
    const tokens = now?.tokens ?? old?.tokens
    const change = (now?.tokens?.amount ?? 0n) - (old?.tokens?.amount ?? 0n)
    if (tokens && change !== 0n) changes.tokens.push({ owner: tokens.owner, mint: tokens.mint, change })
  }
  return changes
}

/** Wrapped SOL is in its account beside the deposit. What the system program owns is money. */
const depositIn = ({ lamports, owner, tokens }: Account): bigint =>
  owner === SYSTEM_PROGRAM ? 0n : lamports - (tokens?.mint === WRAPPED_NATIVE_MINT ? tokens.amount : 0n)

/** How much of an account's data is needed: a token account's mint, its owner and its amount. */
const ACCOUNT_BYTES = 72

function parseAccount(value: unknown): Account | undefined {
  if (value === null || value === undefined) return undefined
  const { lamports, owner, data } = value as { lamports?: unknown; owner?: unknown; data?: unknown }
  if (!Number.isSafeInteger(lamports) || !Array.isArray(data)) throw new WrongAnswer()
  // A closed account is reported as an empty one.
  if (lamports === 0) return undefined
  const bytes = decodeBase64(`${data[0]}`)
  const isToken = owner === TOKEN_PROGRAM || owner === TOKEN_2022_PROGRAM
  return {
    lamports: BigInt(lamports as number),
    owner: `${owner}`,
    // A mint is read as if it were one too. What is found in these bytes of it never changes.
    ...(isToken && bytes.length >= ACCOUNT_BYTES && { tokens: parseTokens(bytes) }),
  }
}

const parseTokens = (bytes: Uint8Array) => ({
  mint: getAddressDecoder().decode(bytes) as string,
  owner: getAddressDecoder().decode(bytes, 32) as string,
  amount: new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(64, true),
})
