import { sql } from 'drizzle-orm'
import { index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { bytes, instant } from './tables.ts'

/** The files that browsers load, of every node's build and of those of the last day. */
export const siteFiles = pgTable(
  'site_files',
  {
    /** Contains the hash of the content. */
    name: text('name').primaryKey(),
    type: text('type').notNull(),
    identity: bytes('identity').notNull(),
    gzip: bytes('gzip'),
    br: bytes('br'),
    /** In all encodings. */
    size: integer('size').notNull(),
    /** When it last belonged to some node's current build. */
    offeredAt: instant('offered_at').notNull().default(sql`now()`),
  },
  table => [index('site_files_offered').on(table.offeredAt)],
)
