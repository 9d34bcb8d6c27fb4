import {
  CORE_PROGRAM,
  GENESIS_PROGRAM,
  IDENTITY_PROGRAM,
  TOKEN_PROGRAM,
  WRAPPED_NATIVE_MINT,
} from '@slipway/launch-model/programs'
import type { Address } from '@slipway/schema/address'
import { sampleLaunch } from '../lib/sample-launches.ts'
import { SAMPLE_MINT, sampleAsset, sampleBucket, sampleIdentity } from './sample-accounts.ts'

interface Account {
  address: Address
  owner: Address
  data: Buffer
}

export interface SampleChain {
  /** The account as RPC nodes return it, or null. */
  encode(address: Address, slice?: { offset: number; length: number }): object | null
  /** The program's accounts that have these bytes. */
  encodeAll(
    program: Address,
    filters: readonly { offset: number; byte: number }[],
    slice?: { offset: number; length: number },
  ): { pubkey: Address; account: object | null }[]
  /** Changes the bucket of this launch. */
  touch(index: number): void
  /** Returns a function that ends the subscription. */
  onChange(listener: (account: Account) => void): () => void
}

/** Where a launch pool counts its deposits. */
const DEPOSITS = 32
const WHOLE = { offset: 0, length: 1_000_000 }

/** The accounts of this many sample launches and agents. */
export function createSampleChain({ launches, agents }: { launches: number; agents: number }): SampleChain {
  const accounts = new Map<Address, Account>()
  const programs = new Map<Address, Address[]>([
    [CORE_PROGRAM, []],
    [IDENTITY_PROGRAM, []],
    [GENESIS_PROGRAM, []],
  ])
  const listeners = new Set<(account: Account) => void>()
  const add = (owner: Address, { address, data }: { address: Address; data: Buffer }) => {
    accounts.set(address, { address, owner, data })
    programs.get(owner)?.push(address)
  }
  for (let index = 0; index < launches; index += 1) {
    add(GENESIS_PROGRAM, sampleBucket(index))
    add(TOKEN_PROGRAM, { address: sampleLaunch(index).mint, data: SAMPLE_MINT })
  }
  add(TOKEN_PROGRAM, { address: WRAPPED_NATIVE_MINT, data: SAMPLE_MINT })
  for (let index = 0; index < agents; index += 1) {
    add(CORE_PROGRAM, sampleAsset(index))
    add(IDENTITY_PROGRAM, sampleIdentity(index))
  }

  function encode(address: Address, { offset, length } = WHOLE) {
    const account = accounts.get(address)
    if (!account) return null
    const data = account.data.subarray(offset, offset + length).toString('base64')
    return {
      data: [data, 'base64'],
      executable: false,
      lamports: 2_000_000,
      owner: account.owner,
      rentEpoch: 0,
      space: account.data.length,
    }
  }

  return {
    encode,
    encodeAll: (program, filters, slice) =>
      (programs.get(program) ?? [])
        .filter(address => {
          const { data } = accounts.get(address) as Account
          return filters.every(({ offset, byte }) => data[offset] === byte)
        })
        .map(pubkey => ({ pubkey, account: encode(pubkey, slice) })),
    touch(index) {
      const account = accounts.get(sampleBucket(index).address)
      if (!account) return
      const data = Buffer.from(account.data)
      // The deposits, so that the figures change too.
      data.writeUInt32LE((data.readUInt32LE(DEPOSITS) + 1) >>> 0, DEPOSITS)
      const changed = { ...account, data }
      accounts.set(account.address, changed)
      for (const listener of listeners) listener(changed)
    },
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
