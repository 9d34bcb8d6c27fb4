import type { Address } from '@slipway/schema/address'
import type { BucketKind } from '@slipway/schema/bucket-kind'
import type { Mechanic, Socials } from '@slipway/schema/launch'
import type { Network } from '@slipway/schema/network'
import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  customType,
  foreignKey,
  index,
  json,
  jsonb,
  pgTable,
  primaryKey,
  real,
  smallint,
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

/** A trigger announces every change of these two tables: see the migrations and `changes.ts`. */
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
    /** Withdrawn from everything that is shown, by the operator. */
    hidden: boolean('hidden').notNull().default(false),
    /** The slot of the chain's state that times, graduation and activity were taken from. */
    slot: bigint('slot', { mode: 'number' }).notNull().default(0),
    heroUrl: text('hero_url'),
    website: text('website').notNull().default(''),
    socials: jsonb('socials').$type<Socials>().notNull().default({}),
    /** The agent that launched it, as the chain showed when it was registered. */
    agent: text('agent').$type<Address>(),
    verifiedSocials: text('verified_socials').array().$type<(keyof Socials)[]>().notNull().default(sql`'{}'`),
  },
  table => [
    unique('launches_genesis').on(table.network, table.genesisAddress),
    index('launches_mint').on(table.network, table.mint),
    foreignKey({ columns: [table.network, table.mint], foreignColumns: [tokens.network, tokens.mint] }),
  ],
)

const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' })

/** What the chain said of an agent at a slot, and what its documents said when they could last be had. */
export const agents = pgTable(
  'agents',
  {
    network: text('network').$type<Network>().notNull(),
    address: text('address').$type<Address>().notNull(),
    owner: text('owner').$type<Address>().notNull(),
    authority: text('authority').$type<Address>(),
    name: text('name').notNull(),
    uri: text('uri').notNull(),
    identityVersion: smallint('identity_version').notNull(),
    agentUri: text('agent_uri'),
    agentToken: text('agent_token').$type<Address>(),
    /** An older state never overwrites a newer one. */
    slot: bigint('slot', { mode: 'number' }).notNull(),
    /** As text: what strangers wrote keeps its order, and may hold what `jsonb` refuses. */
    documents: json('documents').$type<Record<string, unknown>>().notNull().default({}),
  },
  table => [primaryKey({ columns: [table.network, table.address] })],
)

/** Set from the command line and nowhere else. Stands apart from what the chain says, which comes and goes. */
export const verifiedAgents = pgTable(
  'verified_agents',
  {
    network: text('network').$type<Network>().notNull(),
    address: text('address').$type<Address>().notNull(),
    verifiedAt: instant('verified_at').notNull().default(sql`now()`),
  },
  table => [primaryKey({ columns: [table.network, table.address] })],
)

/** Cards that were written by somebody, byte for byte. Those made from a registration are made again from it. */
export const authoredCards = pgTable(
  'authored_cards',
  {
    network: text('network').$type<Network>().notNull(),
    address: text('address').$type<Address>().notNull(),
    body: bytes('body').notNull(),
  },
  table => [primaryKey({ columns: [table.network, table.address] })],
)

/** A verification token is bound to the first launch that it was used for. */
export const usedVerifications = pgTable('used_verifications', {
  id: text('id').primaryKey(),
  network: text('network').$type<Network>().notNull(),
  genesisAddress: text('genesis_address').$type<Address>().notNull(),
  /** When the token has expired, nobody needs to remember it. */
  expiresAt: instant('expires_at').notNull(),
})

/** Which buckets there are and whom they pay. What they hold is asked of the chain. */
export const buckets = pgTable(
  'buckets',
  {
    network: text('network').$type<Network>().notNull(),
    address: text('address').$type<Address>().notNull(),
    genesisAddress: text('genesis_address').$type<Address>().notNull(),
    kind: text('kind').$type<BucketKind>().notNull(),
    creatorFeeWallet: text('creator_fee_wallet').$type<Address>(),
    slot: bigint('slot', { mode: 'number' }).notNull(),
    /** Of the account's bytes when they were last looked at; absent while nobody has, which is so until it is registered. */
    digest: text('digest'),
    /** The block time of the last change: of a deposit, a swap, a claim. Known where the digest is. */
    changedAt: instant('changed_at'),
  },
  table => [
    primaryKey({ columns: [table.network, table.address] }),
    index('buckets_wallet').on(table.network, table.creatorFeeWallet),
    index('buckets_genesis').on(table.network, table.genesisAddress),
  ],
)

/** How far the store has followed each chain. */
export const chainProgress = pgTable('chain_progress', {
  network: text('network').$type<Network>().primaryKey(),
  /** Everything up to here is in the store. */
  slot: bigint('slot', { mode: 'number' }).notNull(),
  /** Every account that there was has been read once; from then on the store is an index that can be trusted. */
  isComplete: boolean('is_complete').notNull().default(false),
  /** When that slot was the chain's newest. */
  updatedAt: instant('updated_at').notNull().default(sql`now()`),
  /** While everything is read for the first time: the slot at which that began, and how much of it is done, from 0 to 1. */
  scanSlot: bigint('scan_slot', { mode: 'number' }),
  scanShare: real('scan_share'),
  /** When somebody last found an account missing that the index knows of: everything has to be read again. */
  doubtedAt: instant('doubted_at'),
})

/** Which cluster stands behind each network's name: the first that was seen, until an operator accepts another. */
export const clusters = pgTable('clusters', {
  network: text('network').$type<Network>().primaryKey(),
  genesisHash: text('genesis_hash').notNull(),
  recordedAt: instant('recorded_at').notNull().default(sql`now()`),
})

export const INDEXED_KINDS = ['agents', 'buckets'] as const
export type IndexedKind = (typeof INDEXED_KINDS)[number]

/** Accounts that the index dropped because the chain no longer had them. They are looked for again: it may be a mistake. */
export const removedAccounts = pgTable(
  'removed_accounts',
  {
    network: text('network').$type<Network>().notNull(),
    kind: text('kind').$type<IndexedKind>().notNull(),
    address: text('address').$type<Address>().notNull(),
    removedAt: instant('removed_at').notNull().default(sql`now()`),
  },
  table => [primaryKey({ columns: [table.network, table.kind, table.address] })],
)
