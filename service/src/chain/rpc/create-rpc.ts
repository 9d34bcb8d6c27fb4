import type { LandedTransaction } from '@slipway/launch-model/history/transaction'
import type { Address } from '@slipway/schema/address'
import type { Blockhash, ChainAccount, CheckedReader } from '../account-reader.ts'
import { type ConfirmedAbsence, confirmMissing, createAccountReader } from './accounts.ts'
import { type Caller, createCaller, type EndpointState } from './caller.ts'
import type { ClusterIdentity } from './cluster.ts'
import type { RpcObserver } from './endpoint-pool.ts'
import { RpcError } from './fault.ts'
import type { RpcRequest } from './json-rpc.ts'
import { PATIENCE, RPC_LIMITS, type RpcLimits } from './limits.ts'
import {
  BLOCKHASH_REQUEST,
  blockTimeRequest,
  largestAccountsRequest,
  type ProgramAccount,
  type ProgramAccountsOptions,
  programAccountsRequest,
  type SignatureInfo,
  type SignaturesOptions,
  type Simulation,
  signaturesRequest,
  simulateRequest,
  slotRequest,
  type TokenAccounts,
  type TokenAccountsFilter,
  tokenAccountsRequest,
} from './requests.ts'
import { createRpcEndpoint, labelEndpoints } from './rpc-endpoint.ts'
import { createSlotMark, type SlotMark } from './slot-mark.ts'
import { createSlotTime, type SlotTime } from './slot-time.ts'
import {
  confirmDropped,
  statusesRequest,
  type TransactionStatuses,
  transactionRequest,
} from './transactions.ts'

/** The JSON-RPC calls that the service makes. Reads are at `confirmed`; every failure is an `RpcError`. */
export interface ChainCalls extends CheckedReader {
  fetchProgramAccounts(
    program: Address,
    options: ProgramAccountsOptions,
  ): Promise<{ slot: number; accounts: ProgramAccount[] }>
  /** The beginning of each of a wallet's accounts, as many bytes as asked for. Anyone can make this slow: see `HeavyReads`. */
  fetchTokenAccounts(owner: Address, filter: TokenAccountsFilter, bytes: number): Promise<TokenAccounts>
  /** The token accounts with the largest balances, at most twenty. */
  fetchLargestAccounts(mint: Address): Promise<Address[]>
  /** Newest first. */
  fetchSignatures(address: Address, options?: SignaturesOptions): Promise<SignatureInfo[]>
  /** A transaction with everything that programs invoked in it. Rejects if no endpoint has kept it. */
  fetchTransaction(signature: string): Promise<LandedTransaction>
  /** Where transactions are now, at most 256 of them. */
  fetchStatuses(signatures: readonly string[]): Promise<TransactionStatuses>
  /** Returns the transactions that no endpoint knows. Rejects as `confirmMissing` does. */
  confirmDropped(signatures: readonly string[]): Promise<string[]>
  /** Unix seconds; undefined for a slot without a block, or with a block that no node has kept. */
  fetchBlockTime(slot: number): Promise<number | undefined>
  fetchSlot(): Promise<number>
  /** The newest slot of any answer so far, without a call. No read that begins now is older. */
  newestSlot(): number
  /** Runs an unsigned transaction without any effect. */
  simulate(transaction: string): Promise<Simulation>
  fetchLatestBlockhash(): Promise<Blockhash>
  /**
   * Looks again for accounts that a read did not find: at `finalized`, on every endpoint, each checked during this
   * call. Rejects if there is more than one endpoint and fewer than two of them answer.
   */
  confirmMissing(
    addresses: readonly Address[],
    isPresent?: (account: ChainAccount) => boolean,
  ): Promise<ConfirmedAbsence>
  /** The chain is known to have reached this slot at that time: older answers are refused. */
  noteSlot(slot: number, at: Date): void
  /** Like `slotMs`, but until it is measured, the longest that is possible. */
  slotMsMost: SlotTime['slotMsMost']
  /** How long a slot takes, as it was measured; undefined before. For people: "about … s now". */
  measuredSlotMs: SlotTime['measuredMs']
  /** The last known state of each endpoint, without a call. */
  states(): EndpointState[]
}

export interface ChainRpc extends ChainCalls {
  /** The same calls for work that no caller waits for: each may take longer. */
  patient: ChainCalls
  /** One cheap call per second, shared by all callers. Rejects if no endpoint answers. */
  health(): Promise<RpcHealth>
  close(): Promise<void>
}

interface RpcHealth {
  slot: number
  ms: number
}

const HEALTH_LIMITS = { attemptMs: 900, totalMs: 1_700 }
const HEALTH_MS = 1_000

