/** Base58 of exactly 32 bytes. */
export type Address = string

export type Network = 'chain-mainnet' | 'chain-devnet'

export type JsonObject = Record<string, unknown>

/** The blockhash of a transaction. Confirm the transaction against it, never against a newer one. */
export interface Blockhash {
  blockhash: string
  /** Block height after which the blockhash expires. */
  lastValidBlockHeight: number
}

/** A transaction that is ready to be signed and submitted. */
export interface BuiltTransaction {
  /** The transaction in base64. */
  tx: string
  blockhash: Blockhash
}

export interface BaseToken {
  address: Address
  name: string
  symbol: string
  image: string
  description: string
}

export interface AgentSkill {
  id: string
  name: string
  description: string
  tags: string[]
  [field: string]: unknown
}

export interface AgentInterface {
  url: string
  protocolBinding?: string
  protocolVersion?: string
  transport?: string
  [field: string]: unknown
}

/** An A2A AgentCard as stored. */
export interface AgentCard {
  name: string
  description: string
  /** URL of the card itself. */
  url?: string
  version: string
  protocolVersion?: string
  supportedInterfaces?: AgentInterface[]
  additionalInterfaces?: AgentInterface[]
  iconUrl?: string
  provider?: { organization: string; url: string; [field: string]: unknown }
  capabilities: { streaming?: boolean; [field: string]: unknown }
  skills: AgentSkill[]
  defaultInputModes: string[]
  defaultOutputModes: string[]
  [field: string]: unknown
}

/** An agent. Fields of the EIP-8004 registration document appear alongside the documented ones. */
export interface Agent {
  address: Address
  name: string
  description: string
  image?: string
  /** The agent's wallet, an address derived from the asset. */
  walletAddress: Address
  owner: Address
  /** Update authority of the asset. */
  authority?: Address
  agentMetadataUri?: string
  /** Mint of the primary token. */
  agentToken?: Address
  /** The card hosted here, as `agent-card.json` serves it; null if there is none. */
  a2aCard: AgentCard | null
  /** When an administrator verified the agent; null if it is not verified. */
  verifiedAt: string | null
  /** Every token that the agent launched, newest first. */
  tokens: BaseToken[]
  agentTokenInfo?: BaseToken
  [field: string]: unknown
}

/** An agent in the list. Missing values are null. */
export interface AgentRecord {
  /** The agent's address: that of its asset. */
  mintAddress: Address
  network: Network
  name: string
  description: string
  image: string | null
  walletAddress: Address
  authority: Address | null
  owner: Address
  agentToken: Address | null
  agentMetadataUri: string | null
  /** The EIP-8004 registration document; null until it has been fetched. */
  metadata: JsonObject | null
  /** The card hosted here; null if there is none. */
  a2aCard: AgentCard | null
  /** False if `active` is false in the registration document. */
  isActive: boolean
  /** The transaction that registered the agent; null until it is known. */
  registrationSignature: string | null
  /** When this service first stored the agent. */
  indexedAt: string
  spotlightedAt: string | null
  verifiedAt: string | null
  /** When the agent was registered on the chain; until that is known, the same as `indexedAt`. */
  createdAt: string
  /** When anything above last changed here. */
  updatedAt: string
}

export interface AgentPage {
  agents: AgentRecord[]
  total: number
  page: number
  pageSize: number
  totalPages: number
}

export interface ListAgentsRequest {
  network?: Network | undefined
  /** From 1; 1 by default. A page past the end is empty. */
  page?: number | undefined
  /** 1 to 100; 24 by default. */
  pageSize?: number | undefined
  /** Searches names and descriptions, best match first; tolerates typos. */
  query?: string | undefined
  /** Order by registration time; `latest` by default. */
  sort?: 'latest' | 'oldest' | undefined
  activeOnly?: boolean | undefined
  hasAgentToken?: boolean | undefined
  hasServices?: boolean | undefined
  spotlight?: boolean | undefined
  verified?: boolean | undefined
}

export interface Jwk {
  kty: string
  crv: string
  x: string
  y?: string
  kid: string
  alg: 'ES256' | 'EdDSA'
  use: 'sig'
}

export interface MintAgentRequest {
  /** Signs, pays for the agent and owns it. */
  wallet: Address
  network?: Network | undefined
  /** The asset's name, 1 to 64 characters. */
  name: string
  /** URI of the asset's own metadata document, at most 200 bytes. */
  uri: string
  /** The EIP-8004 registration document. */
  agentMetadata: { name: string; description: string; [field: string]: unknown }
  /** Core collection to mint into. `wallet` must be its update authority or a delegate. */
  collectionAddress?: Address | null | undefined
  /** An authored A2A card (1.0 or 0.3). */
  a2aCard?: JsonObject | null | undefined
  /** Public key of a fresh key pair of your own, for the asset. You then sign with that key too. */
  asset?: Address | null | undefined
}

