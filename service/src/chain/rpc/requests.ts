import { CLOCK_SYSVAR } from '@slipway/launch-model/programs'
import { type Address, isAddress } from '@slipway/schema/address'
import type { Blockhash, ChainAccount } from '../account-reader.ts'
import { malformed } from './fault.ts'
import {
  type CallLimits,
  type RpcRequest,
  toAddress,
  toBytes,
  toCount,
  toList,
  toRecord,
  toText,
  toU64,
} from './json-rpc.ts'
import { LAG_MS_MAX } from './limits.ts'
import type { Block } from './slot-mark.ts'

/** A node's own limit per call. */
export const ADDRESSES_MAX = 100
/**
 * Callers choose which accounts we read, and an account may hold ten megabytes. No account that we decode is near
 * this size. For a larger one, only the beginning is fetched, and it fails to decode like any foreign account.
 */
const DATA_BYTES_MAX = 64 * 1024

type Commitment = 'confirmed' | 'finalized'

export interface Accounts {
  slot: number
  accounts: ChainAccount[]
  /** The version of the node's software, if it says so. */
  software?: string | undefined
}

/** The most that finality takes, on an endpoint that is not behind. */
const FINALITY_SLOTS_MAX = 32

export function accountsRequest(
  addresses: readonly Address[],
  commitment: Commitment = 'confirmed',
): RpcRequest<Accounts> {
  return {
    method: 'getMultipleAccounts',
    slotsBehindMax: slotMs => (commitment === 'finalized' ? FINALITY_SLOTS_MAX + LAG_MS_MAX / slotMs : 0),
    params: minContextSlot => [
      addresses,
      {
        ...atLeast(minContextSlot, commitment),
        encoding: 'base64',
        dataSlice: { offset: 0, length: DATA_BYTES_MAX },
      },
    ],
    decode(result) {
      const { slot, value, software } = parseContext(result)
      const list = toList(value, 'value')
      if (list.length !== addresses.length) throw malformed('the number of accounts differs')
      const accounts = list.map((account, at) => parseAccount(addresses[at] as Address, account))
      return { slot, accounts, software }
    },
    slotOf: ({ slot }) => slot,
  }
}

function parseContext(result: unknown): { slot: number; value: unknown; software: string | undefined } {
  const { context, value } = toRecord(result, 'result')
  const { slot, apiVersion } = toRecord(context, 'context')
  const software = typeof apiVersion === 'string' && VERSION.test(apiVersion) ? apiVersion : undefined
  return { slot: toCount(slot, 'slot'), value, software }
}

/** It is shown in public. */
const VERSION = /^[\w.+-]{1,40}$/

function parseAccount(address: Address, account: unknown): ChainAccount {
  if (account === null) return { exists: false, address }
  const { owner, lamports, data } = toRecord(account, 'account')
  return {
    exists: true,
    address,
    owner: toAddress(owner, 'owner'),
    lamports: toU64(lamports, 'lamports'),
    data: toBytes(data, 'data'),
  }
}

export type ProgramFilter =
  | { dataSize: number }
  /** An address is compared as its 32 bytes; at most 128 bytes. */
  | { memcmp: { offset: number; bytes: Address | Uint8Array } }

export interface ProgramAccountsOptions {
  /** All of them must match; a node accepts four at most. */
  filters: readonly ProgramFilter[]
  dataSlice?: { offset: number; length: number }
  limits?: Partial<CallLimits>
  /** For a search that any caller can start. If it is late, that says nothing about the endpoint. */
  isSizedByStrangers?: boolean
}

export type ProgramAccount = Extract<ChainAccount, { exists: true }>

/** A node scans all accounts of the program: the response may be slow and large. */
const PROGRAM_LIMITS = { attemptMs: 5_000, totalMs: 8_000, bytesMax: 64 * 1024 * 1024 }

