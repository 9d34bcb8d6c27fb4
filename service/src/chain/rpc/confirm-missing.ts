import type { Address } from '@slipway/schema/address'
import type { ChainAccount } from '../account-reader.ts'
import type { Caller } from './caller.ts'
import { RpcError } from './fault.ts'
import { ADDRESSES_MAX, accountsRequest } from './requests.ts'

export interface ConfirmedAbsence {
  /** No endpoint has them. */
  missing: Address[]
  /** At least one endpoint has them. Endpoints that wrongly lack them are not called for a while. */
  found: Address[]
  /** The oldest slot of all answers. */
  slot: number
}

/**
 * Asks every endpoint for accounts that a read did not find. A missing account in one answer proves little: nodes lose
 * accounts from their indexes and restart from old snapshots. `isPresent` tells whether an account is the expected one.
 */
export async function confirmMissing(
  { callEach, setAside }: Pick<Caller, 'callEach' | 'setAside'>,
  addresses: readonly Address[],
  isPresent: (account: ChainAccount) => boolean = account => account.exists,
): Promise<ConfirmedAbsence> {
  const result: ConfirmedAbsence = { missing: [], found: [], slot: Number.POSITIVE_INFINITY }
  for (let at = 0; at < addresses.length; at += ADDRESSES_MAX) {
    const batch = addresses.slice(at, at + ADDRESSES_MAX)
    const called = await callEach(accountsRequest(batch, 'finalized'))
    const answers = called.flatMap(({ endpoint, answer }) => (answer ? [{ endpoint, ...answer }] : []))
    if (answers.length === 0 || answers.length < Math.min(called.length, 2))
      throw unconfirmed(answers.length, called.length)
    for (const [index, address] of batch.entries()) {
      const having = answers.filter(({ accounts }) => isPresent(accounts[index] as ChainAccount))
      result[having.length === 0 ? 'missing' : 'found'].push(address)
      // An endpoint that is ahead may be right: the account may have been closed in between.
      const newest = Math.max(...having.map(({ slot }) => slot))
      for (const answer of answers)
        if (!having.includes(answer) && answer.slot <= newest) setAside(answer.endpoint)
    }
    result.slot = Math.min(result.slot, ...answers.map(({ slot }) => slot))
  }
  return result
}

const unconfirmed = (answers: number, endpoints: number) =>
  new RpcError('getMultipleAccounts', {
    kind: 'unchecked',
    code: undefined,
    endpoint: `${endpoints - answers} of ${endpoints} endpoints`,
    detail: 'too few endpoints answered to confirm that an account is missing',
    attempts: 1,
  })
