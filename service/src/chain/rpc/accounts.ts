import type { Address } from '@slipway/schema/address'
import type { AccountReader, ChainAccount } from '../account-reader.ts'
import type { Caller } from './caller.ts'
import { toAddress, toBytes, toCount, toList, toRecord, toU64 } from './checks.ts'
import type { RpcObserver } from './endpoint-pool.ts'
import { malformed } from './fault.ts'
import { atLeast, type Commitment, type Question } from './question.ts'
import type { SlotMark } from './slot-mark.ts'

/** A node's own limit for one call. */
export const ADDRESSES_MAX = 100
/**
 * Strangers choose which accounts we read, and one may hold ten megabytes. Nothing that we decode is near this size;
 * of a larger account only the beginning is fetched, and it is as foreign as any other that does not decode.
 */
export const DATA_BYTES_MAX = 64 * 1024

interface Accounts {
  slot: number
  accounts: ChainAccount[]
}

interface Batch {
  /** Where each address stands in the call. */
  places: Map<Address, number>
  answer: Promise<Accounts>
  send(): void
}

/**
 * Reads that are asked for in the same turn of the event loop share one call, and equal addresses one place in it.
 * A call that has been sent takes nobody along any more: its answer may be older than his question, and an owner who
 * gave an asset away a moment ago must not be taken for the owner.
 */
export function createAccountReader(
  { ask }: Pick<Caller, 'ask'>,
  { mark, onReads }: { mark: SlotMark; onReads: RpcObserver['onReads'] },
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

  /** The open batch with room for all of them, so that they are as of one slot, or else a new one. */
  function batchFor(addresses: readonly Address[]): Batch {
    const last = open.at(-1)
    const places = last?.places
    if (last && places) {
      const more = addresses.reduce((count, address) => (places.has(address) ? count : count + 1), 0)
      if (places.size + more <= ADDRESSES_MAX) return last
    }
    if (open.length === 0) setImmediate(sendAll)
    const batch = createBatch(ask)
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
      // No node answers for more at once: the parts may be as of different slots, and the oldest one is told.
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

function createBatch(ask: Caller['ask']): Batch {
  const places = new Map<Address, number>()
  let resolve: (answer: Promise<Accounts>) => void = () => {}
  const answer = new Promise<Accounts>(settle => {
    resolve = settle
  })
  return { places, answer, send: () => resolve(ask(accountsQuestion([...places.keys()]))) }
}

/** Finality takes 32 slots; endpoints are some slots apart. */
const FINALITY_SLOTS_MAX = 100

export function accountsQuestion(
  addresses: readonly Address[],
  commitment: Commitment = 'confirmed',
): Question<Accounts> {
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
      const { slot, value } = decodeContext(result)
      const list = toList(value, 'value')
      if (list.length !== addresses.length) throw malformed('another number of accounts')
      return { slot, accounts: list.map((account, at) => decodeAccount(addresses[at] as Address, account)) }
    },
    slotOf: ({ slot }) => slot,
  }
}

export function decodeContext(result: unknown): { slot: number; value: unknown } {
  const { context, value } = toRecord(result, 'result')
  return { slot: toCount(toRecord(context, 'context').slot, 'slot'), value }
}

export function decodeAccount(address: Address, account: unknown): ChainAccount {
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
