import type { Address } from '@slipway/schema/address'
import { sql } from 'drizzle-orm'
import type { Database } from '../store/database.ts'
import { insertLaunches } from '../store/launches.ts'
import type { PlacedTrade } from '../store/trades.ts'
import { addressOf, launchRows } from './launch-rows.ts'

export const U64_MAX = 2n ** 64n - 1n

/** A signature that depends only on the text. */
export const signatureOf = (text: string): string => `${addressOf(text)}${addressOf(`${text} `)}`

/** A purchase, unless the fields say otherwise. */
export const tradeOf = (name: string, fields: Partial<PlacedTrade> = {}): PlacedTrade => ({
  signature: signatureOf(name),
  index: 0,
  slot: 1_000,
  orderInSlot: 0,
  time: 1_767_225_600,
  kind: 'buy',
  wallet: addressOf('trader'),
  agent: null,
  baseAmount: 1_000_000n,
  quoteAmount: 2_000_000_000n,
  protocolFee: 0n,
  creatorFee: 0n,
  poolFee: 0n,
  ...fields,
})

/** The progress of a reader that has read all trades of an address. */
export const ALL_READ = {
  settled: null,
  recent: [],
  gaps: [],
  hasOrigin: true,
  lacksHistory: false,
  unreadable: [],
}

/** A registered launch whose tokens have 9 and 6 decimals. */
export async function insertTradedLaunch(
  database: Database,
  name: string,
  fields?: Parameters<typeof launchRows>[1],
): Promise<Address> {
  const rows = launchRows(name, fields)
  await insertLaunches(database, [rows])
  await database.run('test', db =>
    db.execute(
      sql`INSERT INTO activity_sources (launch_id, quote_decimals, base_decimals) VALUES (${rows.launch.id}, 9, 6)`,
    ),
  )
  return rows.launch.genesisAddress as Address
}