export interface MintedAgent extends BuiltTransaction {
  /** The new agent's address. */
  assetAddress: Address
}

export interface FundRequest {
  /** Signs, and pays the amount and the fee. */
  sender: Address
  /** In native-currency units, with at most nine decimals. */
  amount: number
  /** Public on the chain: 1 to 256 characters. */
  memo: string
  network?: Network | undefined
}

export interface WithdrawRequest {
  /** The owner, who signs, pays the fee and receives the funds. */
  sender: Address
  /** In native-currency units, with at most nine decimals. */
  amount: number
  network?: Network | undefined
}

/** The fields that every owner-signed change carries. */
export interface OwnerSignature {
  /** The wallet that signs. */
  owner: Address
  /** ISO 8601 UTC with milliseconds. */
  issuedAt: string
  /** Any value that this owner has not used before: 16 to 64 of A-Z a-z 0-9 _ -. */
  nonce: string
  /** Base58 of the owner's ed25519 signature over the text of the change. */
  signature: string
}

export interface ReplaceCardRequest extends OwnerSignature {
  card: JsonObject
}

export type LaunchStatus = 'upcoming' | 'live' | 'graduated'

export interface Launch {
  /** URL of the launch's page. */
  launchPage: string
  /** Allocation mechanism: `launchpoolV2`, `presaleV2`, `bondingCurveV2`. */
  mechanic: string
  genesisAddress: Address
  /** Curated by the platform; no request can set it. */
  spotlight: boolean
  /** ISO 8601 UTC with milliseconds. */
  startTime: string
  /** ISO 8601 UTC with milliseconds. */
  endTime: string
  status: LaunchStatus
  /** Relative storage path of the hero image; null if there is none. */
  heroUrl: string | null
  /** ISO 8601 UTC with milliseconds; null until then. */
  graduatedAt: string | null
  /** ISO 8601 UTC with milliseconds. */
  lastActivityAt: string
  type: 'launchpool' | 'presale'
}

/** URLs of the launch. Only the links that it has are present. */
export interface Socials {
  x?: string
  telegram?: string
  discord?: string
}

export interface LaunchData {
  launch: Launch
  baseToken: BaseToken
  website: string
  socials: Socials
}

export interface LaunchDetail extends LaunchData {
  /** Keys of `socials` whose accounts the launcher has proven to own. */
  verifiedSocials: ('x' | 'telegram' | 'discord')[]
  /** The agent that launched the token, if one did. */
  agent?: Address
}

export interface TokenDetail {
  launches: Launch[]
  baseToken: BaseToken
  website: string
  socials: Socials
}

export interface ListLaunchesRequest {
  network?: Network | undefined
  /** Only launches with this status; all by default. */
  status?: LaunchStatus | undefined
  /** True: only spotlight launches; false: only the others; all by default. */
  spotlight?: boolean | undefined
}

export interface LaunchActivityRequest {
  network?: Network | undefined
  /** `hour` by default. */
  interval?: 'minute' | 'hour' | 'day' | undefined
  /** 24 hours before `to` by default. */
  from?: string | Date | undefined
  /** Now by default. */
  to?: string | Date | undefined
}

/** Amounts are in the smallest unit, as decimal digits. */
export interface LaunchActivityValues {
  raised: string
  sold: string
  supply: string
  /** Quote per whole base token, as a decimal number. */
  price: string | null
  /** 0 to 1 towards the goal, the cap or sell-out. */
  progress: number | null
  /** Deposits counted by the chain. */
  participants: number | null
  /** Accrued so far. */
  creatorFees: string | null
}

export interface LaunchActivityPoint extends LaunchActivityValues {
  /** ISO 8601 UTC. */
  time: string
}

export interface LaunchActivity {
  genesisAddress: Address
  quoteMint: Address
  quoteDecimals: number
  baseDecimals: number
  current: LaunchActivityValues
  /** Oldest first, at most 500. */
  points: LaunchActivityPoint[]
}

/** Links of a launch. */
export interface ExternalLinks {
  /** An http(s) URL. */
  website?: string | null | undefined
  /** A handle (`@name`, `name`) or a profile URL. `twitter` is a synonym. */
  social?: string | null | undefined
  /** A handle or an http(s) URL. */
  telegram?: string | null | undefined
  /** An invite code or an http(s) URL. */
  discord?: string | null | undefined
  [field: string]: unknown
}

