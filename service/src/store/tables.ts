import type { Address } from '@slipway/schema/address'
import type { Mechanic, Socials } from '@slipway/schema/launch'
import type { Network } from '@slipway/schema/network'
import { sql } from 'drizzle-orm'
import {
  boolean,
  foreignKey,
  index,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  unique,
  uuid,
} from 'drizzle-orm/pg-core'

/** To the millisecond, as the answers show it: what is sorted by is what is seen. */
const instant = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' })

export const tokens = pgTable(
  'tokens',
  {
    id: uuid('id').notNull().defaultRandom().unique(),
    network: text('network').$type<Network>().notNull(),
    mint: text('mint').$type<Address>().notNull(),
    name: text('name').notNull(),
    symbol: text('symbol').notNull(),
    image: text('image').notNull().default(''),
    description: text('description').notNull().default(''),
  },
  table => [primaryKey({ columns: [table.network, table.mint] })],
)

/** A trigger announces every change of these two tables: see the migrations and `launch-changes.ts`. */
export const launches = pgTable(
  'launches',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    network: text('network').$type<Network>().notNull(),
    genesisAddress: text('genesis_address').$type<Address>().notNull(),
    mint: text('mint').$type<Address>().notNull(),
    mechanic: text('mechanic').$type<Mechanic>().notNull(),
    startsAt: instant('starts_at').notNull(),
    endsAt: instant('ends_at').notNull(),
    graduatedAt: instant('graduated_at'),
    lastActivityAt: instant('last_activity_at').notNull(),
    registeredAt: instant('registered_at').notNull().default(sql`now()`),
    /** Set from the command line and nowhere else. */
    spotlight: boolean('spotlight').notNull().default(false),
    heroUrl: text('hero_url'),
    website: text('website').notNull().default(''),
    socials: jsonb('socials').$type<Socials>().notNull().default({}),
    verifiedSocials: text('verified_socials').array().$type<(keyof Socials)[]>().notNull().default(sql`'{}'`),
  },
  table => [
    unique('launches_genesis').on(table.network, table.genesisAddress),
    index('launches_mint').on(table.network, table.mint),
    foreignKey({ columns: [table.network, table.mint], foreignColumns: [tokens.network, tokens.mint] }),
  ],
)
