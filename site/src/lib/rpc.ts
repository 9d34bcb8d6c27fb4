import { BLOCKS_TO_EXPIRY, describeBlocks } from '@slipway/launch-model/expiry'
import { GENESIS_PROGRAM, RENT_SYSVAR, SYSVAR_OWNER } from '@slipway/launch-model/programs'
import { decodeRent, type Rent } from '@slipway/launch-model/rent'

const TIMEOUT_MS = 10_000
/** The commitment at which pages see transactions confirmed. */
const CONFIRMED = { commitment: 'confirmed' }

/** One call of the public RPC. */
export async function callRpc(
  url: string,
  method: string,
  params: readonly unknown[],
  signal?: AbortSignal,
): Promise<unknown> {
  const timeout = AbortSignal.timeout(TIMEOUT_MS)
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    referrerPolicy: 'no-referrer',
    credentials: 'omit',
  })
  const { result, error } = (await response.json()) as { result?: unknown; error?: { message?: unknown } }
  if (error) throw new RefusedCall(`${error.message}`)
  if (result === undefined) throw new WrongAnswer(`the RPC answered ${response.status}`)
  return result
}

/** The RPC refused the call and says why. */
export class RefusedCall extends Error {}
/** The RPC's answer doesn't match the call. */
export class WrongAnswer extends Error {}

/** The balance of an account in the smallest unit, as the public RPC reports it. */
export async function fetchBalance(url: string, address: string, signal: AbortSignal): Promise<string> {
  const { value } = (await callRpc(url, 'getBalance', [address, CONFIRMED], signal)) as { value?: unknown }
  if (!Number.isSafeInteger(value)) throw new Error('the RPC did not answer with a balance')
  return `${value}`
}

/** The balances of accounts in one call, in order. */
export async function fetchBalances(
  url: string,
  addresses: readonly string[],
  signal: AbortSignal,
): Promise<string[]> {
  const accounts = await callForAccounts(url, addresses, signal, { dataSlice: { offset: 0, length: 0 } })
  return accounts.map(account => {
    if (account === null) return '0'
    if (!Number.isSafeInteger(account.lamports)) throw new WrongAnswer('the RPC did not send a balance')
    return `${account.lamports}`
  })
}

/** An account as a node sends it. */
export interface OwnedAccount {
  owner: string
  lamports: bigint
  data: Uint8Array
}

/** Accounts of any program, in order; undefined for one that does not exist. */
export const fetchOwned = async (
  url: string,
  addresses: readonly string[],
  signal: AbortSignal,
): Promise<(OwnedAccount | undefined)[]> => (await callForAccounts(url, addresses, signal)).map(toOwned)

function toOwned(account: SentAccount): OwnedAccount | undefined {
  const { owner, lamports, data } = account ?? {}
  const [encoded] = Array.isArray(data) ? data : []
  if (typeof encoded !== 'string') return undefined
  return {
    owner: `${owner}`,
    lamports: BigInt(Number.isSafeInteger(lamports) ? (lamports as number) : 0),
    data: decodeBase64(encoded),
  }
}

/**
 * The data of accounts of Genesis or the given programs, in order; undefined for one that does not exist or belongs
 * to another program.
 */
export const fetchAccounts = async (
  url: string,
  addresses: readonly string[],
  signal: AbortSignal,
  programs: readonly string[] = [GENESIS_PROGRAM],
): Promise<(Uint8Array | undefined)[]> =>
  (await fetchOwned(url, addresses, signal)).map(account =>
    account && programs.includes(account.owner) ? account.data : undefined,
  )

/** The accounts in which a wallet holds a token. */
export async function fetchTokenAccounts(
  url: string,
  wallet: string,
  mint: string,
  signal: AbortSignal,
): Promise<(OwnedAccount & { address: string })[]> {
  const params = [wallet, { mint }, { ...CONFIRMED, encoding: 'base64' }]
  const { value } = (await callRpc(url, 'getTokenAccountsByOwner', params, signal)) as { value?: unknown }
  if (!Array.isArray(value)) throw new WrongAnswer('the RPC did not send the accounts')
  return value.flatMap(({ pubkey, account }) => {
    const owned = toOwned(account)
    return owned ? { address: `${pubkey}`, ...owned } : []
  })
}

