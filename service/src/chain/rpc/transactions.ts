import { decodeBase58, decodeBase58Start } from '@slipway/launch-model/bytes/base58'
import {
  CALL_DATA_MAX,
  type LandedCall,
  type LandedTransaction,
  TRANSACTION_VERSIONS,
  UnreadableData,
} from '@slipway/launch-model/history/transaction'
import {
  GENESIS_PROGRAM,
  RAYDIUM_PROGRAMS,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '@slipway/launch-model/programs'
import type { Address } from '@slipway/schema/address'
import type { Caller } from './caller.ts'
import { AttemptFailed, malformed, RpcError, UNSUPPORTED_VERSION } from './fault.ts'
import { type JsonRecord, type RpcRequest, toAddress, toCount, toList, toRecord, toText } from './json-rpc.ts'

/** Strangers choose how much a transaction logs. A usual one has a few kilobytes. */
const LIMITS = { attemptMs: 3_000, totalMs: 6_000, bytesMax: 4 * 1024 * 1024 }

/** A confirmed transaction. A node that has not kept it can't answer; another one may. */
export const transactionRequest = (
  signature: string,
  [newest, ...older]: readonly number[] = TRANSACTION_VERSIONS,
): RpcRequest<LandedTransaction> => ({
  method: 'getTransaction',
  params: () => [
    signature,
    { commitment: 'confirmed', encoding: 'json', maxSupportedTransactionVersion: newest },
  ],
  decode(result) {
    if (result === null) throw unable('it does not have the transaction')
    return parseTransaction(signature, toRecord(result, 'result'))
  },
  limits: LIMITS,
  isSizedByStrangers: true,
  ...(older.length > 0 && {
    older: { request: transactionRequest(signature, older), lacks: `transactions of version ${newest}` },
  }),
})

const unable = (detail: string) => new AttemptFailed({ kind: 'unable' }, detail)

function parseTransaction(signature: string, result: JsonRecord): LandedTransaction {
  // A node can return a newer version than the one that was asked for.
  if (typeof result.version === 'number' && result.version > TRANSACTION_VERSIONS[0])
    throw new AttemptFailed({ kind: 'unable' }, `its version is ${result.version}`, UNSUPPORTED_VERSION)
  const meta = toRecord(result.meta, 'meta')
  const { message } = toRecord(result.transaction, 'transaction')
  const { accountKeys, instructions } = toRecord(message, 'message')
  // Only version 0 loads addresses from tables.
  const loaded = meta.loadedAddresses ? toRecord(meta.loadedAddresses, 'loaded addresses') : {}
  const keys = [accountKeys, loaded.writable ?? [], loaded.readonly ?? []].flatMap(list =>
    toList(list, 'keys').map(key => toAddress(key, 'key')),
  )
  if (result.blockTime === null || result.blockTime === undefined)
    throw unable('it does not have the time of the block')
  return {
    signature,
    slot: toCount(result.slot, 'slot'),
    time: toCount(result.blockTime, 'block time'),
    failed: meta.err !== null && meta.err !== undefined,
    calls: parseCalls(toList(instructions, 'instructions'), meta.innerInstructions, keys),
    created: createdIn(meta, keys),
    held: heldIn(meta.preTokenBalances, keys),
  }
}

/** Outer and inner instructions in one list, each outer one before its inner ones. */
function parseCalls(outer: readonly unknown[], inner: unknown, keys: readonly Address[]): LandedCall[] {
  // A node can be configured not to record inner instructions.
  if (!Array.isArray(inner)) throw unable('it does not record inner instructions')
  const below = new Map<number, unknown[]>()
  for (const entry of inner) {
    const { index, instructions } = toRecord(entry, 'inner instructions')
    const at = toCount(index, 'index')
    below.set(at, [...(below.get(at) ?? []), ...toList(instructions, 'instructions')])
  }
  return outer.flatMap((instruction, at) => [
    parseCall(instruction, keys, 1),
    ...(below.get(at) ?? []).map(one => parseCall(one, keys)),
  ])
}

function parseCall(value: unknown, keys: readonly Address[], height?: number): LandedCall {
  const { programIdIndex, accounts, data, stackHeight } = toRecord(value, 'instruction')
  const keyAt = (index: unknown) => {
    const key = keys[toCount(index, 'index')]
    if (!key) throw malformed('an instruction names a key that is not there')
    return key
  }
  if (height === undefined && typeof stackHeight !== 'number')
    throw unable('it does not say which instruction invoked another')
  const program = keyAt(programIdIndex)
  const text = toText(data, 'data')
  if (!BASE58.test(text)) throw malformed('data is not base58')
  const decoded = dataOf(program, text)
  return {
    program,
    accounts: toList(accounts, 'accounts').map(keyAt),
    get data() {
      return decoded()
    },
    height: height ?? toHeight(stackHeight),
  }
}

function toHeight(value: unknown): number {
  const height = toCount(value, 'stack height')
  if (height < 2 || height > HEIGHT_MAX) throw malformed('an inner instruction has no place in the stack')
  return height
}
const HEIGHT_MAX = 64

const BASE58 = /^[1-9A-HJ-NP-Za-km-z]*$/
const TOKEN_PROGRAMS: ReadonlySet<Address> = new Set([TOKEN_PROGRAM, TOKEN_2022_PROGRAM])
/** Twenty transfers. A trade has fewer, but strangers can make dozens of longer batches in one transaction. */
const BATCH_DATA_MAX = 256
/** Base58 has at most this many characters per byte. */
const CHARACTERS_MAX = 1.37

/** These programs ignore bytes after the arguments of a call, so a trade can have any number of them. */
const TRADING_PROGRAMS: ReadonlySet<Address> = new Set([GENESIS_PROGRAM, ...Object.values(RAYDIUM_PROGRAMS)])
/** So much of such a call is decoded: its name and all arguments that matter. */
const START_MAX = 64
/** The longest name of an instruction: with less, the call can't be told apart. */
const START_MIN = 8

/** Decodes it once, and only if it is needed. Text that is too long is not kept. */
function dataOf(program: Address, text: string): () => Uint8Array {
  const isOfToken = TOKEN_PROGRAMS.has(program)
  if (text.length <= (isOfToken ? BATCH_DATA_MAX : CALL_DATA_MAX) * CHARACTERS_MAX) return decodeLater(text)
  if (isOfToken) return failToDecode
  if (!TRADING_PROGRAMS.has(program)) return noData
  const start = decodeBase58Start(text, START_MAX)
  return start.length < START_MIN ? failToDecode : () => start
}

function decodeLater(text: string): () => Uint8Array {
  let bytes: Uint8Array | undefined
  return () => {
    bytes ??= decodeBase58(text)
    return bytes
  }
}

const noData = () => new Uint8Array()
const failToDecode = () => {
  throw new UnreadableData('a call is too long to be decoded')
}

function heldIn(balances: unknown, keys: readonly Address[]): Map<Address, bigint> {
  const held = new Map<Address, bigint>()
  // A node can be configured not to record token balances.
  for (const balance of Array.isArray(balances) ? balances : []) {
    const { accountIndex, uiTokenAmount } = toRecord(balance, 'token balance')
    const key = keys[toCount(accountIndex, 'index')]
    const amount = toText(toRecord(uiTokenAmount, 'amount').amount, 'amount')
    if (!key || !/^\d{1,20}$/.test(amount)) throw malformed('a token balance is not valid')
    held.set(key, BigInt(amount))
  }
  return held
}

function createdIn(meta: JsonRecord, keys: readonly Address[]): Set<Address> {
  const before = toList(meta.preBalances, 'balances')
  const after = toList(meta.postBalances, 'balances')
  return new Set(keys.filter((_, at) => before[at] === 0 && after[at] !== 0))
}

/** Where a transaction is now. Undefined if the node does not know it. */
export interface TransactionStatus {
  slot: number
  isFinal: boolean
}

export interface TransactionStatuses {
  /** The slot of the statuses. */
  slot: number
  statuses: (TransactionStatus | undefined)[]
}

/** The most that a node accepts. */
export const STATUSES_MAX = 256

export const statusesRequest = (signatures: readonly string[]): RpcRequest<TransactionStatuses> => ({
  method: 'getSignatureStatuses',
  params: () => [signatures, { searchTransactionHistory: true }],
  decode(result) {
    const { context, value } = toRecord(result, 'result')
    const list = toList(value, 'value')
    if (list.length !== signatures.length) throw malformed('the number of statuses differs')
    return { slot: toCount(toRecord(context, 'context').slot, 'slot'), statuses: list.map(parseStatus) }
  },
})

function parseStatus(value: unknown): TransactionStatus | undefined {
  if (value === null) return undefined
  const { slot, confirmationStatus } = toRecord(value, 'status')
  return { slot: toCount(slot, 'slot'), isFinal: confirmationStatus === 'finalized' }
}

/** Asks every endpoint, because one endpoint that does not know a transaction proves little. */
export async function confirmDropped(
  { callEach }: Pick<Caller, 'callEach'>,
  signatures: readonly string[],
): Promise<string[]> {
  const called = await callEach(statusesRequest(signatures))
  const answers = called.flatMap(({ answer }) => answer ?? [])
  if (answers.length === 0 || answers.length < Math.min(called.length, 2))
    throw new RpcError('getSignatureStatuses', {
      kind: 'unchecked',
      code: undefined,
      endpoint: `${called.length - answers.length} of ${called.length} endpoints`,
      detail: 'too few endpoints answered to confirm that a transaction was dropped',
      attempts: 1,
    })
  return signatures.filter((_, at) => answers.every(({ statuses }) => statuses[at] === undefined))
}
