import type { Address } from '@slipway/schema/address'
import type { ChainAccount } from '../account-reader.ts'
import { toAddress, toBytes, toCount, toList, toRecord, toU64 } from './checks.ts'
import { malformed } from './fault.ts'
import { atLeast, type Commitment, type RpcRequest } from './rpc-request.ts'

/** A node's own limit per call. */
export const ADDRESSES_MAX = 100
/**
 * Callers choose which accounts we read, and an account may hold ten megabytes. Nothing that we decode is near this
 * size; of a larger account only the beginning is fetched, and it fails to decode like any other foreign account.
 */
const DATA_BYTES_MAX = 64 * 1024

export interface Accounts {
  slot: number
  accounts: ChainAccount[]
}

/** Finality takes 32 slots; endpoints are some slots apart. */
const FINALITY_SLOTS_MAX = 100

export function accountsRequest(
  addresses: readonly Address[],
  commitment: Commitment = 'confirmed',
): RpcRequest<Accounts> {
  return {
    method: 'getMultipleAccounts',
    slotsBehindMax: commitment === 'finalized' ? FINALITY_SLOTS_MAX : 0,
    params: minContextSlot => [
      addresses,
      {
        ...atLeast(minContextSlot, commitment),
        encoding: 'base64',
        dataSlice: { offset: 0, length: DATA_BYTES_MAX },
      },
    ],
    decode(result) {
      const { slot, value } = parseContext(result)
      const list = toList(value, 'value')
      if (list.length !== addresses.length) throw malformed('the number of accounts differs')
      return { slot, accounts: list.map((account, at) => parseAccount(addresses[at] as Address, account)) }
    },
    slotOf: ({ slot }) => slot,
  }
}

export function parseContext(result: unknown): { slot: number; value: unknown } {
  const { context, value } = toRecord(result, 'result')
  return { slot: toCount(toRecord(context, 'context').slot, 'slot'), value }
}

export function parseAccount(address: Address, account: unknown): ChainAccount {
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
