import type { Address } from '@slipway/schema/address'
import { ADDRESSES_MAX, accountsRequest } from './accounts.ts'
import type { Caller } from './caller.ts'
import { RpcError } from './rpc-error.ts'

export interface MissingAccounts {
  /** No endpoint has them. */
  missing: Address[]
  /** At least one endpoint has them. Those that do not are no longer asked for a while. */
  found: Address[]
  /** The oldest state that an answer was as of. */
  slot: number
}

/** A missing account in one answer proves little: nodes lose accounts from their indexes, and restart from old snapshots. */
export async function confirmMissing(
  { callEach, setAside }: Pick<Caller, 'callEach' | 'setAside'>,
  addresses: readonly Address[],
): Promise<MissingAccounts> {
  const result: MissingAccounts = { missing: [], found: [], slot: Number.POSITIVE_INFINITY }
  for (let at = 0; at < addresses.length; at += ADDRESSES_MAX) {
    const batch = addresses.slice(at, at + ADDRESSES_MAX)
    const asked = await callEach(accountsRequest(batch, 'finalized'))
    const answers = asked.flatMap(({ endpoint, answer }) => (answer ? [{ endpoint, ...answer }] : []))
    if (answers.length < Math.min(asked.length, 2) || answers.length === 0) throw unconfirmed(asked.length)
    for (const [index, address] of batch.entries()) {
      const without = answers.filter(({ accounts }) => !accounts[index]?.exists)
      const isMissing = without.length === answers.length
      result[isMissing ? 'missing' : 'found'].push(address)
      if (!isMissing) for (const { endpoint } of without) setAside(endpoint)
    }
    result.slot = Math.min(result.slot, ...answers.map(({ slot }) => slot))
  }
  return result
}

const unconfirmed = (endpoints: number) =>
  new RpcError('getMultipleAccounts', {
    kind: 'unchecked',
    code: undefined,
    endpoint: endpoints === 1 ? 'the only endpoint' : `most of ${endpoints} endpoints`,
    detail: 'a missing account could not be confirmed',
    attempts: 1,
  })