/** The RPC of one network. Endpoints are preferred in the order given. */
export function createRpc({
  urls,
  cluster,
  observer: givenObserver = {},
  limits: given = {},
  mark = createSlotMark(),
}: {
  urls: readonly string[]
  /** Which cluster they must belong to; `any` if there is no store that records it. */
  cluster: ClusterIdentity | 'any'
  observer?: Partial<RpcObserver>
  limits?: Partial<RpcLimits>
  mark?: SlotMark
}): ChainRpc {
  if (urls.length === 0) throw new TypeError('an RPC needs an endpoint')
  const observer = { ...SILENT, ...givenObserver }
  const limits = { ...RPC_LIMITS, ...given }
  const labels = labelEndpoints(urls)
  const slotTime = createSlotTime()
  const caller = createCaller({
    endpoints: urls.map((url, at) => createRpcEndpoint(url, labels[at] as string)),
    cluster,
    mark,
    slotTime,
    limits,
    observer,
  })

  let checked: { atMs: number; health: Promise<RpcHealth> } | undefined
  async function check(): Promise<RpcHealth> {
    const startMs = performance.now()
    const attemptMs = Math.min(HEALTH_LIMITS.attemptMs, limits.attemptMs)
    const slot = await caller.call(slotRequest({ ...HEALTH_LIMITS, attemptMs }))
    return { slot, ms: performance.now() - startMs }
  }

  const callsOver = ({ call, callEach, confirmCluster, setAside, states }: Caller): ChainCalls => ({
    ...createAccountReader({ call }, { mark, onReads: observer.onReads, onAccounts: observer.onAccounts }),
    fetchProgramAccounts: (program, options) => call(programAccountsRequest(program, options)),
    fetchTokenAccounts: (owner, filter, bytes) => call(tokenAccountsRequest(owner, filter, bytes)),
    fetchLargestAccounts: async mint => (await call(largestAccountsRequest(mint))).addresses,
    fetchSignatures: (address, options = {}) => call(signaturesRequest(address, options)),
    fetchTransaction: signature => call(transactionRequest(signature)),
    fetchStatuses: signatures => call(statusesRequest(signatures)),
    confirmDropped: signatures => confirmDropped({ callEach }, signatures),
    fetchSlot: () => call(slotRequest()),
    simulate: transaction => call(simulateRequest(transaction)),

    async fetchBlockTime(slot) {
      try {
        return await call(blockTimeRequest(slot))
      } catch (error) {
        if (error instanceof RpcError && error.code !== undefined && NO_BLOCK.has(error.code))
          return undefined
        throw error
      }
    },

    async fetchLatestBlockhash() {
      const { blockhash, lastValidBlockHeight } = await call(BLOCKHASH_REQUEST)
      return { blockhash, lastValidBlockHeight }
    },

    confirmCluster: sinceMs => confirmCluster(sinceMs),
    confirmMissing: (addresses, isPresent) => confirmMissing({ callEach, setAside }, addresses, isPresent),
    newestSlot: mark.slot,
    noteSlot: mark.atLeast,
    slotMs: slotTime.slotMs,
    slotMsMost: slotTime.slotMsMost,
    measuredSlotMs: slotTime.measuredMs,
    states,
  })

  return {
    ...callsOver(caller),
    patient: callsOver(withPatience(caller, limits)),
    health() {
      const nowMs = performance.now()
      if (!checked || nowMs - checked.atMs > HEALTH_MS) checked = { atMs: nowMs, health: check() }
      return checked.health
    },
    close: caller.close,
  }
}

function withPatience(caller: Caller, { attemptMs, totalMs }: RpcLimits): Caller {
  const [leastAttemptMs, leastTotalMs] = [attemptMs * PATIENCE, totalMs * PATIENCE]
  const patiently = <T>(request: RpcRequest<T>) => {
    const own = request.limits
    const limits = {
      attemptMs: Math.max(leastAttemptMs, own?.attemptMs ?? 0),
      totalMs: Math.max(leastTotalMs, own?.totalMs ?? 0),
    }
    return { ...request, limits: { ...own, ...limits } }
  }
  return {
    ...caller,
    call: request => caller.call(patiently(request)),
    callEach: request => caller.callEach(patiently(request)),
    confirmCluster: sinceMs => caller.confirmCluster(sinceMs, leastAttemptMs),
  }
}

export const SILENT: RpcObserver = {
  onAttempt() {},
  onRetry() {},
  onEndpoint() {},
  onCluster() {},
  onLacking() {},
  onTooNew() {},
  onSlot() {},
  onAllBehind() {},
  onReads() {},
  onAccounts() {},
}

/** Not available, cleaned up, skipped, not in long-term storage, no history. */
const NO_BLOCK = new Set([-32004, -32001, -32007, -32009, -32011])