export function programAccountsRequest(
  program: Address,
  { filters, dataSlice, limits, isSizedByStrangers = false }: ProgramAccountsOptions,
): RpcRequest<{ slot: number; accounts: ProgramAccount[] }> {
  return {
    method: 'getProgramAccounts',
    params: minContextSlot => [
      program,
      {
        ...atLeast(minContextSlot),
        encoding: 'base64',
        withContext: true,
        filters: filters.map(encodeFilter),
        ...(dataSlice && { dataSlice }),
      },
    ],
    decode(result) {
      const { slot, value } = parseContext(result)
      return { slot, accounts: toList(value, 'value').map(entry => parseEntry(entry, program)) }
    },
    slotOf: ({ slot }) => slot,
    limits: { ...PROGRAM_LIMITS, ...limits },
    isSizedByStrangers,
  }
}

export function encodeFilter(filter: ProgramFilter) {
  if ('dataSize' in filter) return filter
  const { offset, bytes } = filter.memcmp
  if (typeof bytes === 'string') return { memcmp: { offset, bytes } }
  return { memcmp: { offset, bytes: Buffer.from(bytes).toString('base64'), encoding: 'base64' } }
}

function parseEntry(value: unknown, program?: Address): ProgramAccount {
  const { pubkey, account } = toRecord(value, 'entry')
  const decoded = parseAccount(toAddress(pubkey, 'pubkey'), account)
  if (!decoded.exists || decoded.owner !== (program ?? decoded.owner))
    throw malformed('an account belongs to another program')
  return decoded
}

/** One program's accounts, or one mint's. */
export type TokenAccountsFilter = { programId: Address } | { mint: Address }

export interface TokenAccounts {
  slot: number
  accounts: ProgramAccount[]
  /** Whether the wallet has more than were read. */
  truncated: boolean
}

/** A single attempt: a node that needs longer would not be faster the next time. */
const TOKEN_LIMITS = { attemptMs: 1_800, totalMs: 1_800 }
/**
 * Anyone can give a wallet as many token accounts as they pay rent for, and parsing megabytes would hold up everyone
 * else. This is enough for a thousand accounts.
 */
const TOKEN_ACCOUNTS_BYTES_MAX = 512 * 1024

/** The first `bytes` of each account. */
export const tokenAccountsRequest = (
  owner: Address,
  filter: TokenAccountsFilter,
  bytes: number,
): RpcRequest<TokenAccounts> => ({
  method: 'getTokenAccountsByOwner',
  params: minContextSlot => [
    owner,
    filter,
    {
      ...atLeast(minContextSlot),
      encoding: 'base64',
      dataSlice: { offset: 0, length: bytes },
    },
  ],
  decode(result, truncated = false) {
    const { slot, value } = parseContext(result)
    return { slot, accounts: toList(value, 'value').map(entry => parseEntry(entry)), truncated }
  },
  slotOf: ({ slot }) => slot,
  limits: { ...TOKEN_LIMITS, bytesMax: TOKEN_ACCOUNTS_BYTES_MAX },
  isSizedByStrangers: true,
  cuts: true,
})

/** The largest accounts of a mint; a node returns twenty. */
export const largestAccountsRequest = (
  mint: Address,
): RpcRequest<{ slot: number; addresses: Address[] }> => ({
  method: 'getTokenLargestAccounts',
  // Without a slot: the method knows no `minContextSlot`.
  params: () => [mint, { commitment: 'confirmed' }],
  // The owners are read after this, at the newest slot.
  slotsBehindMax: slotMs => LAG_MS_MAX / slotMs,
  decode(result) {
    const { slot, value } = parseContext(result)
    const addresses = toList(value, 'value').map(entry =>
      toAddress(toRecord(entry, 'entry').address, 'address'),
    )
    return { slot, addresses: addresses.slice(0, LARGEST_MAX) }
  },
  slotOf: ({ slot }) => slot,
  limits: TOKEN_LIMITS,
  isSizedByStrangers: true,
})

const LARGEST_MAX = 20

export interface SignaturesOptions {
  /** Default and maximum: 1,000. */
  limit?: number
  /** Only older than this transaction. */
  before?: string
  /** Only newer than this one. */
  until?: string
}

/** A transaction that mentions an address. */
export interface SignatureInfo {
  signature: string
  slot: number
  failed: boolean
  /** Whether no fork can drop it any more. */
  isFinal: boolean
  /** Unix seconds. */
  blockTime: number | undefined
}

