// Generated from the service's schemas. Update it with: npx vitest run client/src/generated.test.ts -u

/** An address on the chain: base58 of exactly 32 bytes. */
export type Address = string

export type Network = 'chain-mainnet' | 'chain-devnet'

export type LaunchStatus = 'upcoming' | 'live' | 'graduated'

export type JsonObject = Record<string, unknown>

/** Fields of the EIP-8004 registration document appear alongside the documented ones. */
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

/** An A2A AgentCard as stored, without an envelope. */
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
  provider?: {
    organization: string
    url: string
    [field: string]: unknown
  }
  capabilities: {
    streaming?: boolean
    [field: string]: unknown
  }
  skills: AgentSkill[]
  defaultInputModes: string[]
  defaultOutputModes: string[]
  [field: string]: unknown
}

export interface AgentInterface {
  url: string
  protocolBinding?: string
  protocolVersion?: string
  transport?: string
  [field: string]: unknown
}

export interface AgentPage {
  agents: AgentRecord[]
  total: number
  page: number
  pageSize: number
  totalPages: number
}

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
  /**
   * The card hosted here; null if there is none. A synthesised card has no `signatures` here: fetch
   * `agent-card.json` to verify it.
   */
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

export interface AgentSkill {
  id: string
  name: string
  description: string
  tags: string[]
  [field: string]: unknown
}

export interface BaseToken {
  address: Address
  name: string
  symbol: string
  image: string
  description: string
}

export interface Blockhash {
  blockhash: string
  /** Block height after which the blockhash expires. */
  lastValidBlockHeight: number
}

export interface BondingCurveAllocation {
  type: 'bondingCurveV2'
  /** Whole tokens, with up to `decimals` decimals. */
  supply: number
  bondingCurveV2: {
    swapStartCondition: LaunchCondition
    swapEndCondition: LaunchCondition
    virtualBaseTokens: number
    virtualQuoteTokens: number
    /** A purchase that comes before all others and is free of fees. `buyer` signs too. */
    firstBuy?:
      | {
          enabled: false
        }
      | {
          enabled: true
          buyer: Address
          amount: number
        }
      | null
      | undefined
    /** The creator's part of every trade goes to this wallet. */
    creatorFee?:
      | {
          enabled: false
        }
      | {
          enabled: true
          wallet: Address
        }
      | null
      | undefined
    /** Where the proceeds go. `percentageBps` add up to 10,000. */
    fundFlows: (RaydiumFundFlow | UnlockedFundFlow)[]
  }
}

export interface BuiltTransaction {
  tx: string
  blockhash: Blockhash
}

export interface ChangeLinksRequest {
  /** The wallet that signs. */
  owner: Address
  /**
   * ISO 8601 UTC with milliseconds. The change is valid for five minutes before and after, and must be
   * newer than the last one.
   */
  issuedAt: string
  /** Any value that this owner has not used before. */
  nonce: string
  /** Base58 of the owner's ed25519 signature over the text of the change. */
  signature: string
  externalLinks: ExternalLinks
  /**
   * The agent that created the launch, if `owner` signs as its owner. Not needed if the launch was
   * registered with the agent. It is not part of the signed text: the chain shows whether its wallet is
   * the authority.
   */
  agent?: Address | null | undefined
}

export interface ClaimRequest {
  /** The creator-fee wallet of the buckets. By default, this is the wallet that created the launch. */
  wallet: Address
  /** Signs, and pays fees and rent. Defaults to `wallet`. */
  payer?: Address | undefined
  /** The network; the client's by default. */
  network?: Network | undefined
}

export interface ClaimResult {
  /** Unsigned transactions in base64, one per bucket, largest claims first; at most 256. */
  transactions: string[]
  /** Shared by all transactions: confirm them against this blockhash, never against a newer one. */
  blockhash: Blockhash
}