export interface LaunchInput {
  type: 'launchpool' | 'bondingCurve'
  allocations: JsonObject[]
  /** The same as `wallet`. */
  publicKey: Address
  /** The token's name, at most 32 bytes of UTF-8. */
  name: string
  /** The token's symbol, at most 10 bytes of UTF-8. */
  symbol: string
  /** An http(s) URL. */
  image: string
  description?: string | null | undefined
  /** 6 by default. */
  decimals?: number | null | undefined
  /** Whole tokens; 1,000,000,000 by default. */
  supply?: number | null | undefined
  network?: Network | undefined
  /** The mint that is paid with; wrapped native currency by default. */
  quoteMint?: Address | null | undefined
  /** Whether the last transaction finalizes the launch; true by default. */
  finalize?: boolean | null | undefined
  externalLinks?: ExternalLinks | null | undefined
}

export interface CreateLaunchRequest {
  /** Signs and pays. */
  wallet: Address
  launch: LaunchInput
  /** The agent that creates the launch: its wallet becomes the launch's authority. */
  agent?: { mint: Address; setToken?: boolean | null | undefined } | null | undefined
  /** Public key of a fresh key pair of your own, for the token. */
  mint?: Address | null | undefined
  /** Continues a creation that stopped halfway: the `genesisAccount` of the first answer. */
  genesisAccount?: Address | null | undefined
}

export interface CreatedLaunch {
  /** In base64. Sign and send them in this order, each after the one before is confirmed. */
  transactions: string[]
  blockhash: Blockhash
  /** The new token's mint. */
  mintAddress: Address
  /** The new launch's address. */
  genesisAccount: Address
}

export interface RegisterLaunchRequest {
  genesisAccount: Address
  network?: Network | undefined
  launch: {
    /** Must equal the name on the chain. */
    name: string
    /** Must equal the symbol on the chain. */
    symbol: string
    /** Shown only if the token's own document has none. */
    image: string
    /** Shown only if the token's own document has none. */
    description?: string | null | undefined
    /** Ignored: the chain decides. */
    type: string
    externalLinks?: ExternalLinks | null | undefined
    /** The relative storage path of the hero image. */
    heroUrl?: string | null | undefined
  }
  /** The agent that launched the token. */
  agent?: { mint: Address } | null | undefined
  /** From `social.verify`: proves the handle in `externalLinks.social`. */
  socialVerificationToken?: string | null | undefined
}

export interface RegisteredLaunch {
  /** Whether the launch was registered before; if so, it has not changed. */
  existing: boolean
  launch: {
    id: string
    /** URL of the launch's page. */
    link: string
  }
  token: { id: string; mintAddress: Address }
}

export interface ChangeLinksRequest extends OwnerSignature {
  externalLinks: ExternalLinks
  /** The agent that created the launch, if `owner` signs as its owner. */
  agent?: Address | null | undefined
}

export interface RewardAmounts {
  /** Earned so far, as recorded in the bucket. */
  accrued: string
  /** Paid out so far, as recorded in the bucket. */
  claimed: string
  /** Still held by the pool for the creator; a claim collects it. */
  uncollected: string
  /** What a claim would pay now. */
  claimable: string
}

export interface RewardBucket extends RewardAmounts {
  address: Address
  /** A bonding curve or a constant-product AMM. */
  kind: 'bondingCurveV2' | 'raydiumCpmmV2'
  /** The launch that the bucket belongs to. */
  genesisAddress: Address
  /** The token that the creator is paid in. */
  quoteMint: Address
}

export interface CreatorRewards {
  wallet: Address
  /** Largest claims first. */
  buckets: RewardBucket[]
  /** Totals for each quote token. */
  totals: ({ quoteMint: Address } & RewardAmounts)[]
}

export interface ClaimRequest {
  /** The creator-fee wallet of the buckets. */
  wallet: Address
  /** Signs, and pays fees and rent. Defaults to `wallet`. */
  payer?: Address | undefined
  network?: Network | undefined
}

export interface Claim {
  /** Unsigned transactions in base64, one per bucket. Empty if there is nothing to claim. */
  transactions: string[]
  /** Shared by all transactions. Missing if there is nothing to claim. */
  blockhash?: Blockhash
}

export interface VerifySocialRequest {
  /** A user access token of the social network, with permission to read users. */
  accessToken: string
}

export interface VerifiedSocial {
  username: string
  /** The verification token, a signed JWT. Valid for ten minutes. */
  token: string
}
