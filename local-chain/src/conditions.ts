import type { TransactionVersion } from './ledger/parse-transaction.ts'

/** What differs between the clusters of one year and the next. An embedded chain keeps those that it was created with. */
export type ChainConditions = {
  readonly slotMs: number
  /** Lamports for each byte of an account. */
  readonly rentPerByte: bigint
  /** The versions of transactions that the chain accepts. */
  readonly transactionVersions: readonly TransactionVersion[]
  /** The versions that the demo's market sends. */
  readonly marketVersions: readonly TransactionVersion[]
}

export const LAST_SPRING: ChainConditions = {
  slotMs: 400,
  rentPerByte: 6_960n,
  transactionVersions: ['legacy', 0],
  marketVersions: ['legacy', 0],
}
const TODAY: ChainConditions = {
  slotMs: 200,
  rentPerByte: 5_080n,
  transactionVersions: ['legacy', 0, 1],
  marketVersions: ['legacy', 0, 1],
}
const NEXT_YEAR: ChainConditions = {
  slotMs: 50,
  rentPerByte: 696n,
  transactionVersions: ['legacy', 0, 1],
  marketVersions: [1],
}

const NAMED = { 'last-spring': LAST_SPRING, today: TODAY, 'next-year': NEXT_YEAR }

/** The conditions of new chains: today's, unless a test run chooses others by TEST_CHAIN. */
export const CONDITIONS = choose(process.env.TEST_CHAIN || 'today')

function choose(name: string): ChainConditions {
  const chosen = Object.entries(NAMED).find(([known]) => known === name)?.[1]
  if (!chosen) throw new Error(`TEST_CHAIN must be one of ${Object.keys(NAMED).join(', ')}, not ${name}`)
  return chosen
}

/** What an account stores besides its data. */
const ACCOUNT_BYTES = 128

/** The least that an account with this much data must hold on a new chain. */
export const rentFor = (bytes: number): bigint => BigInt(ACCOUNT_BYTES + bytes) * CONDITIONS.rentPerByte