export interface CreateLaunchRequest {
  /** Signs and pays. */
  wallet: Address
  launch: LaunchInput
  /** The agent that creates the launch: its wallet becomes the launch's authority. */
  agent?:
    | {
        /** Address of the agent's asset, which `wallet` owns. */
        mint: Address
        /** Whether the token becomes the agent's own. An agent has one token for good. */
        setToken?: boolean | null | undefined
      }
    | null
    | undefined
  /**
   * Public key of a fresh key pair of your own, for the token. If you send it, no transaction is signed,
   * and you sign the first one with that key and the wallet.
   */
  mint?: Address | null | undefined
  /**
   * Continues a creation that stopped halfway: the `genesisAccount` of the first answer. Everything else
   * must be the same as before.
   */
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

export interface CreatorRewards {
  wallet: Address
  /** Largest claims first. */
  buckets: RewardBucket[]
  /** Totals for each quote token. */
  totals: RewardTotals[]
}

export interface ExternalLinks {
  /** An http(s) URL. */
  website?: string | null | undefined
  /** A handle (`@name`, `name`) or a profile URL. */
  social?: string | null | undefined
  /** A handle or an http(s) URL. */
  telegram?: string | null | undefined
  /** An invite code or an http(s) URL. */
  discord?: string | null | undefined
  [field: string]: unknown
}

export interface FundRequest {
  /** Signs, and pays the amount and the fee. */
  sender: Address
  /**
   * In native-currency units, with at most nine decimals, and less than 9007199.254740992. It is never
   * rounded.
   */
  amount: number
  /** Public on the chain: 1 to 256 characters, at most 566 bytes, no control characters. */
  memo: string
  /** The network; the client's by default. */
  network?: Network | undefined
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
  graduatedAt: string | null
  /** ISO 8601 UTC with milliseconds. */
  lastActivityAt: string
  type: 'launchpool' | 'presale'
}

/**
 * When something happens. `TimeRelativeToUnknownAddress` is relative to a time of another bucket of
 * the same launch.
 */
export type LaunchCondition =
  | {
      type: 'TimeAbsolute'
      /** ISO 8601. Fractions of a second are dropped. */
      timestamp: string
    }
  | {
      type: 'TimeRelativeToUnknownAddress'
      bucketType: 'launchpoolV2' | 'bondingCurveV2' | 'raydiumV2' | 'unlockedV2'
      bucketIndex: number
      bucketTime:
        | 'DepositStart'
        | 'DepositEnd'
        | 'ClaimStart'
        | 'ClaimEnd'
        | 'SwapStart'
        | 'SwapEnd'
        | 'GraduateStart'
        | 'Graduate'
      /** Seconds; 0 by default. */
      timeOffset?: number | null | undefined
    }
  | {
      type: 'Always'
    }
  | {
      type: 'Never'
    }
  | {
      type: 'Triggered'
    }

export interface LaunchData {
  launch: Launch
  baseToken: BaseToken
  website: string
  socials: Socials
}

export interface LaunchDetail {
  launch: Launch
  baseToken: BaseToken
  website: string
  socials: Socials
  /** Keys of `socials` whose accounts the launcher has proven to own. */
  verifiedSocials: ('x' | 'telegram' | 'discord')[]
  /** The agent that launched the token, if one did. */
  agent?: Address
}

/**
 * What `buildCreateLaunchPayload` of the official SDK sends for a launch pool or a bonding curve.
 * Other fields are ignored.
 */
export interface LaunchInput {
  type: 'launchpool' | 'bondingCurve'
  allocations: (LaunchPoolAllocation | BondingCurveAllocation | UnlockedAllocation)[]
  /** The same as `wallet`. */
  publicKey: Address
  /** The token's name, at most 32 bytes of UTF-8. */
  name: string
  /** The token's symbol, at most 10 bytes of UTF-8. */
  symbol: string
  /** An http(s) URL. */
  image: string
  description?: string | null | undefined
  /** Default: `6`. */
  decimals?: number | null | undefined
  /**
   * Whole tokens. The supplies of all allocations and fund flows add up to it exactly. Default:
   * `1000000000`.
   */
  supply?: number | null | undefined
  /** The network; the client's by default. */
  network?: Network | undefined
  /** The mint that is paid with. Default: `So11111111111111111111111111111111111111112`. */
  quoteMint?: Address | null | undefined
  /** Whether the last transaction finalizes the launch, after which it cannot change. Default: `true`. */
  finalize?: boolean | null | undefined
  isMutable?: true | null | undefined
  useExistingToken?: false | null | undefined
  externalLinks?: ExternalLinks | null | undefined
}

export interface LaunchPoolAllocation {
  type: 'launchpoolV2'
  /** Whole tokens, with up to `decimals` decimals. */
  supply: number
  launchpoolV2: {
    depositStartCondition: LaunchCondition
    depositEndCondition: LaunchCondition
    claimStartCondition: LaunchCondition
    claimEndCondition: LaunchCondition
    /** If less than this is raised, depositors get their funds back. */
    minimumQuoteTokenThreshold?: number | null | undefined
    /** A straight line through two points, over the time of deposits. In basis points. */
    depositBonus?:
      | {
          enabled: false
        }
      | {
          enabled: true
          point1TimeBps: number
          point1Bps: number
          point2TimeBps: number
          point2Bps: number
          maxBps: number
        }
      | null
      | undefined
    /** A straight line through two points, over the time of deposits. In basis points. */
    withdrawPenalty?:
      | {
          enabled: false
        }
      | {
          enabled: true
          point1TimeBps: number
          point1Bps: number
          point2TimeBps: number
          point2Bps: number
          maxBps: number
        }
      | null
      | undefined
    /** Where the proceeds go. `percentageBps` add up to 10,000. */
    fundFlows: (RaydiumFundFlow | UnlockedFundFlow)[]
  }
}

export interface ListAgentsRequest {
  /** The network; the client's by default. */
  network?: Network | undefined
  /** A page past the end is empty. Default: `1`. */
  page?: number | undefined
  /** Default: `24`. */
  pageSize?: number | undefined
  /**
   * Searches names and descriptions, best match first. Case, accents and punctuation do not matter, and
   * similar words match too. Nothing in it is a wildcard or an operator. A search finds at most 10,000
   * agents.
   */
  query?: string | undefined
  /** Order by registration time. In a search, this applies among equally good matches. Default: `latest`. */
  sort?: 'latest' | 'oldest' | undefined
  /** `true`: leave out agents whose registration document says `active: false`. */
  activeOnly?: boolean | undefined
  /** `true`: only agents with a primary token; `false`: only the others. */
  hasAgentToken?: boolean | undefined
  /** `true`: only agents whose registration document lists services; `false`: only the others. */
  hasServices?: boolean | undefined
  /** `true`: only agents in the spotlight; `false`: only the others. */
  spotlight?: boolean | undefined
  /** `true`: only verified agents; `false`: only the others. */
  verified?: boolean | undefined
}

export interface ListLaunchesRequest {
  /** The network; the client's by default. */
  network?: Network | undefined
  /** Only launches with this status; all by default. */
  status?: LaunchStatus | undefined
  /** `true`: only spotlight launches; `false`: only the others; all by default. */
  spotlight?: boolean | undefined
}

export interface MintAgentRequest {
  /** Signs, pays for the agent and owns it. */
  wallet: Address
  /** The network; the client's by default. */
  network?: Network | undefined
  /** The asset's name. */
  name: string
  /** URI of the asset's own metadata document, at most 200 bytes. */
  uri: string
  /**
   * The EIP-8004 registration document: `name` and `description`, and optionally `services` (`[{name,
   * endpoint, …}]`), `registrations` and any other field. At most 32 KiB, 16 levels and 256 keys.
   */
  agentMetadata: RegistrationDocument
  /** Core collection to mint into. `wallet` must be its update authority or a delegate. */
  collectionAddress?: Address | null | undefined
  /**
   * An authored A2A card (1.0 or 0.3), served byte for byte as `JSON.stringify` writes it. A URL in it
   * that points to this service must be this agent's.
   */
  a2aCard?: JsonObject | null | undefined
  /**
   * Public key of a fresh key pair of your own, for the asset. If you send it, the transaction is
   * unsigned, and you sign it with that key and the wallet.
   */
  asset?: Address | null | undefined
}

export interface MintedAgent {
  /** The transaction in base64. */
  tx: string
  blockhash: Blockhash
  /** The new agent's address. */
  assetAddress: Address
}

export interface OwnerSignature {
  /** The wallet that signs. */
  owner: Address
  /**
   * ISO 8601 UTC with milliseconds. The change is valid for five minutes before and after, and must be
   * newer than the last one.
   */
  issuedAt: string
  /** Any value that this owner has not used before. */
  nonce: string
  /** Base58 of the owner's ed25519 signature over the text of the change. */
  signature: string
}

export interface RaydiumFundFlow {
  type: 'RaydiumLP'
  supply: number
  percentageBps: number
  startCondition: LaunchCondition
  lpLockSchedule?:
    | {
        enabled: false
      }
    | {
        enabled: true
        startCondition: LaunchCondition
        duration: number
        period: number
        cliffCondition: LaunchCondition
        cliffAmountBps: number
      }
    | null
    | undefined
  /** The creator's part of every trade goes to this wallet. */
  creatorFee?:
    | {
        enabled: false
      }
    | {
        enabled: true
        wallet: Address
      }
    | null
    | undefined
}

export interface RegisterLaunchRequest {
  genesisAccount: Address
  /** The network; the client's by default. */
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
  /** Ignored: the chain decides. */
  creatorWallet?: Address | null | undefined
  /**
   * The agent that launched the token. Registration is refused unless the agent's wallet created the
   * launch, or the agent's identity names the token.
   */
  agent?:
    | {
        /** Address of the agent's asset. */
        mint: Address
      }
    | null
    | undefined
  /** From `POST /v1/social/verify`: proves the handle in `externalLinks.social`. */
  socialVerificationToken?: string | null | undefined
  [field: string]: unknown
}

export interface RegisteredLaunch {
  /** Whether the launch was registered before; if so, it has not changed. */
  existing: boolean
  launch: {
    id: string
    /** URL of the launch's page. */
    link: string
  }
  token: {
    id: string
    mintAddress: Address
  }
}

export interface RegistrationDocument {
  name: string
  description: string
  services?:
    | {
        name: string
        endpoint: string
        [field: string]: unknown
      }[]
    | undefined
  registrations?: unknown[] | undefined
  [field: string]: unknown
}

export interface ReplaceCardRequest {
  /** The wallet that signs. */
  owner: Address
  /**
   * ISO 8601 UTC with milliseconds. The change is valid for five minutes before and after, and must be
   * newer than the last one.
   */
  issuedAt: string
  /** Any value that this owner has not used before. */
  nonce: string
  /** Base58 of the owner's ed25519 signature over the text of the change. */
  signature: string
  card: AgentCard
}

export interface RewardBucket {
  address: Address
  /** A bonding curve or a constant-product AMM. */
  kind: 'bondingCurveV2' | 'raydiumCpmmV2'
  /** The launch that the bucket belongs to. */
  genesisAddress: Address
  /** The token that the creator is paid in. */
  quoteMint: Address
  /** Earned so far, as recorded in the bucket. */
  accrued: string
  /** Paid out so far, as recorded in the bucket. */
  claimed: string
  /** Still held by the pool for the creator; a claim collects it. Zero for a bonding curve. */
  uncollected: string
  /** What a claim would pay now. */
  claimable: string
}

export interface RewardTotals {
  quoteMint: Address
  /** Earned so far, as recorded in the bucket. */
  accrued: string
  /** Paid out so far, as recorded in the bucket. */
  claimed: string
  /** Still held by the pool for the creator; a claim collects it. Zero for a bonding curve. */
  uncollected: string
  /** What a claim would pay now. */
  claimable: string
}

/** URLs of the launch. Only the links that it has are present. */
export interface Socials {
  x?: string
  telegram?: string
  discord?: string
}

export interface TokenDetail {
  launches: Launch[]
  baseToken: BaseToken
  website: string
  socials: Socials
}

export interface UnlockedAllocation {
  type: 'unlockedV2'
  /** Whole tokens, with up to `decimals` decimals. */
  supply: number
  unlockedV2: {
    recipient: Address
    claimStartCondition: LaunchCondition
    claimEndCondition: LaunchCondition
  }
}

export interface UnlockedFundFlow {
  type: 'UnlockedFunds'
  supply: number
  percentageBps: number
  recipient: Address
  claimStartCondition: LaunchCondition
  claimEndCondition: LaunchCondition
}

export interface VerifiedSocial {
  username: string
  /** The verification token, a signed JWT. */
  token: string
}

export interface VerifySocialRequest {
  /** A user access token of the social network, with permission to read users. */
  accessToken: string
}

export interface WithdrawRequest {
  /** The owner, who signs, pays the fee and receives the funds. */
  sender: Address
  /**
   * In native-currency units, with at most nine decimals, and less than 9007199.254740992. It is never
   * rounded.
   */
  amount: number
  /** The network; the client's by default. */
  network?: Network | undefined
}
