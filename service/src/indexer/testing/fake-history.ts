import type { LandedTransaction } from '@slipway/launch-model/history/transaction'
import type { Address } from '@slipway/schema/address'
import { RpcError, UNKNOWN_CURSOR } from '../../chain/rpc/fault.ts'
import type { SignatureInfo, SignaturesOptions } from '../../chain/rpc/requests.ts'

/** A transaction in a made-up history. */
export interface FakeTransaction {
  signature: string
  slot: number
  failed?: boolean
  creates?: Address
  calls?: LandedTransaction['calls']
}

export const unavailable = (
  kind: 'unable' | 'refused' | 'invalid' | 'garbled' | 'timeout',
  method = 'getTransaction',
  codes: readonly number[] = [],
) => new RpcError(method, { kind, code: undefined, codes, endpoint: 'node', detail: 'gone', attempts: 1 })

/** A node with made-up histories of addresses, oldest first, and a count of its requests. */
export function createFakeHistory(histories: Map<Address, FakeTransaction[]>) {
  const rpc = {
    requests: 0,
    tip: 1_000_000,
    finalSlots: 32,
    /** What the node throws for a transaction, if anything. */
    refuse: (_: string): Error | undefined => undefined,
    /** Only transactions in this slot or later are listed. */
    keptSlot: 0,
    /** Whether the node refuses a cursor that it does not know. An older node lists nothing before it. */
    refusesCursors: false,
    find: (signature: string) => [...histories.values()].flat().find(tx => tx.signature === signature),

    async fetchSignatures(address: Address, { limit = 1_000, before, until }: SignaturesOptions = {}) {
      rpc.requests += 1
      const all = (histories.get(address) ?? []).filter(({ slot }) => slot >= rpc.keptSlot).toReversed()
      const at = (signature: string) => all.findIndex(tx => tx.signature === signature)
      const isUnknown = (signature?: string) => signature !== undefined && at(signature) === -1
      if (rpc.refusesCursors && (isUnknown(before) || isUnknown(until)))
        throw unavailable('unable', 'getSignaturesForAddress', [UNKNOWN_CURSOR])
      const start = before === undefined ? 0 : at(before) === -1 ? all.length : at(before) + 1
      const end = until === undefined || at(until) === -1 ? all.length : at(until)
      return all.slice(start, Math.min(end, start + limit)).map(
        ({ signature, slot, failed = false }): SignatureInfo => ({
          signature,
          slot,
          failed,
          isFinal: slot <= rpc.tip - rpc.finalSlots,
          blockTime: slot,
        }),
      )
    },

    async fetchTransaction(signature: string): Promise<LandedTransaction> {
      rpc.requests += 1
      const refusal = rpc.refuse(signature)
      if (refusal) throw refusal
      const tx = rpc.find(signature)
      if (!tx) throw unavailable('unable')
      const { slot, creates, calls = [] } = tx
      const created = new Set(creates ? [creates] : [])
      return { signature, slot, time: slot, failed: false, calls, created, held: new Map() }
    },

    async fetchStatuses(signatures: readonly string[]) {
      rpc.requests += 1
      const statuses = signatures.map(signature => {
        const tx = rpc.find(signature)
        return tx && { slot: tx.slot, isFinal: tx.slot <= rpc.tip - rpc.finalSlots }
      })
      return { slot: rpc.tip, statuses }
    },
    confirmDropped: async (signatures: readonly string[]) =>
      signatures.filter(signature => !rpc.find(signature)),
    confirmCluster: async () => {},
    fetchAccounts: async (addresses: readonly Address[]) => ({
      slot: rpc.tip,
      accounts: addresses.map(address => ({ exists: false as const, address })),
    }),
  }
  return rpc
}
