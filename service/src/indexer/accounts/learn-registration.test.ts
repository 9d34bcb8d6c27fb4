import { identityAddress } from '@slipway/launch-model/addresses'
import {
  type LandedCall,
  type LandedTransaction,
  UnreadableData,
} from '@slipway/launch-model/history/transaction'
import { IDENTITY_PROGRAM, TOKEN_PROGRAM } from '@slipway/launch-model/programs'
import type { Address } from '@slipway/schema/address'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { RpcError } from '../../chain/rpc/fault.ts'
import { saveTestAgent } from '../../testing/agent-rows.ts'
import { createTestDatabase } from '../../testing/test-database.ts'
import { learnRegistration } from './learn-registration.ts'

const network = 'chain-mainnet'
const PAST = 1_700_000_000

interface Landed {
  signature: string
  failed?: boolean
  time?: number
  /** The data of its call of the identity program, which names the identity first; none if it is a mere transfer. */
  data?: number[]
  /** Where the identity is among the accounts of that call. */
  at?: number
}

/** A stand-in for a node with this history, the newest first. */
function historyOf(address: Address, all: Landed[]) {
  const calls = { pages: 0, transactions: 0 }
  const identity = identityAddress(address)
  return {
    calls,
    async fetchSignatures(asked: Address, { limit = 1_000, before }: { limit?: number; before?: string }) {
      expect(asked).toBe(identity)
      calls.pages += 1
      const start = before === undefined ? 0 : all.findIndex(({ signature }) => signature === before) + 1
      return all.slice(start, start + limit).map(({ signature, failed = false }) => ({
        signature,
        slot: 1,
        failed,
        isFinal: true,
        blockTime: PAST,
      }))
    },
    async fetchTransaction(signature: string): Promise<LandedTransaction> {
      calls.transactions += 1
      if (signature === 'unreadable')
        throw new RpcError('getTransaction', {
          kind: 'unable',
          code: -32015,
          endpoint: 'node',
          detail: '',
          attempts: 1,
        })
      const {
        failed = false,
        time = PAST,
        data,
        at = 0,
      } = all.find(one => one.signature === signature) as Landed
      const accounts = Array.from({ length: at + 1 }, (_, index) => (index === at ? identity : address))
      const call = data && { program: IDENTITY_PROGRAM, accounts, data: Uint8Array.from(data), height: 2 }
      const made = call ? [tooLong, call] : [tooLong]
      return { signature, slot: 1, time, failed, calls: made, created: new Set([identity]), held: new Map() }
    },
    confirmCluster: async () => {},
  }
}

/** Anyone can add such a call. */
const tooLong: LandedCall = {
  program: TOKEN_PROGRAM,
  accounts: [],
  get data(): Uint8Array {
    throw new UnreadableData()
  },
  height: 1,
}

async function learn(history: Landed[]) {
  const { database } = await createTestDatabase()
  const { address } = await saveTestAgent(database, 'agent')
  const rpc = historyOf(address, history)
  await learnRegistration({ rpc, database, network }, address)
  const { rows } = await database.run('test', db =>
    db.execute<{ signature: string | null; seconds: number; since_indexed: number }>(
      sql`SELECT registration_signature AS signature, extract(epoch FROM registered_at)::int AS seconds,
        extract(epoch FROM registered_at - indexed_at)::int AS since_indexed FROM agent_listing`,
    ),
  )
  return {
    ...rows[0],
    ...rpc.calls,
    again: () => learnRegistration({ rpc, database, network }, address),
    rpc,
  }
}

const REGISTERED = { signature: 'registered', data: [0, 0, 0, 0, 0, 0, 0, 0, 4] }

test('the transaction that created the identity is the registration', async () => {
  const learnt = await learn([
    { signature: 'token set', data: [1], time: PAST + 9 },
    REGISTERED,
    { signature: 'refused', failed: true, data: [0] },
  ])
  expect(learnt).toMatchObject({ signature: 'registered', seconds: PAST, pages: 1, transactions: 1 })
  await learnt.again()
  expect(learnt.rpc.calls.pages).toBe(1)
})

test('the data of a registration with a long URI is not kept, and it counts all the same', async () => {
  expect((await learn([{ signature: 'registered', data: [] }])).signature).toBe('registered')
})

test('a transaction that merely names the identity, before or after, never dates the agent', async () => {
  const transfers = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ signature: `transfer ${at}` }))
  const other = { signature: 'registers another agent', data: [0], at: 3, time: PAST - 99 }
  expect(
    await learn([...transfers(3), { ...REGISTERED, time: PAST + 5 }, other, ...transfers(3)]),
  ).toMatchObject({
    signature: 'registered',
    seconds: PAST + 5,
  })
  expect(await learn([REGISTERED, { signature: 'unreadable' }])).toMatchObject({ signature: 'registered' })
  // So many of them hide the registration, but don't replace it.
  for (const history of [transfers(3), [REGISTERED, ...transfers(300)], [...transfers(9_000), REGISTERED]])
    expect(await learn(history)).toMatchObject({ signature: null, since_indexed: 0 })
})

test('a long history is read page by page, and few of its transactions', async () => {
  const many = Array.from({ length: 2_500 }, (_, at) => ({ signature: `${at}` }))
  expect(await learn([...many, REGISTERED])).toMatchObject({
    signature: 'registered',
    pages: 3,
    transactions: 1,
  })
  expect(await learn(many)).toMatchObject({ signature: null, pages: 3, transactions: 20 })
})
