import { sql } from 'drizzle-orm'
import { index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { bytes, instant } from './tables.ts'

/** The files that browsers load, from every node's current build and from the builds of the last day. */
export const siteFiles = pgTable(
  'site_files',
  {
    /** Contains the hash of the content. */
    name: text('name').primaryKey(),
    type: text('type').notNull(),
    identity: bytes('identity').notNull(),
    gzip: bytes('gzip'),
    br: bytes('br'),
    /** The size of all encodings together. */
    size: integer('size').notNull(),
    /** When it last belonged to some node's current build. */
    offeredAt: instant('offered_at').notNull().default(sql`now()`),
  },
  table => [index('site_files_offered').on(table.offeredAt)],
)
