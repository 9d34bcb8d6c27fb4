import { type Address, isAddress } from '@slipway/schema/address'
import type { Blockhash, CheckedReader } from '../account-reader.ts'
import { createAccountReader, decodeContext } from './accounts.ts'
import { createCaller, type EndpointState } from './caller.ts'
import { toCount, toRecord, toText } from './checks.ts'
import type { ClusterIdentity } from './cluster.ts'
import { confirmMissing, type MissingAccounts } from './confirm-missing.ts'
import { createEndpoint, labelEndpoints } from './endpoint.ts'
import type { RpcObserver } from './endpoint-pool.ts'
import { malformed } from './fault.ts'
import {
  type ProgramAccount,
  type ProgramAccountsOptions,
  programAccountsQuestion,
} from './program-accounts.ts'
import { atLeast, type CallLimits, slotQuestion } from './question.ts'
import { RpcError } from './rpc-error.ts'
import { type SignatureInfo, type SignaturesOptions, signaturesQuestion } from './signatures.ts'
import { createSlotMark, type SlotMark } from './slot-mark.ts'

/** What a network's nodes are asked. Everything is read at `confirmed`; every failure is an `RpcError`. */
export interface ChainRpc extends CheckedReader {
  fetchProgramAccounts(
    program: Address,
    options: ProgramAccountsOptions,
  ): Promise<{ slot: number; accounts: ProgramAccount[] }>
  /** Newest first. */
  fetchSignatures(address: Address, options?: SignaturesOptions): Promise<SignatureInfo[]>
  /** Unix seconds; undefined for a slot without a block, or one that no node has kept. */
  fetchBlockTime(slot: number): Promise<number | undefined>
  fetchSlot(): Promise<number>
  fetchLatestBlockhash(): Promise<Blockhash>
  /** Anything else. `decode` throws when this can be no answer: then another endpoint is asked. */
  call<T>(
    method: string,
    params: unknown[],
    decode: (result: unknown) => T,
    limits?: Partial<CallLimits>,
  ): Promise<T>
  /**
   * Looks again for accounts that a read did not find: at `finalized`, on every endpoint, each checked in this very
   * call. Rejects when there is more than one endpoint and fewer than two of them answer.
   */
  confirmMissing(addresses: readonly Address[]): Promise<MissingAccounts>
  /** The chain is known to have come to this slot: older answers are refused. */
  noteSlot(slot: number): void
  /** One cheap call, the same for all who ask within a second. Rejects when nobody answers. */
  health(): Promise<RpcHealth>
  /** The last known state of each endpoint, without a call. */
  states(): EndpointState[]
  close(): Promise<void>
}

export interface RpcHealth {
  slot: number
  ms: number
}

export const USUAL_LIMITS: CallLimits = { attemptMs: 1_200, totalMs: 2_800, bytesMax: 16 * 1024 * 1024 }
const HEALTH_LIMITS = { attemptMs: 900, totalMs: 1_700 }
const HEALTH_MS = 1_000

/** The RPC of one network: its endpoints in the order in which they are preferred. */
export function createRpc({
  urls,
  cluster,
  observer: given = {},
  limits = {},
  mark = createSlotMark(),
}: {
  urls: readonly string[]
  /** Which cluster they must belong to; `any` where there is no store that remembers it. */
  cluster: ClusterIdentity | 'any'
  observer?: Partial<RpcObserver>
  limits?: Partial<CallLimits>
  mark?: SlotMark
}): ChainRpc {
  if (urls.length === 0) throw new TypeError('an RPC needs an endpoint')
  const observer = { ...SILENT, ...given }
  const labels = labelEndpoints(urls)
  const { ask, askEach, confirmCluster, setAside, states, close } = createCaller({
    endpoints: urls.map((url, at) => createEndpoint(url, labels[at] as string)),
    cluster,
    mark,
    limits: { ...USUAL_LIMITS, ...limits },
    observer,
  })

  let checked: { atMs: number; health: Promise<RpcHealth> } | undefined
  async function check(): Promise<RpcHealth> {
    const startMs = performance.now()
    const slot = await ask(slotQuestion(HEALTH_LIMITS))
    return { slot, ms: performance.now() - startMs }
  }

  return {
    ...createAccountReader({ ask }, { mark, onReads: (reads, calls) => observer.onReads(reads, calls) }),
    fetchProgramAccounts: (program, options) => ask(programAccountsQuestion(program, options)),
    fetchSignatures: (address, options = {}) => ask(signaturesQuestion(address, options)),
    fetchSlot: () => ask(slotQuestion()),

    async fetchBlockTime(slot) {
      try {
        return await ask({
          method: 'getBlockTime',
          params: () => [slot],
          decode: result => (result === null ? undefined : toCount(result, 'block time')),
        })
      } catch (error) {
        if (error instanceof RpcError && error.code !== undefined && NO_BLOCK.has(error.code))
          return undefined
        throw error
      }
    },

    async fetchLatestBlockhash() {
      const { blockhash, lastValidBlockHeight } = await ask({
        method: 'getLatestBlockhash',
        params: minContextSlot => [atLeast(minContextSlot)],
        decode(result) {
          const { slot, value } = decodeContext(result)
          const { blockhash, lastValidBlockHeight } = toRecord(value, 'value')
          const hash = toText(blockhash, 'blockhash')
          // Like an address: base58 of 32 bytes.
          if (!isAddress(hash)) throw malformed('the blockhash is none')
          return {
            slot,
            blockhash: hash,
            lastValidBlockHeight: toCount(lastValidBlockHeight, 'block height'),
          }
        },
        slotOf: ({ slot }) => slot,
      })
      return { blockhash, lastValidBlockHeight }
    },

    confirmCluster,
    confirmMissing: addresses => confirmMissing({ askEach, setAside }, addresses),
    noteSlot: mark.atLeast,

    call: (method, params, decode, limits) => ask({ method, params: () => params, decode, limits }),

    health() {
      const nowMs = performance.now()
      if (!checked || nowMs - checked.atMs > HEALTH_MS) checked = { atMs: nowMs, health: check() }
      return checked.health
    },
    states,
    close,
  }
}

const SILENT: RpcObserver = {
  onAttempt() {},
  onRetry() {},
  onEndpoint() {},
  onCluster() {},
  onSlot() {},
  onReads() {},
}

/** Not available, cleaned up, skipped, not in long-term storage, no history. */
const NO_BLOCK = new Set([-32004, -32001, -32007, -32009, -32011])
