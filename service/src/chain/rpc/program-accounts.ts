import type { Address } from '@slipway/schema/address'
import type { ChainAccount } from '../account-reader.ts'
import { parseAccount, parseContext } from './accounts-request.ts'
import { toAddress, toList, toRecord } from './checks.ts'
import { malformed } from './fault.ts'
import { atLeast, type CallLimits, type RpcRequest } from './rpc-request.ts'

export type ProgramFilter =
  | { dataSize: number }
  /** An address is compared as its 32 bytes; at most 128 bytes. */
  | { memcmp: { offset: number; bytes: Address | Uint8Array } }

export interface ProgramAccountsOptions {
  /** All of them must match; a node accepts four at most. */
  filters: readonly ProgramFilter[]
  dataSlice?: { offset: number; length: number }
  limits?: Partial<CallLimits>
}

export type ProgramAccount = Extract<ChainAccount, { exists: true }>

/** A node scans all accounts of the program: the response may be slow and large. */
const LIMITS = { attemptMs: 5_000, totalMs: 8_000, bytesMax: 64 * 1024 * 1024 }

export function programAccountsRequest(
  program: Address,
  { filters, dataSlice, limits }: ProgramAccountsOptions,
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
    limits: { ...LIMITS, ...limits },
  }
}

export function encodeFilter(filter: ProgramFilter) {
  if ('dataSize' in filter) return filter
  const { offset, bytes } = filter.memcmp
  if (typeof bytes === 'string') return { memcmp: { offset, bytes } }
  return { memcmp: { offset, bytes: Buffer.from(bytes).toString('base64'), encoding: 'base64' } }
}

function parseEntry(value: unknown, program: Address): ProgramAccount {
  const { pubkey, account } = toRecord(value, 'entry')
  const decoded = parseAccount(toAddress(pubkey, 'pubkey'), account)
  if (!decoded.exists || decoded.owner !== program) throw malformed('an account belongs to another program')
  return decoded
}