type SentAccount = { lamports?: unknown; owner?: unknown; data?: unknown } | null

/** A node sends this many accounts at a time. */
const ACCOUNTS_MAX = 100

/** Accounts as the RPC sends them, unchecked, in order; null for one that does not exist. */
async function callForAccounts(
  url: string,
  addresses: readonly string[],
  signal: AbortSignal,
  options: object = {},
): Promise<SentAccount[]> {
  if (addresses.length > ACCOUNTS_MAX) {
    const parts = [addresses.slice(0, ACCOUNTS_MAX), addresses.slice(ACCOUNTS_MAX)]
    return (await Promise.all(parts.map(part => callForAccounts(url, part, signal, options)))).flat()
  }
  const params = [addresses, { ...CONFIRMED, encoding: 'base64', ...options }]
  const { value } = (await callRpc(url, 'getMultipleAccounts', params, signal)) as { value?: unknown }
  if (!Array.isArray(value) || value.length !== addresses.length)
    throw new WrongAnswer('the RPC did not send the accounts')
  return value
}

/** What rent costs now. */
export async function fetchRent(url: string, signal: AbortSignal): Promise<Rent> {
  const [data] = await fetchAccounts(url, [RENT_SYSVAR], signal, [SYSVAR_OWNER])
  try {
    if (data) return decodeRent(data)
  } catch (cause) {
    throw new WrongAnswer('the RPC did not say what rent costs', { cause })
  }
  throw new WrongAnswer('the RPC did not say what rent costs')
}

export interface SignatureStatus {
  slot: number
  confirmationStatus: 'processed' | 'confirmed' | 'finalized' | null
  err: unknown
}

/** The outcomes of transactions: null for one that the chain does not know. */
export async function fetchStatuses(
  url: string,
  signatures: readonly string[],
  signal: AbortSignal,
): Promise<(SignatureStatus | null)[]> {
  const params = [signatures, { searchTransactionHistory: true }]
  const { value } = (await callRpc(url, 'getSignatureStatuses', params, signal)) as {
    value: (SignatureStatus | null)[]
  }
  return value
}

export async function fetchBlockHeight(url: string, signal: AbortSignal): Promise<number> {
  return (await callRpc(url, 'getBlockHeight', [CONFIRMED], signal)) as number
}

/** Maximum wait for the block time. Without it, only the number of blocks is shown. */
const SAMPLE_MS_MAX = 2_000

/** How long a block took in the last minute. Undefined if the RPC doesn't say. */
async function fetchBlockMs(url: string, signal: AbortSignal): Promise<number | undefined> {
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(SAMPLE_MS_MAX)])
  try {
    const samples = await callRpc(url, 'getRecentPerformanceSamples', [1], inTime)
    const [{ numSlots, samplePeriodSecs }] = samples as [{ numSlots: number; samplePeriodSecs: number }]
    const blockMs = (samplePeriodSecs * 1_000) / numSlots
    return blockMs > 0 && blockMs < Number.POSITIVE_INFINITY ? blockMs : undefined
  } catch {
    return undefined
  }
}

/** Describes how long a transaction can still be executed: until `lastHeight`, or from now if it is undefined. */
export async function describeExpiry(url: string, lastHeight: number | undefined, signal: AbortSignal) {
  const [height, blockMs] = await Promise.all([
    lastHeight === undefined ? undefined : fetchBlockHeight(url, signal).catch(() => undefined),
    fetchBlockMs(url, signal),
  ])
  const left = height === undefined || lastHeight === undefined ? BLOCKS_TO_EXPIRY : lastHeight + 1 - height
  return describeBlocks(Math.max(1, left), blockMs)
}

export const decodeBase64 = (text: string): Uint8Array =>
  Uint8Array.from(atob(text), character => character.charCodeAt(0))