export function signaturesRequest(address: Address, options: SignaturesOptions): RpcRequest<SignatureInfo[]> {
  return {
    method: 'getSignaturesForAddress',
    params: minContextSlot => [address, { ...atLeast(minContextSlot), ...options }],
    decode: result => toList(result, 'result').map(parseSignature),
  }
}

function parseSignature(value: unknown): SignatureInfo {
  const { signature, slot, err, blockTime, confirmationStatus } = toRecord(value, 'entry')
  return {
    signature: toText(signature, 'signature'),
    slot: toCount(slot, 'slot'),
    failed: err !== null && err !== undefined,
    isFinal: confirmationStatus === 'finalized',
    blockTime: blockTime === null || blockTime === undefined ? undefined : toCount(blockTime, 'block time'),
  }
}

/** How a transaction would end. */
export interface Simulation {
  /** As nodes report it: a name, or an object with one key. Null if it would succeed. */
  err: unknown
  logs: readonly string[]
}

/** Runs an unsigned transaction on the newest confirmed state, whatever its blockhash. */
export const simulateRequest = (transaction: string): RpcRequest<Simulation & { slot: number }> => ({
  method: 'simulateTransaction',
  params: minContextSlot => [
    transaction,
    { ...atLeast(minContextSlot), encoding: 'base64', sigVerify: false, replaceRecentBlockhash: true },
  ],
  decode(result) {
    const { slot, value } = parseContext(result)
    const { err, logs } = toRecord(value, 'value')
    return {
      slot,
      err: err ?? null,
      logs: Array.isArray(logs) ? logs.filter(line => typeof line === 'string') : [],
    }
  },
})

/** Cheap, and shows whether an endpoint lags: used for probes and health checks. */
export const slotRequest = (limits?: Partial<CallLimits>): RpcRequest<number> => ({
  method: 'getSlot',
  params: minContextSlot => [atLeast(minContextSlot)],
  decode: result => toCount(result, 'slot'),
  slotOf: slot => slot,
  limits,
})

/** The newest block as the chain's own clock shows it, without a minimum: for an endpoint whose slots are in doubt. */
export const NEWEST_BLOCK_REQUEST: RpcRequest<Block> = {
  method: 'getMultipleAccounts',
  params: () => [[CLOCK_SYSVAR], { ...atLeast(0), encoding: 'base64' }],
  decode(result) {
    const [account] = toList(parseContext(result).value, 'value')
    const data = Buffer.from(toBytes(toRecord(account, 'account').data, 'data'))
    return {
      slot: toCount(Number(data.readBigUInt64LE(0)), 'slot'),
      timeMs: Number(data.readBigInt64LE(32)) * 1_000,
    }
  },
}

/** Undefined for a slot without a block. */
export const blockTimeRequest = (slot: number): RpcRequest<number | undefined> => ({
  method: 'getBlockTime',
  params: () => [slot],
  decode: result => (result === null ? undefined : toCount(result, 'block time')),
})

export const BLOCKHASH_REQUEST: RpcRequest<Blockhash & { slot: number }> = {
  method: 'getLatestBlockhash',
  params: minContextSlot => [atLeast(minContextSlot)],
  decode(result) {
    const { slot, value } = parseContext(result)
    const { blockhash, lastValidBlockHeight } = toRecord(value, 'value')
    return {
      slot,
      blockhash: toHash(blockhash, 'blockhash'),
      lastValidBlockHeight: toCount(lastValidBlockHeight, 'block height'),
    }
  },
  slotOf: ({ slot }) => slot,
}

/** Tells clusters apart. */
export const GENESIS_HASH_REQUEST: RpcRequest<string> = {
  method: 'getGenesisHash',
  params: () => [],
  decode: result => toHash(result, 'genesis hash'),
}

function toHash(value: unknown, what: string): string {
  const hash = toText(value, what)
  // Like an address: base58 of 32 bytes.
  if (!isAddress(hash)) throw malformed(`the ${what} is not base58 of 32 bytes`)
  return hash
}

const atLeast = (minContextSlot: number, commitment: Commitment = 'confirmed') => ({
  commitment,
  ...(minContextSlot > 0 && { minContextSlot }),
})
