import type { Address } from '@slipway/schema/address'
import type { AccountReader, ChainAccount } from '../account-reader.ts'
import type { Caller } from './caller.ts'
import type { RpcObserver } from './endpoint-pool.ts'
import { RpcError } from './fault.ts'
import { type Accounts, ADDRESSES_MAX, accountsRequest } from './requests.ts'
import type { SlotMark } from './slot-mark.ts'

interface Batch {
  /** The position of each address in the call. */
  places: Map<Address, number>
  answer: Promise<Accounts>
  send(): void
}

/**
 * Reads in the same turn of the event loop share one call, which names each address once. A call that has been sent is
 * no longer shared: its answer may be older than the next read, and an owner who gave an asset away a moment
 * ago must not count as the owner.
 */
export function createAccountReader(
  { call }: Pick<Caller, 'call'>,
  { mark, onReads, onAccounts }: { mark: SlotMark } & Pick<RpcObserver, 'onReads' | 'onAccounts'>,
): AccountReader {
  let open: Batch[] = []
  let reads = 0

  function sendAll() {
    const batches = open
    onReads(reads, batches.length)
    open = []
    reads = 0
    for (const batch of batches) batch.send()
  }

  /** The open batch if it has room for all of them, so that they are as of one slot; else a new one. */
  function batchFor(addresses: readonly Address[]): Batch {
    const last = open.at(-1)
    const places = last?.places
    if (last && places) {
      const more = addresses.reduce((count, address) => (places.has(address) ? count : count + 1), 0)
      if (places.size + more <= ADDRESSES_MAX) return last
    }
    if (open.length === 0) setImmediate(sendAll)
    const batch = createBatch(call, onAccounts)
    open.push(batch)
    return batch
  }

  function join(addresses: readonly Address[]): { batch: Batch; addresses: readonly Address[] } {
    const batch = batchFor(addresses)
    for (const address of addresses)
      if (!batch.places.has(address)) batch.places.set(address, batch.places.size)
    return { batch, addresses }
  }

  return {
    async fetchAccounts(addresses) {
      if (addresses.length === 0) return { slot: mark.slot(), accounts: [] }
      reads += 1
      if (addresses.length <= ADDRESSES_MAX) return pick(join(addresses))
      // No node returns more per call. The parts may be as of different slots; the oldest is reported.
      const unique = [...new Set(addresses)]
      const parts = []
      for (let at = 0; at < unique.length; at += ADDRESSES_MAX)
        parts.push(join(unique.slice(at, at + ADDRESSES_MAX)))
      const answers = await Promise.all(parts.map(pick))
      const found = new Map(
        answers.flatMap(({ accounts }) => accounts.map(account => [account.address, account])),
      )
      return {
        slot: Math.min(...answers.map(({ slot }) => slot)),
        accounts: addresses.map(address => found.get(address) as ChainAccount),
      }
    },
  }
}

async function pick({
  batch,
  addresses,
}: {
  batch: Batch
  addresses: readonly Address[]
}): Promise<Accounts> {
  const { slot, accounts } = await batch.answer
  return {
    slot,
    accounts: addresses.map(address => accounts[batch.places.get(address) as number] as ChainAccount),
  }
}

function createBatch(call: Caller['call'], onAccounts: RpcObserver['onAccounts']): Batch {
  const places = new Map<Address, number>()
  let resolve: (answer: Promise<Accounts>) => void = () => {}
  const answer = new Promise<Accounts>(settle => {
    resolve = settle
  })
  const read = async () => {
    const found = await call(accountsRequest([...places.keys()]))
    onAccounts(found)
    return found
  }
  return { places, answer, send: () => resolve(read()) }
}

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
