import type { Address } from '@slipway/schema/address'
import type { BucketKind, Mechanic, Socials } from '@slipway/schema/launch'
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

/** Millisecond precision, as in responses, so that the sort order matches what callers see. */
export const instant = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' })

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
    /** Set only from the command line. */
    spotlight: boolean('spotlight').notNull().default(false),
    /** Left out of every response. Set by the operator. */
    hidden: boolean('hidden').notNull().default(false),
    /** Times, graduation and activity are as of this slot. */
    slot: bigint('slot', { mode: 'number' }).notNull().default(0),
    heroUrl: text('hero_url'),
    website: text('website').notNull().default(''),
    socials: jsonb('socials').$type<Socials>().notNull().default({}),
    /** The agent behind it: both sides have agreed on the chain, or the launch's authority by a signed change. */
    agent: text('agent').$type<Address>(),
    /** Exactly one launch creates a token. Anyone who holds a unit of it can make others. */
    createdToken: boolean('created_token').notNull().default(true),
    verifiedSocials: text('verified_socials').array().$type<(keyof Socials)[]>().notNull().default(sql`'{}'`),
  },
  table => [
    unique('launches_genesis').on(table.network, table.genesisAddress),
    index('launches_mint').on(table.network, table.mint),
    foreignKey({ columns: [table.network, table.mint], foreignColumns: [tokens.network, tokens.mint] }),
  ],
)

export const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' })

/** The on-chain state of an agent at a slot, and its documents as last fetched. */
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
    /** `json`, not `jsonb`: it keeps the order of keys and accepts characters that `jsonb` refuses. */
    documents: json('documents').$type<Record<string, unknown>>().notNull().default({}),
  },
  table => [
    primaryKey({ columns: [table.network, table.address] }),
    index('agents_owner').on(table.network, table.owner, table.address),
  ],
)

/** Set only from the command line, and kept whether or not the chain has the agent. */
export const verifiedAgents = pgTable(
  'verified_agents',
  {
    network: text('network').$type<Network>().notNull(),
    address: text('address').$type<Address>().notNull(),
    verifiedAt: instant('verified_at').notNull().default(sql`now()`),
  },
  table => [primaryKey({ columns: [table.network, table.address] })],
)

/** Cards written by an author, byte for byte. Synthesised cards are not stored. */
export const authoredCards = pgTable(
  'authored_cards',
  {
    network: text('network').$type<Network>().notNull(),
    address: text('address').$type<Address>().notNull(),
    /**
     * Null if the owner has asked for the synthesised card, in place of one that came with the registration document.
     */
    body: bytes('body'),
    /**
     * The owner who signed it; null if an operator stored it. A trigger removes it when the agent gets another owner.
     */
    owner: text('owner').$type<Address>(),
    /** The slot at which the chain named that owner. An older state of the agent doesn't remove the card. */
    slot: bigint('slot', { mode: 'number' }),
  },
  table => [primaryKey({ columns: [table.network, table.address] })],
)

/** A verification token is bound to the first launch that it is used for. */
export const usedVerifications = pgTable('used_verifications', {
  id: text('id').primaryKey(),
  network: text('network').$type<Network>().notNull(),
  genesisAddress: text('genesis_address').$type<Address>().notNull(),
  /** The row can be deleted once the token has expired. */
  expiresAt: instant('expires_at').notNull(),
})

/** Which buckets exist and which wallets they pay. Their balances are read from the chain. */
export const buckets = pgTable(
  'buckets',
  {
    network: text('network').$type<Network>().notNull(),
    address: text('address').$type<Address>().notNull(),
    genesisAddress: text('genesis_address').$type<Address>().notNull(),
    kind: text('kind').$type<BucketKind>().notNull(),
    creatorFeeWallet: text('creator_fee_wallet').$type<Address>(),
    slot: bigint('slot', { mode: 'number' }).notNull(),
    /** Digest of the account's data when it was last read; null until the launch is registered. */
    digest: text('digest'),
    /** Block time of the last change: a deposit, a swap or a claim. Set together with the digest. */
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
  /** Everything up to this slot is stored. */
  slot: bigint('slot', { mode: 'number' }).notNull(),
  /** Every account has been read once, so the index can be trusted. */
  isComplete: boolean('is_complete').notNull().default(false),
  /** When the index last became complete. A trigger sets it. */
  completedAt: instant('completed_at'),
  /** When that slot was the newest. */
  updatedAt: instant('updated_at').notNull().default(sql`now()`),
  /** During the first full read: the slot at which it began, and its progress from 0 to 1. */
  scanSlot: bigint('scan_slot', { mode: 'number' }),
  scanShare: real('scan_share'),
  /** When a node last found that an indexed account is missing: everything has to be read again. */
  recheckRequestedAt: instant('doubted_at'),
  /** All delegations have been read once. They have their own search, which may fail while everything else is read. */
  hasDelegations: boolean('has_delegations').notNull().default(false),
  /** The same for deposits. */
  hasDeposits: boolean('has_deposits').notNull().default(false),
})

/** Which cluster each network's name refers to: the first that was seen, until an operator accepts another. */
export const clusters = pgTable('clusters', {
  network: text('network').$type<Network>().primaryKey(),
  genesisHash: text('genesis_hash').notNull(),
  recordedAt: instant('recorded_at').notNull().default(sql`now()`),
})

export const INDEXED_KINDS = ['agents', 'buckets'] as const
export type IndexedKind = (typeof INDEXED_KINDS)[number]

/** Accounts that were dropped because the chain no longer had them. They are looked for again, in case of a mistake. */
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
