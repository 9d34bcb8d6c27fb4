// Generated from the service's schemas. Update it with: npx vitest run client/src/generated.test.ts -u

/** An address on the chain: base58 of exactly 32 bytes. */
export type Address = string

export type Network = 'chain-mainnet' | 'chain-devnet'

export type LaunchStatus = 'upcoming' | 'live' | 'graduated'

export type JsonObject = Record<string, unknown>

/**
 * An agent. All fields of its EIP-8004 registration document are passed through alongside the ones
 * from the chain. Those without a type here are as their author wrote them, and not checked.
 */
export interface Agent {
  /** The agent's address: that of its asset. */
  address: Address
  /** The registration document's name, or else the asset's. */
  name: string
  /** From the registration document; may be empty. */
  description: string
  /** URI of a picture. */
  image?: string
  /** The agent's wallet, an address derived from the asset. */
  walletAddress: Address
  /** The owner of the asset, who controls the wallet. */
  owner: Address
  /** Update authority of the asset. */
  authority?: Address
  /** URI of the registration document, as the chain has it. */
  agentMetadataUri?: string
  /** Mint of the agent's own token (its primary token). */
  agentToken?: Address
  /** The card hosted here, as `agent-card.json` serves it; null if there is none. */
  a2aCard: AgentCard | null
  /** When the operator verified the agent; null if it is not verified. */
  verifiedAt: string | null
  /** Every token that the agent launched, newest first, as in lists. */
  tokens: BaseToken[]
  /** The agent's own token, if it is known here. */
  agentTokenInfo?: BaseToken
  /** Usually the type of the registration document. */
  type?: unknown
  /** Usually a list of `{name, endpoint, …}`: where to reach the agent. */
  services?: unknown
  /** Usually a boolean: whether the agent is in use. */
  active?: unknown
  /** Usually a list of `{agentId, agentRegistry}`: where it is registered. */
  registrations?: unknown
  /** Usually a list of trust models, as strings. */
  supportedTrust?: unknown
  [field: string]: unknown
}

/**
 * An A2A AgentCard as stored, without an envelope. All fields that its author wrote are passed
 * through, including those without a type here, which are not checked.
 */
export interface AgentCard {
  /** The agent's name. */
  name: string
  /** What the agent does. */
  description: string
  /** In a card built here, the card's own URL; in an authored A2A 0.3 card, the agent's main endpoint. */
  url?: string
  /** The agent's own version. */
  version: string
  /** A2A version of the card (A2A 0.3). */
  protocolVersion?: string
  /** Where the agent answers, preferred first (A2A 1.0). */
  supportedInterfaces?: AgentInterface[]
  /** The same in A2A 0.3. */
  additionalInterfaces?: AgentInterface[]
  /** URL of a picture. */
  iconUrl?: string
  /** Who runs the agent. */
  provider?: {
    /** Who runs the agent. */
    organization: string
    /** Their website. */
    url: string
    [field: string]: unknown
  }
  /** Optional parts of A2A that the agent supports. */
  capabilities: {
    /** Whether it can stream. */
    streaming?: boolean
    [field: string]: unknown
  }
  /** What the agent can do. */
  skills: AgentSkill[]
  /** Media types that it accepts. */
  defaultInputModes: string[]
  /** Media types that it answers with. */
  defaultOutputModes: string[]
  /** Usually the URL of a documentation page. */
  documentationUrl?: unknown
  /** Usually the transport of `url` (A2A 0.3). */
  preferredTransport?: unknown
  /** Usually how the agent authenticates its callers, by name. */
  securitySchemes?: unknown
  /** Usually the security schemes that a call needs (A2A 0.3). */
  security?: unknown
  /** Usually the security schemes that a call needs (A2A 1.0). */
  securityRequirements?: unknown
  /**
   * JSON web signatures of the card (A2A 1.0, section 8.4). A built card has the signature of this
   * service if it signs cards.
   */
  signatures?: unknown
  [field: string]: unknown
}

export interface AgentDelegate {
  /** The account that records the delegation on the chain. To revoke the delegation, send this address. */
  record: Address
  /** The account that registered the delegate's wallet as an executive, a wallet that owners can appoint. */
  executive: Address
  /** The delegate's wallet, which can spend everything in the agent's wallet. */
  wallet: Address
  /** When the index first saw the delegation; null before that. */
  since: string | null
  /**
   * Whether somebody else owned the agent when the index first saw the delegation. False doesn't prove
   * that the present owner appointed the delegate.
   */
  byFormerOwner: boolean
}

export interface AgentDelegates {
  /** The delegates, oldest first; at most 200. */
  delegates: AgentDelegate[]
  /** How many delegates there are. */
  total: number
}

/** A URL and protocol of the agent. Further fields are passed through. */
export interface AgentInterface {
  /** Where the agent answers. */
  url: string
  /** Such as `JSONRPC`, `GRPC` or `HTTP+JSON` (A2A 1.0). */
  protocolBinding?: string
  /** A2A version, such as `1.0`. */
  protocolVersion?: string
  /** The name of `protocolBinding` in A2A 0.3. */
  transport?: string
  [field: string]: unknown
}

/** One page. */
export interface AgentPage {
  /** The agents of this page. */
  agents: AgentRecord[]
  /** Matching agents on all pages. */
  total: number
  /** This page. */
  page: number
  /** Agents per page. */
  pageSize: number
  /** Number of pages. */
  totalPages: number
}

/** An agent in the list, in at most 8,000 bytes. Missing values are null. */
export interface AgentRecord {
  /** The agent's address: that of its asset. */
  mintAddress: Address
  /** The network that the agent is registered on. */
  network: Network
  /** The registration document's name, or else the asset's. */
  name: string
  /** From the registration document; may be empty. A long one is cut and ends in `…`. */
  description: string
  /** URI of a picture; null if there is none or it is longer than 2,048 bytes. */
  image: string | null
  /** The agent's wallet, an address derived from the asset. */
  walletAddress: Address
  /** Update authority of the asset. */
  authority: Address | null
  /** The owner of the asset, who controls the wallet. */
  owner: Address
  /** Mint of the agent's own token (its primary token). */
  agentToken: Address | null
  /** URI of the registration document, as the chain has it. */
  agentMetadataUri: string | null
  /** The EIP-8004 registration document; null until it has been fetched, and where `truncated` names it. */
  metadata: JsonObject | null
  /**
   * The hosted card; null if there is none, and where `truncated` names it. A built card comes without
   * `signatures`: to verify it, fetch `agent-card.json`.
   */
  a2aCard: AgentCard | null
  /** False if `active` is false in the registration document. */
  isActive: boolean
  /** The transaction that registered the agent; null until it is known. */
  registrationSignature: string | null
  /** When this service first stored the agent. */
  indexedAt: string
  /** When the operator put the agent into the spotlight; null if it is not there. */
  spotlightedAt: string | null
  /** When the operator verified the agent; null if it is not verified. */
  verifiedAt: string | null
  /** When the agent was registered on the chain; until that is known, the same as `indexedAt`. */
  createdAt: string
  /** When anything else here last changed. */
  updatedAt: string
  /**
   * How many wallets besides the owner can spend everything in the agent’s wallet, as far as they are
   * indexed: see `GET /v1/agents/{address}/delegates`.
   */
  delegates: number
  /** Fields that are null because they are too long for a list. `GET /v1/agents/{address}` has them. */
  truncated?: ('agentMetadataUri' | 'metadata' | 'a2aCard')[]
}

/** Something that the agent can do. Further fields are passed through. */
export interface AgentSkill {
  /** Unique within the card. */
  id: string
  /** What the skill is called. */
  name: string
  /** What the skill does. */
  description: string
  /** Keywords. */
  tags: string[]
  /** Usually prompts that the skill can handle, as strings. */
  examples?: unknown
  [field: string]: unknown
}

export interface AgentWallet {
  /** The wallet's address, derived from the agent's. */
  address: Address
  /** Native currency, in the smallest unit. */
  lamports: string
  /**
   * Tokens of both token programs, without empty accounts: wrapped SOL first, then the known ones, then
   * the others by mint.
   */
  tokens: WalletToken[]
  /** Whether there are more tokens than the 100 that are listed, or than an RPC node returns. */
  truncated: boolean
  /** The slot at which the chain was read. */
  slot: number
}

/** A token, as the chain and its own document describe it. */
export interface BaseToken {
  /** The token's mint. */
  address: Address
  /** The token's name on the chain. */
  name: string
  /** The token's symbol on the chain. */
  symbol: string
  /** URI of a picture; may be empty. */
  image: string
  /** From the token's own document; may be empty. */
  description: string
}

/** What the transaction was built with. Confirm it against this blockhash, never against a newer one. */
export interface Blockhash {
  /** The blockhash in the transaction, in base58. It expires after 150 blocks. */
  blockhash: string
  /** The last block height at which the transaction can be executed. */
  lastValidBlockHeight: number
}

export interface BondingCurveAllocation {
  /** A bonding curve. */
  type: 'bondingCurveV2'
  /** Whole tokens, with up to `decimals` decimals. */
  supply: number
  /** The bonding curve. */
  bondingCurveV2: {
    /** When trading opens. */
    swapStartCondition: LaunchCondition
    /** When trading closes. */
    swapEndCondition: LaunchCondition
    /** Whole tokens that shape the curve but are not for sale. */
    virtualBaseTokens: number
    /** Whole quote tokens that shape the curve: the more, the higher the first price. */
    virtualQuoteTokens: number
    /** A purchase that comes before all others and is free of fees. `buyer` signs too. */
    firstBuy?:
      | {
          /** Switched off, as if it were left out. */
          enabled: false
        }
      | {
          /** Switched on. */
          enabled: true
          /** Who buys. */
          buyer: Address
          /** Whole quote tokens to spend. */
          amount: number
        }
      | null
      | undefined
    /** The creator's part of every trade goes to this wallet. */
    creatorFee?:
      | {
          /** Switched off, as if it were left out. */
          enabled: false
        }
      | {
          /** Switched on. */
          enabled: true
          /** Who may claim it. */
          wallet: Address
        }
      | null
      | undefined
    /** Where the proceeds go. `percentageBps` add up to 10,000. */
    fundFlows: (RaydiumFundFlow | UnlockedFundFlow)[]
  }
}

export interface BuiltDeposit {
  /** The unsigned transaction in base64. */
  tx: string
  blockhash: Blockhash
  costs: Costs
  /** What the deposit costs now, in quote tokens. */
  cost: {
    /** Everything that leaves the wallet, besides network fees and rent. */
    paid: string
    /** The program's fee, taken out of `amount`. */
    fee: string
    /** What the launch charges on top of `amount`; zero if it has no penalty. */
    penalty: string
    /** How much the wallet's deposit grows. */
    credited: string
  }
  /** Whether the presale's cap has room for only a part of `amount`. You then pay only for that part. */
  partial: boolean
  /** The position as it will be once the transaction has landed. */
  position: LaunchPosition
  /** Decimals of the quote token. */
  quoteDecimals: number
  /** Decimals of the launched token. */
  baseDecimals: number
}

export interface BuiltGraduation {
  /** Unsigned transactions in base64. Submit them in order, each after the one before is confirmed. */
  transactions: string[]
  blockhash: Blockhash
  costs: Costs
  /** What graduation costs its payer, in lamports. */
  cost: {
    /** Raydium's fee for a new pool. */
    pool: string
    /** Rent of the pool's accounts. */
    rent: string
    /** Network fees, with the priority fee. */
    fees: string
    /** Everything that the payer spends. */
    total: string
  }
  /** Decimals of the quote token. */
  quoteDecimals: number
  /** Decimals of the launched token. */
  baseDecimals: number
}

export interface BuiltLaunchClaim {
  /** Unsigned transactions in base64. Submit them in order, each after the one before is confirmed. */
  transactions: string[]
  blockhash: Blockhash
  costs: Costs
  /** Everything that arrives. Zero if the transactions only start a claim schedule. */
  receives: {
    /** Base tokens. */
    tokens: string
    /** Quote tokens: a refund, or proceeds after fees. */
    quote: string
  }
  /** When more can be claimed; null if nothing more is expected or the time is not known. */
  nextClaim: string | null
  /** The mint of the quote token. */
  quoteMint: Address
  /** Decimals of the quote token. */
  quoteDecimals: number
  /** Decimals of the launched token. */
  baseDecimals: number
}

export interface BuiltSwap {
  /** The unsigned transaction in base64. */
  tx: string
  blockhash: Blockhash
  costs: Costs
  /** What the transaction would do now. It fails on the chain rather than give less than `minAmountOut`. */
  quote: TradeQuote
}

export interface BuiltTransaction {
  /** The unsigned transaction in base64. */
  tx: string
  blockhash: Blockhash
}

export interface BuiltTransfer {
  /** The unsigned transaction in base64. */
  tx: string
  blockhash: Blockhash
  /** With `mint` or `"all"`: what the transaction moves, in the smallest unit. */
  amount?: string
  /** Decimals of `amount`. */
  decimals?: number
}

export interface BuiltWithdrawal {
  /** The unsigned transaction in base64. */
  tx: string
  blockhash: Blockhash
  costs: Costs
  /** Quote tokens that would arrive in the wallet now, after the fee and any penalty. */
  receives: string
  /** The least that can arrive if a penalty begins or grows before the transaction lands. */
  receivesAtLeast: string
  /** The position as it will be once the transaction has landed. */
  position: LaunchPosition
  /** Decimals of the quote token. */
  quoteDecimals: number
  /** Decimals of the launched token. */
  baseDecimals: number
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
  /** All links of the launch. */
  externalLinks: ExternalLinks
  /**
   * The agent behind the launch, or `null` for none. Left out, it stays as it is. If `owner` signs as
   * the owner of the agent that created the launch, name that agent, unless the launch was registered
   * with it.
   */
  agent?: Address | null | undefined
}

export interface ClaimRequest {
  /** The creator-fee wallet of the buckets. By default, this is the wallet that created the launch. */
  wallet: Address
  /** Signs, and pays fees and rent. Defaults to `wallet`. */
  payer?: Address | undefined
  /** Whether SOL arrives unwrapped. `wallet` must then sign too; false by default. */
  unwrap?: boolean | undefined
  /** The most that the payer may pay, in lamports: see `costs`. */
  payerMax?: string | number | undefined
  /** The network; the client's by default. */
  network?: Network | undefined
}

export interface ClaimResult {
  /** Unsigned transactions in base64, one per bucket, largest claims first; at most 256. */
  transactions: string[]
  /** Shared by all transactions: confirm them against this blockhash, never against a newer one. */
  blockhash: Blockhash
  costs: Costs
}

/** What all transactions of this answer together cost, besides what they move. */
export interface Costs {
  /** What the payer pays. */
  payer: {
    /** Lamports that are spent for good: network fees with the priority fee, and what programs charge. */
    fees: string
    /**
     * The most lamports that rents can take: those of every account that the transactions create if it is
     * missing. Accounts that exist count too, because their owner can close them before the transactions
     * land. So do those that the transactions close again.
     */
    rentsMax: string
    /**
     * Lamports that rents take as things are now. Those that come back in the same transactions are left
     * out.
     */
    rentsNow: string
    /**
     * The wallets that can close the accounts and so receive the rents. If nobody can close an account,
     * its rent stays in it.
     */
    rentsGoTo: Address[]
  }
}

export interface CreateLaunchRequest {
  /** Signs and pays. */
  wallet: Address
  /** The token and how it is launched. */
  launch: LaunchInput
  /** The agent that creates the launch: its wallet becomes the launch's authority. */
  agent?:
    | {
        /** Address of the agent's asset, which `wallet` owns. */
        mint: Address
        /** Whether the token becomes the agent's own. An agent has one token for good. Default: `false`. */
        setToken?: boolean | null | undefined
      }
    | null
    | undefined
  /**
   * Only if you want to choose the address of the token: the public key of a fresh key pair of your own.
   * You then sign the first transaction with that key too. Without it, Slipway makes the key and signs
   * with it.
   */
  mint?: Address | null | undefined
  /**
   * Only to continue a creation that stopped halfway: the `genesisAccount` of the first response.
   * Everything else must be the same as before. Leave it out to create a launch.
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
  /** The wallet that the buckets pay. */
  wallet: Address
  /** Largest claims first. */
  buckets: RewardBucket[]
  /** Totals for each quote token. */
  totals: RewardTotals[]
}

export interface DelegateRequest {
  /** The owner, who signs and pays. */
  sender: Address
  /** The wallet that becomes a delegate. It must be registered as an executive. */
  executive: Address
  /** The network; the client's by default. */
  network?: Network | undefined
}

export interface DepositRequest {
  /** The wallet that deposits and signs. With `agent`, the agent's owner. */
  wallet: Address
  /** How much to deposit, in the quote token's smallest unit. It includes the fee, but not a penalty. */
  amount: string | number
  /**
   * The most that you want to pay, including a penalty. A deposit that costs more is refused. If a
   * penalty makes it cost more later, the transaction fails.
   */
  maxCost?: string | number | undefined
  /** The wallet that pays fees and rent, and signs too. Defaults to `wallet`. */
  payer?: Address | undefined
  /** An agent that `wallet` owns: the agent's own wallet takes part, and `wallet` pays fees and rent. */
  agent?: Address | undefined
  /** The most that the payer may pay, in lamports: see `costs`. */
  payerMax?: string | number | undefined
  /** The price of a compute unit, in micro-lamports; 0 by default. */
  priorityFee?: number | undefined
  /** The network; the client's by default. */
  network?: Network | undefined
}

/** The launch or agent that an event is about, when it happened, and what has changed. */
export interface EventData {
  /** The network that it happened on. */
  network: Network
  /** The launch or agent. */
  address: Address
  /** ISO 8601 UTC with milliseconds. */
  at: string
  /** Of `launch.registered`, `launch.started` and `launch.graduated`. */
  launch?: {
    /** The token's name. */
    name: string
    /** The token's symbol. */
    symbol: string
    /** URL of the picture; empty if there is none. */
    image: string
    /** URL; empty if there is none. */
    website: string
    socials: Socials
  }
  /** Of `launch.moved`: the newest figures. */
  figures?: LaunchActivityValues
  /** Of `launch.trade`. */
  trade?: LaunchTrade
  /** Sent with `agent.registered` and `agent.changed`. Absent if the agent was removed or hidden. */
  agent?: {
    /** The agent's name. */
    name: string
    /** The wallet that owns the agent. */
    owner: Address
    /** URI of the registration document; null if there is none. */
    agentMetadataUri: string | null
    /** The mint of the agent's token; null if it has none. */
    agentToken: Address | null
  }
  /** Of `launch.moved` and `launch.trade`: decimals of the quote token. */
  quoteDecimals?: number | null
  /** Decimals of the launched token. */
  baseDecimals?: number | null
}

export type EventType =
  | 'launch.registered'
  | 'launch.started'
  | 'launch.moved'
  | 'launch.trade'
  | 'launch.graduated'
  | 'launch.hidden'
  | 'agent.registered'
  | 'agent.changed'

export interface ExternalLinks {
  /** An http(s) URL. */
  website?: string | null | undefined
  /** A handle (`@name`, `name`) or a profile URL. */
  social?: string | null | undefined
  /** A handle or an http(s) URL. */
  telegram?: string | null | undefined
  /** An invite code or an http(s) URL. */
  discord?: string | null | undefined
  /** Another name of `social`, which existing SDKs send. */
  twitter?: string | null | undefined
}

export interface FundRequest {
  /** Signs, and pays the amount and the fee. */
  sender: Address
  /**
   * In whole units: `0.01` is a hundredth of a SOL. Never rounded: it must not have more decimals than
   * the currency or token, nine for SOL. A number is exact below 2^53 of the smallest unit; a decimal
   * string (`"0.01"`) always is. `"all"` is everything there is.
   */
  amount: number | string
  /** A token's mint: pays that token instead of SOL. */
  mint?: Address | undefined
  /**
   * Required. It is public on the chain, and has 1 to 256 characters, at most 566 bytes, and no control
   * characters.
   */
  memo: string
  /** The network; the client's by default. */
  network?: Network | undefined
}

export interface GraduateRequest {
  /** The wallet that signs and pays everything. */
  payer: Address
  /** The most that the payer may pay, in lamports: see `costs`. */
  payerMax?: string | number | undefined
  /** The price of a compute unit, in micro-lamports; 0 by default. */
  priorityFee?: number | undefined
  /** The network; the client's by default. */
  network?: Network | undefined
}

/** A public key (RFC 7517). */
export interface Jwk {
  /** Key type: `EC` or `OKP`. */
  kty: string
  /** Curve: `P-256` or `Ed25519`. */
  crv: string
  /** The public key, or its first coordinate, in base64url. */
  x: string
  /** The second coordinate of an `EC` key. */
  y?: string
  /** The id that a signature names. */
  kid: string
  /** The algorithm that the key is for. */
  alg: 'ES256' | 'EdDSA'
  /** The key is for signatures only. */
  use: 'sig'
}

/** A launch, as the chain describes it. */
export interface Launch {
  /** URL of the launch's page. */
  launchPage: string
  /** Allocation mechanism: `launchpoolV2`, `presaleV2`, `bondingCurveV2`. */
  mechanic: string
  /** The launch's address. */
  genesisAddress: Address
  /** Curated by the operator; no request can set it. */
  spotlight: boolean
  /** When it opens. ISO 8601 UTC with milliseconds. */
  startTime: string
  /** When it closes. */
  endTime: string
  /**
   * `upcoming` until `startTime`, then `live`, and `graduated` once its pool exists or, without one,
   * once its proceeds have been sent.
   */
  status: LaunchStatus
  /** Relative storage path of the hero image; null if there is none. */
  heroUrl: string | null
  /** When it graduated; null if it has not. */
  graduatedAt: string | null
  /** When something last happened on the chain. Listings are ordered by it. */
  lastActivityAt: string
  /** The kind of launch, for clients that know only these two. */
  type: 'launchpool' | 'presale'
}

export interface LaunchActivity {
  /** The launch's address. */
  genesisAddress: Address
  /** The mint of the quote token; null until the service has read the launch. */
  quoteMint: Address | null
  /** Decimals of the quote token. */
  quoteDecimals: number | null
  /** Decimals of the launched token. */
  baseDecimals: number | null
  /**
   * What the sale aims for, in the smallest unit of the quote token: the least that a launch pool must
   * raise, or the cap of a presale. Null for a bonding curve, and for a sale without a goal.
   */
  goal: string | null
  /** Wallets that the launch pays creator's fees to; usually one. */
  creatorWallets: Address[]
  /** The newest figures; null until the service has read the launch, which takes a second. */
  current: LaunchActivityValues | null
  /** Set if the launch has graduated and its pool cannot be read: there will be no newer figures. */
  endedAt: string | null
  /** Oldest first. */
  points: LaunchActivityPoint[]
}

export interface LaunchActivityPoint {
  /** When the interval starts. The figures are those at its end. */
  time: string
  /** Quote tokens that the sale has taken in, in the smallest unit. */
  raised: string
  /** Base tokens that were sold, in the smallest unit. */
  sold: string
  /** Base tokens that the sale offers, in the smallest unit. */
  supply: string
  /**
   * Quote tokens per whole base token, rounded down to 18 significant digits. Null while there is no
   * price, such as between graduation and the first reading of the pool.
   */
  price: string | null
  /** From 0 to 1 towards the goal, the cap or sell-out. */
  progress: number | null
  /** Deposits that the chain counts. */
  participants: number | null
  /** The creator's fees so far, in the smallest unit of the quote token. */
  creatorFees: string | null
}

export interface LaunchActivityRequest {
  /** The network; the client's by default. */
  network?: Network | undefined
  /** `hour` by default. */
  interval?: 'minute' | 'hour' | 'day' | undefined
  /** ISO 8601; a day before `to` by default. */
  from?: string | Date | undefined
  /** ISO 8601; now by default. */
  to?: string | Date | undefined
}

export interface LaunchActivityValues {
  /** Quote tokens that the sale has taken in, in the smallest unit. */
  raised: string
  /** Base tokens that were sold, in the smallest unit. */
  sold: string
  /** Base tokens that the sale offers, in the smallest unit. */
  supply: string
  /**
   * Quote tokens per whole base token, rounded down to 18 significant digits. Null while there is no
   * price, such as between graduation and the first reading of the pool.
   */
  price: string | null
  /** From 0 to 1 towards the goal, the cap or sell-out. */
  progress: number | null
  /** Deposits that the chain counts. */
  participants: number | null
  /** The creator's fees so far, in the smallest unit of the quote token. */
  creatorFees: string | null
}

export interface LaunchCandle {
  /** When the interval starts. */
  time: string
  /** The first price, before fees, in quote tokens per whole base token; null if no trade has a price. */
  open: string | null
  /** The highest price. */
  high: string | null
  /** The lowest price. */
  low: string | null
  /** The last price. */
  close: string | null
  /** The `baseAmount` of all buys and sells. */
  volumeBase: string
  /** The `quoteAmount` of all buys and sells. */
  volumeQuote: string
  /** The number of buys and sells. */
  trades: number
}

export interface LaunchCandles {
  /** The length of each candle. */
  interval: '1m' | '5m' | '15m' | '1h' | '4h' | '1d'
  /** Oldest first. */
  candles: LaunchCandle[]
  /** Whether every trade up to now is known. */
  complete: boolean
  /** Why trades are missing; null if `complete` is true. */
  reason: string | null
  /** Decimals of the quote token; null until the service has read the launch. */
  quoteDecimals: number | null
  /** Decimals of the launched token. */
  baseDecimals: number | null
}

export interface LaunchCandlesRequest {
  /** The network; the client's by default. */
  network?: Network | undefined
  /** `1h` by default. */
  interval?: '1m' | '5m' | '15m' | '1h' | '4h' | '1d' | undefined
  /** ISO 8601; 500 intervals before `to` by default. */
  from?: string | Date | undefined
  /** ISO 8601; now by default. */
  to?: string | Date | undefined
}

export interface LaunchClaimRequest {
  /** The wallet that is paid. With `agent`, the agent's owner; the agent's wallet is paid. */
  wallet: Address
  /**
   * Whether a refund arrives as SOL instead of wrapped SOL. `wallet` must then sign too; false by
   * default.
   */
  unwrap?: boolean | undefined
  /** The wallet that signs, and pays fees and rent. It can be anyone, and defaults to `wallet`. */
  payer?: Address | undefined
  /** An agent that `wallet` owns: the agent's own wallet takes part, and `wallet` pays fees and rent. */
  agent?: Address | undefined
  /** The most that the payer may pay, in lamports: see `costs`. */
  payerMax?: string | number | undefined
  /** The price of a compute unit, in micro-lamports; 0 by default. */
  priorityFee?: number | undefined
  /** The network; the client's by default. */
  network?: Network | undefined
}

/**
 * When something happens. `TimeRelativeToUnknownAddress` is relative to a time of another bucket of
 * the same launch.
 */
export type LaunchCondition =
  | {
      /** At a fixed time. */
      type: 'TimeAbsolute'
      /** ISO 8601. Fractions of a second are dropped. */
      timestamp: string
    }
  | {
      /** Before or after a time of another bucket of this launch. */
      type: 'TimeRelativeToUnknownAddress'
      /** The kind of that bucket. */
      bucketType: 'launchpoolV2' | 'bondingCurveV2' | 'raydiumV2' | 'unlockedV2'
      /** Which bucket of that kind, counted from 0. */
      bucketIndex: number
      /** Which of its times. */
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
      /** At once. */
      type: 'Always'
    }
  | {
      /** Not at all. */
      type: 'Never'
    }
  | {
      /** When a transaction triggers it. */
      type: 'Triggered'
    }

/**
 * A launch with its token and links, in at most 6 kB. A long description ends in `…`, and a longer
 * picture or link is left out. The launch’s detail has them whole.
 */
export interface LaunchData {
  launch: Launch
  /** The token that is launched. */
  baseToken: BaseToken
  /** URL; empty if there is none. */
  website: string
  socials: Socials
}

/** A launch with its token, its links and their proofs. */
export interface LaunchDetail {
  launch: Launch
  /** The token that is launched. */
  baseToken: BaseToken
  /** URL; empty if there is none. */
  website: string
  socials: Socials
  /** Keys of `socials` for which the launcher has proven that they own the account. */
  verifiedSocials: ('x' | 'telegram' | 'discord')[]
  /** The agent behind the launch, if both sides agree. */
  agent?: Address
  /** The token existed before, so the links are not those of its maker. */
  existingToken?: true
}

export interface LaunchFigures {
  /** The launch's address. */
  genesisAddress: Address
  /** The mint of the quote token; null until the service has read the launch. */
  quoteMint: Address | null
  /** Decimals of the quote token. */
  quoteDecimals: number | null
  /** Decimals of the launched token. */
  baseDecimals: number | null
  /**
   * What the sale aims for, in the smallest unit of the quote token: the least that a launch pool must
   * raise, or the cap of a presale. Null for a bonding curve, and for a sale without a goal.
   */
  goal: string | null
  /** The newest figures; null until the service has read the launch, which takes a second. */
  current: LaunchActivityValues | null
}

export interface LaunchHolders {
  /** All base tokens that exist. */
  supply: string
  /** Largest first. */
  holders: {
    /** Who controls the account. */
    owner: Address
    /** What it holds, in the smallest unit. */
    amount: string
    /** Its share of the supply, from 0 to 1. */
    share: number
    /**
     * `curve`: tokens that the bonding curve still sells. `pool`: those of Raydium's pools. `launch`: what
     * else the launch holds. `creator` and `agent`: the launch's. Null for anyone else.
     */
    label: 'curve' | 'pool' | 'launch' | 'creator' | 'agent' | null
  }[]
  /** How many parts of the launch this version can't read. Their accounts have no label. */
  unreadParts: number
  /** Decimals of the quote token. */
  quoteDecimals: number
  /** Decimals of the launched token. */
  baseDecimals: number
  /** The slot at which the chain was read. */
  slot: number
}

/**
 * What `buildCreateLaunchPayload` of the official SDK sends for a launch pool or a bonding curve.
 * Other fields are ignored.
 */
export interface LaunchInput {
  /**
   * A launch pool shares its tokens among the depositors; a bonding curve sells them at a price that
   * follows a curve.
   */
  type: 'launchpool' | 'bondingCurve'
  /**
   * Where the supply goes: exactly one launch pool or bonding curve, as `type` says, and any number of
   * unlocked parts.
   */
  allocations: (LaunchPoolAllocation | BondingCurveAllocation | UnlockedAllocation)[]
  /** The same as `wallet`. */
  publicKey: Address
  /** The token's name, at most 32 bytes of UTF-8. */
  name: string
  /** The token's symbol, at most 10 bytes of UTF-8. */
  symbol: string
  /** An http(s) URL. */
  image: string
  /** What the token is for. */
  description?: string | null | undefined
  /** Decimals of the token. Default: `6`. */
  decimals?: number | null | undefined
  /**
   * Whole tokens. The supplies of all allocations and fund flows add up to it exactly. Default:
   * `1000000000`.
   */
  supply?: number | null | undefined
  /** The network; the client's by default. */
  network?: Network | undefined
  /** The mint of the payment token. Default: `So11111111111111111111111111111111111111112`. */
  quoteMint?: Address | null | undefined
  /** Whether the last transaction finalizes the launch, after which it cannot change. Default: `true`. */
  finalize?: boolean | null | undefined
  /** Only `true`: the program creates mutable metadata only. */
  isMutable?: true | null | undefined
  /** Only `false`: a launch creates a new token. */
  useExistingToken?: false | null | undefined
  /** Links of the token. */
  externalLinks?: ExternalLinks | null | undefined
}

/** Where a page is in its list. */
export interface LaunchPageInfo {
  /** The `cursor` of the next page; null on the last one. */
  next: string | null
  /**
   * Matching launches on all pages. A search counts at most 5,000. With `closed`, it may be five seconds
   * old.
   */
  total: number
  /**
   * Only if the request asks for `counts`: how many launches of each status there are, and how many of
   * the live ones are closed, under the same `mechanic` and `spotlight`.
   */
  counts?: {
    /** Launches that have not started. */
    upcoming: number
    /** Launches that have started and not graduated. */
    live: number
    /** Launches that have graduated. */
    graduated: number
    /** Launches among the live ones whose end has passed. May be five seconds old. */
    closed: number
  }
  /** Only if the request asks for `figures`: the newest figures of this page's launches. */
  figures?: LaunchFigures[]
}

export interface LaunchPoolAllocation {
  /** A launch pool. */
  type: 'launchpoolV2'
  /** Whole tokens, with up to `decimals` decimals. */
  supply: number
  /** The launch pool. */
  launchpoolV2: {
    /** When deposits open. */
    depositStartCondition: LaunchCondition
    /** When deposits close. */
    depositEndCondition: LaunchCondition
    /** When claims open. */
    claimStartCondition: LaunchCondition
    /** When claims close. */
    claimEndCondition: LaunchCondition
    /** If less than this is raised, depositors get their funds back. */
    minimumQuoteTokenThreshold?: number | null | undefined
    /**
     * What early depositors get on top. A straight line through two points, over the time of deposits, in
     * basis points.
     */
    depositBonus?:
      | {
          /** Switched off, as if it were left out. */
          enabled: false
        }
      | {
          /** Switched on. */
          enabled: true
          /** When the first point is, as a part of the time of deposits. */
          point1TimeBps: number
          /** The value at the first point. */
          point1Bps: number
          /** When the second point is. */
          point2TimeBps: number
          /** The value at the second point. */
          point2Bps: number
          /** The value is never more than this. */
          maxBps: number
        }
      | null
      | undefined
    /**
     * What leaving early costs. A straight line through two points, over the time of deposits, in basis
     * points.
     */
    withdrawPenalty?:
      | {
          /** Switched off, as if it were left out. */
          enabled: false
        }
      | {
          /** Switched on. */
          enabled: true
          /** When the first point is, as a part of the time of deposits. */
          point1TimeBps: number
          /** The value at the first point. */
          point1Bps: number
          /** When the second point is. */
          point2TimeBps: number
          /** The value at the second point. */
          point2Bps: number
          /** The value is never more than this. */
          maxBps: number
        }
      | null
      | undefined
    /** Where the proceeds go. `percentageBps` add up to 10,000. */
    fundFlows: (RaydiumFundFlow | UnlockedFundFlow)[]
  }
}

export interface LaunchPosition {
  /** The wallet that has this position. */
  wallet: Address
  /**
   * Quote tokens that the wallet has in the launch: its deposits without fees, less what it has
   * withdrawn.
   */
  deposited: string
  /** The wallet's share of the sale, from 0 to 1. */
  share: number
  /** Base tokens that the wallet gets in all if the sale ends as it is now. */
  entitled: string
  /** Base tokens that a claim would pay now. */
  claimable: string
  /** Base tokens that have been claimed. */
  claimed: string
  /** Quote tokens that a claim would pay back now, after a missed goal. */
  refundable: string
  /** The wallet's part of the money raised that a claim would pay now, in quote tokens, after fees. */
  proceeds: string
  /** Base tokens in the wallet's token account. */
  balance: string
  /** Quote tokens that the wallet has paid in all known trades; null until trades are indexed. */
  paid: string | null
  /** Quote tokens that the wallet has received in all known trades; null until trades are indexed. */
  received: string | null
  /** When more can be claimed; null if nothing more is expected or the time is not known. */
  nextClaim: string | null
  /** What the wallet can do now, and the reason for anything it can't do. */
  actions: {
    /** `claim` stands for everything that the launch pays out, refunds included. */
    action: 'buy' | 'sell' | 'deposit' | 'withdraw' | 'claim'
    /** Whether the action is possible now. */
    available: boolean
    /** Why it is not possible, as the text of the error that you would get; null if it is possible. */
    reason: string | null
  }[]
  /** How many parts of the launch this version can't read. What they hold for the wallet is not counted. */
  unreadParts: number
  /** The mint of the quote token. */
  quoteMint: Address
  /** Decimals of the quote token. */
  quoteDecimals: number
  /** Decimals of the launched token. */
  baseDecimals: number
  /** The slot at which the chain was read. */
  slot: number
}

export interface LaunchTrade {
  /** The signature of the transaction. */
  signature: string
  /** Tells several trades of one transaction apart. */
  index: number
  /** The slot of the transaction. */
  slot: number
  /** The time of the block. */
  time: string
  /** What the wallet did. */
  kind: 'buy' | 'sell' | 'deposit' | 'withdraw' | 'claim' | 'refund'
  /** Whose funds moved. If an agent traded, it is the agent's wallet. */
  wallet: Address
  /** The agent that traded; null if none did. */
  agent: Address | null
  /** Base tokens, in the smallest unit. */
  baseAmount: string
  /** Quote tokens that the wallet paid or received, after all fees, in the smallest unit. */
  quoteAmount: string
  /** The Genesis program's fee. */
  protocolFee: string
  /** The creator's fee. */
  creatorFee: string
  /**
   * Before fees, in quote tokens per whole base token; null unless it is a buy or a sell of at least
   * 2,000 units of each token.
   */
  price: string | null
}

export interface LaunchTrades {
  /** Newest first. */
  trades: LaunchTrade[]
  /** The `before` of the next page, with older trades; null on the last one. */
  next: string | null
  /** Whether every trade up to now is known. */
  complete: boolean
  /** Why trades are missing; null if `complete` is true. */
  reason: string | null
  /** Decimals of the quote token; null until the service has read the launch. */
  quoteDecimals: number | null
  /** Decimals of the launched token. */
  baseDecimals: number | null
}

export interface LaunchTradesRequest {
  /** The network; the client's by default. */
  network?: Network | undefined
  /** Trades per page; 50 by default. */
  limit?: number | undefined
  /** Continues after the page whose `next` this is. All other parameters except `limit` must be the same. */
  before?: string | undefined
  /** Only trades of this wallet. */
  wallet?: Address | undefined
  /** Only trades of this kind. */
  kind?: 'buy' | 'sell' | 'deposit' | 'withdraw' | 'claim' | 'refund' | undefined
}

export interface ListAgentsRequest {
  /** The network; the client's by default. */
  network?: Network | undefined
  /** The page, counted from 1. A page past the end is empty. Default: `1`. */
  page?: number | undefined
  /** Agents per page. Default: `24`. */
  pageSize?: number | undefined
  /**
   * Searches names, descriptions, skills and services, best match first. It can be a sentence: agents
   * are ranked by how many of its words they have. Case, accents and punctuation do not matter, and
   * similar words match too. Nothing in it is a wildcard or an operator. A search finds at most 10,000
   * agents.
   */
  query?: string | undefined
  /** Only agents that this wallet owns, at most 10,000 of them. */
  owner?: Address | undefined
  /** Order by registration time. In a search, this applies among equally good matches. Default: `latest`. */
  sort?: 'latest' | 'oldest' | undefined
  /** `true`: leave out agents whose registration document says `active: false`. */
  activeOnly?: boolean | undefined
  /** `true`: only agents with a token of their own; `false`: only the others. */
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
  /**
   * Searches names, symbols, addresses and mints, best match first. Case, accents and punctuation do not
   * matter in names and symbols, and similar words match too. The beginning of an address is enough, at
   * least four characters. A search finds at most 5,000 launches. Returns a page.
   */
  query?: string | undefined
  /**
   * `activity` (the default): the latest activity first. `newest`: the last registered first. `raised`:
   * the largest amount first; native currency comes before all other tokens, whose amounts can’t be
   * compared. `progress`: the nearest to the goal, the cap or selling out first. `ending`: the next to
   * end first, then those that have ended, the last first. Unknown figures come last, and equal launches
   * are ordered by `genesisAddress`. In a search, this applies among equally good matches. Returns a
   * page.
   */
  sort?: 'activity' | 'newest' | 'raised' | 'progress' | 'ending' | undefined
  /**
   * `true`: only closed launches, which are `live` although their end has passed; `false`: all others.
   * Ignored where the response is not a page.
   */
  closed?: boolean | undefined
  /** Only launches with this mechanic; all by default. Returns a page. */
  mechanic?: 'launchpoolV2' | 'presaleV2' | 'bondingCurveV2' | undefined
  /** Only launches that pay their creator fees to this wallet, at most 10,000 of them. Returns a page. */
  creator?: Address | undefined
  /** Launches per page. Returns a page. Default: `50`. */
  limit?: number | undefined
  /**
   * Continues after the page whose `next` this is. All other parameters except `limit` must be the same.
   * Returns a page.
   */
  cursor?: string | undefined
  /**
   * `true`: a page also says how many launches of each status there are, and how many of the live ones
   * are closed. Ignored in a search, with `creator`, and where the response is not a page.
   */
  counts?: boolean | undefined
  /**
   * `true`: a page also has the newest figures of its launches, such as what each has raised. Ignored
   * where the response is not a page.
   */
  figures?: boolean | undefined
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
   * Only if you want to choose the address of the agent: the public key of a fresh key pair of your own.
   * You then sign with that key too. Without it, Slipway makes the key and signs with it.
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

export interface QuoteRequest {
  /** The network; the client's by default. */
  network?: Network | undefined
  /** Whether you buy or sell base tokens, which are the launch's own. */
  side: 'buy' | 'sell'
  /** In the smallest unit, as decimal digits. */
  amount: string | number
  /**
   * `in` (default): `amount` is what you pay, in quote tokens for a purchase and in base tokens for a
   * sale. `out`: `amount` is the least you receive, after fees.
   */
  mode?: 'in' | 'out' | undefined
  /** How much less than quoted you would accept, in basis points; 100, which is 1 %, by default. */
  slippageBps?: number | undefined
  /** Who would trade. Only a reserved first buy needs it. */
  wallet?: Address | undefined
  /** The slot in which your transaction was confirmed. The answer is as of that slot or later. */
  minSlot?: number | undefined
}

export interface RaydiumFundFlow {
  /** Into a Raydium pool, with which the launch graduates. At most one. */
  type: 'RaydiumLP'
  /** Whole tokens that go into the pool. */
  supply: number
  /** Its part of the proceeds, in basis points. */
  percentageBps: number
  /** When the pool can be created. */
  startCondition: LaunchCondition
  /** How the pool's liquidity is locked. With `Never`, it is locked for good. */
  lpLockSchedule?:
    | {
        /** Switched off, as if it were left out. */
        enabled: false
      }
    | {
        /** Switched on. */
        enabled: true
        /** When the release begins. */
        startCondition: LaunchCondition
        /** Seconds from the first to the last release. */
        duration: number
        /** Seconds between two releases. */
        period: number
        /** Before this, nothing is released. */
        cliffCondition: LaunchCondition
        /** What is released at that time, in basis points. */
        cliffAmountBps: number
      }
    | null
    | undefined
  /** The creator's part of every trade goes to this wallet. */
  creatorFee?:
    | {
        /** Switched off, as if it were left out. */
        enabled: false
      }
    | {
        /** Switched on. */
        enabled: true
        /** Who may claim it. */
        wallet: Address
      }
    | null
    | undefined
}

export interface RegisterExecutiveRequest {
  /** The wallet that registers, signs and pays. */
  wallet: Address
  /** The network; the client's by default. */
  network?: Network | undefined
}

export interface RegisterLaunchRequest {
  /** The launch's address. */
  genesisAccount: Address
  /** The network; the client's by default. */
  network?: Network | undefined
  /** What to list the launch with. */
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
    /** Links to show with the launch. */
    externalLinks?: ExternalLinks | null | undefined
    /** The relative storage path of the hero image. */
    heroUrl?: string | null | undefined
  }
  /** Ignored: the chain decides. */
  creatorWallet?: Address | null | undefined
  /**
   * The agent behind the launch. Both must agree: on the chain, or by a signed change of the launch's
   * authority.
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
  /** Another name of `socialVerificationToken`, which existing SDKs send. */
  twitterVerificationToken?: string | null | undefined
}

export interface RegisteredLaunch {
  /** Whether the launch was registered before; if so, it has not changed. */
  existing: boolean
  /** The launch as it is listed. */
  launch: {
    /** Id of the registration. */
    id: string
    /** URL of the launch's page. */
    link: string
  }
  /** Its token. */
  token: {
    /** Id of the token here. */
    id: string
    /** The token's mint. */
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

/** An agent that offers a service. */
export interface RegistryEntry {
  /** `urn:air:<host>:agent:<network>:<address>`, with the host of this deployment. */
  identifier: string
  /** The agent's name. */
  displayName: string
  /** What `url` leads to: an A2A AgentCard. */
  type: 'application/a2a-agent-card+json'
  /** The agent's card. */
  url: string
  /** What the agent does; may be shortened. */
  description: string
  /** Keywords of its skills. */
  tags: string[]
  /** The names of its skills. */
  capabilities: string[]
  /** When it last changed here. */
  updatedAt: string
  /** What the chain and this deployment say about it. */
  metadata: {
    /** The network that the agent is registered on. */
    network: Network
    /** The agent's address. */
    address: string
    /** Whether the operator has verified the agent. */
    verified: boolean
  }
}

export interface RegistryResult {
  /** `urn:air:<host>:agent:<network>:<address>`, with the host of this deployment. */
  identifier: string
  /** The agent's name. */
  displayName: string
  /** What `url` leads to: an A2A AgentCard. */
  type: 'application/a2a-agent-card+json'
  /** The agent's card. */
  url: string
  /** What the agent does; may be shortened. */
  description: string
  /** Keywords of its skills. */
  tags: string[]
  /** The names of its skills. */
  capabilities: string[]
  /** When it last changed here. */
  updatedAt: string
  /** What the chain and this deployment say about it. */
  metadata: {
    /** The network that the agent is registered on. */
    network: Network
    /** The agent's address. */
    address: string
    /** Whether the operator has verified the agent. */
    verified: boolean
  }
  /** The part of the words that the entry has, in percent. It says nothing about trust. */
  score: number
  /** The registry that has the entry. */
  source: string
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
  /** The new card. */
  card: AgentCard
}

export interface RevokeRequest {
  /** The owner or the delegate, who signs and pays the fee. */
  sender: Address
  /** The `record` of the delegation, from `GET /v1/agents/{address}/delegates`. */
  record: Address
  /** The network; the client's by default. */
  network?: Network | undefined
}

export interface RewardBucket {
  /** The bucket. */
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

/** URLs of the launch. Only the links that it has are present. */
export interface Socials {
  /** URL of the profile on X. */
  x?: string
  /** URL on Telegram. */
  telegram?: string
  /** URL of an invitation on Discord. */
  discord?: string
}

export interface SwapRequest {
  /** The wallet that trades and signs. With `agent`, the agent's owner. */
  wallet: Address
  /** Whether you buy or sell base tokens, which are the launch's own. */
  side: 'buy' | 'sell'
  /** In the smallest unit, as decimal digits. */
  amount: string | number
  /**
   * `in` (default): `amount` is what you pay, in quote tokens for a purchase and in base tokens for a
   * sale. `out`: `amount` is the least you receive, after fees.
   */
  mode?: 'in' | 'out' | undefined
  /** How much less than quoted you accept, in basis points; 100 by default. */
  slippageBps?: number | undefined
  /** The least you accept, in the smallest unit. Replaces `slippageBps`. */
  minAmountOut?: string | number | undefined
  /** The wallet that pays fees and rent, and signs too. Defaults to `wallet`. */
  payer?: Address | undefined
  /** An agent that `wallet` owns: the agent's own wallet takes part, and `wallet` pays fees and rent. */
  agent?: Address | undefined
  /** The most that the payer may pay, in lamports: see `costs`. */
  payerMax?: string | number | undefined
  /** The price of a compute unit, in micro-lamports; 0 by default. */
  priorityFee?: number | undefined
  /** The network; the client's by default. */
  network?: Network | undefined
}

/** A token with all of its launches. */
export interface TokenDetail {
  /** Newest activity first. */
  launches: Launch[]
  /** The token that is launched. */
  baseToken: BaseToken
  /** URL; empty if there is none. */
  website: string
  socials: Socials
}

export interface TradeQuote {
  /** Whether base tokens are bought or sold. */
  side: 'buy' | 'sell'
  /** Where the launch trades now: on its bonding curve or, once it has graduated, in its pool. */
  venue: 'curve' | 'pool'
  /** What would be paid, fees included. */
  amountIn: string
  /** What would be received, after fees. */
  amountOut: string
  /** `amountOut` less the slippage, rounded down. With `mode=out`, `amount` less the slippage. */
  minAmountOut: string
  /** Fees, which are taken out of the trade. */
  fees: {
    /** The Genesis program's fee, in quote tokens. */
    protocol: string
    /**
     * The creator's fee. On a curve, it is in quote tokens; in a pool, in the token that the pool was set
     * up to take it in.
     */
    creator: string
    /** The pool's own fee, in the token that is paid; zero on a curve. */
    pool: string
  }
  /** The price before the trade, without fees, in quote tokens per whole base token. */
  price: string
  /** The price after the trade. */
  priceAfter: string
  /** How far the average price, before fees, is from the price before the trade, in basis points. */
  priceImpactBps: number
  /** Whether the curve has less left than you asked for. The amounts are then for what is left. */
  partial: boolean
  /** The mint of the quote token. */
  quoteMint: Address
  /** Decimals of the quote token. */
  quoteDecimals: number
  /** Decimals of the launched token. */
  baseDecimals: number
  /** The slot at which the chain was read. */
  slot: number
}

export interface UnlockedAllocation {
  /** Tokens for a wallet. */
  type: 'unlockedV2'
  /** Whole tokens, with up to `decimals` decimals. */
  supply: number
  /** Who gets them, and when. */
  unlockedV2: {
    /** Who may claim it. */
    recipient: Address
    /** When claims open. */
    claimStartCondition: LaunchCondition
    /** When claims close. */
    claimEndCondition: LaunchCondition
  }
}

export interface UnlockedFundFlow {
  /** To a wallet. */
  type: 'UnlockedFunds'
  /** Whole tokens that go to the wallet as well. */
  supply: number
  /** Its part of the proceeds, in basis points. */
  percentageBps: number
  /** Who may claim it. */
  recipient: Address
  /** When claims open. */
  claimStartCondition: LaunchCondition
  /** When claims close. */
  claimEndCondition: LaunchCondition
}

export interface VerifiedSocial {
  /** The username at the social network. */
  username: string
  /** The verification token, a signed JWT. */
  token: string
}

export interface VerifySocialRequest {
  /** A user access token of the social network, with permission to read users. */
  accessToken: string
}

/** What a wallet has here. */
export interface Wallet {
  /**
   * What the wallet has in registered launches, by its deposits and token accounts. The launch that was
   * registered last comes first. A deposit that has been withdrawn or refunded is left out.
   */
  positions: WalletPosition[]
  /** Launches that pay their creator fees to the wallet, the last registered first. */
  launches: LaunchData[]
  /** Agents that the wallet owns, the newest first. */
  agents: WalletAgent[]
  /** Creator rewards, per quote token. */
  rewards: WalletRewards[]
  /**
   * Whether the wallet has more than the 1,000 token accounts that were looked at, or more than an RPC
   * node returns. Positions that are only token balances may then be missing.
   */
  truncated: boolean
  /**
   * Launches of this page of positions whose accounts the chain did not return. The wallet may have
   * something in them.
   */
  unavailable: Address[]
  /** Where each list continues; null at its end. */
  next: {
    /** The `positions` parameter of the next page. */
    positions: string | null
    /** The `launches` parameter of the next page. */
    launches: string | null
    /** The `agents` parameter of the next page. */
    agents: string | null
    /** The `rewards` parameter of the next page. */
    rewards: string | null
  }
}

export interface WalletAgent {
  /** The agent's address. */
  address: Address
  /** The agent's name. */
  name: string
  /** URI of a picture; null if there is none. */
  image: string | null
  /** The agent's own wallet. */
  wallet: Address
  /** Native currency in the agent's wallet, in the smallest unit, as decimal digits. */
  lamports: string
}

/** What a wallet has in a launch, with the launch. */
export interface WalletPosition {
  /** The launch's address. */
  genesisAddress: Address
  launch: Launch
  /** The token that is launched. */
  baseToken: BaseToken
  /** The wallet that has this position. */
  wallet: Address
  /**
   * Quote tokens that the wallet has in the launch: its deposits without fees, less what it has
   * withdrawn.
   */
  deposited: string
  /** The wallet's share of the sale, from 0 to 1. */
  share: number
  /** Base tokens that the wallet gets in all if the sale ends as it is now. */
  entitled: string
  /** Base tokens that a claim would pay now. */
  claimable: string
  /** Base tokens that have been claimed. */
  claimed: string
  /** Quote tokens that a claim would pay back now, after a missed goal. */
  refundable: string
  /** The wallet's part of the money raised that a claim would pay now, in quote tokens, after fees. */
  proceeds: string
  /** Base tokens in the wallet's token account. */
  balance: string
  /** Quote tokens that the wallet has paid in all known trades; null until trades are indexed. */
  paid: string | null
  /** Quote tokens that the wallet has received in all known trades; null until trades are indexed. */
  received: string | null
  /** When more can be claimed; null if nothing more is expected or the time is not known. */
  nextClaim: string | null
  /** What the wallet can do now, and the reason for anything it can't do. */
  actions: {
    /** `claim` stands for everything that the launch pays out, refunds included. */
    action: 'buy' | 'sell' | 'deposit' | 'withdraw' | 'claim'
    /** Whether the action is possible now. */
    available: boolean
    /** Why it is not possible, as the text of the error that you would get; null if it is possible. */
    reason: string | null
  }[]
  /** How many parts of the launch this version can't read. What they hold for the wallet is not counted. */
  unreadParts: number
  /** The mint of the quote token. */
  quoteMint: Address
  /** Decimals of the quote token. */
  quoteDecimals: number
  /** Decimals of the launched token. */
  baseDecimals: number
  /** The slot at which the chain was read. */
  slot: number
}

export interface WalletRequest {
  /** The network; the client's by default. */
  network?: Network | undefined
  /** Entries per list. Default: `200`. */
  limit?: number | undefined
  /** Continues the list of positions after the page whose `next.positions` this is. */
  positions?: string | undefined
  /** Continues the list of launches after the page whose `next.launches` this is. */
  launches?: string | undefined
  /** Continues the list of agents after the page whose `next.agents` this is. */
  agents?: string | undefined
  /** Continues the list of rewards after the page whose `next.rewards` this is. */
  rewards?: string | undefined
  /** The slot in which your transaction was confirmed. The answer is as of that slot or later. */
  minSlot?: number | undefined
}

export interface WalletRewards {
  /** The token that the creator is paid in. */
  quoteMint: Address
  /** What a claim would pay now, in the smallest unit, as decimal digits. */
  claimable: string
  /** How many buckets pay the wallet in this token. */
  buckets: number
}

export interface WalletToken {
  /** The token's mint. It identifies the token; the name does not. */
  mint: Address
  /** The sum of all token accounts of this mint, in the smallest unit, as decimal digits. */
  amount: string
  /** Decimals of the token. */
  decimals: number
  /**
   * The symbol in the metadata of the mint, at most 16 characters; may be empty. Issuers can choose any
   * symbol.
   */
  symbol: string
  /**
   * The name in the metadata of the mint, at most 64 characters; may be empty. Issuers can choose any
   * name.
   */
  name: string
  /**
   * Whether this is wrapped SOL, the agent's own token, or the token of a launch that is registered
   * here. Anyone can send an agent any other token.
   */
  known: boolean
  /**
   * What restricts transfers of this token; null if nothing does. With `fee`, less arrives than is sent.
   * With the others, a transfer fails here: `frozen` (the token account is frozen), `non-transferable`
   * (the token can never be transferred), `paused` (all transfers are paused) or `hook` (each transfer
   * calls another program).
   */
  restriction: 'frozen' | 'non-transferable' | 'paused' | 'hook' | 'fee' | null
}

/** A trade, with the launch that it was made in. */
export interface WalletTrade {
  /** The launch's address. */
  genesisAddress: Address
  /** The token that is launched. */
  baseToken: {
    /** The token's mint. */
    address: Address
    /** The token's name on the chain. */
    name: string
    /** The token's symbol on the chain. */
    symbol: string
    /** URI of a picture; may be empty. */
    image: string
  }
  /** The signature of the transaction. */
  signature: string
  /** Tells several trades of one transaction apart. */
  index: number
  /** The slot of the transaction. */
  slot: number
  /** The time of the block. */
  time: string
  /** What the wallet did. */
  kind: 'buy' | 'sell' | 'deposit' | 'withdraw' | 'claim' | 'refund'
  /** Whose funds moved. If an agent traded, it is the agent's wallet. */
  wallet: Address
  /** The agent that traded; null if none did. */
  agent: Address | null
  /** Base tokens, in the smallest unit. */
  baseAmount: string
  /** Quote tokens that the wallet paid or received, after all fees, in the smallest unit. */
  quoteAmount: string
  /** The Genesis program's fee. */
  protocolFee: string
  /** The creator's fee. */
  creatorFee: string
  /**
   * Before fees, in quote tokens per whole base token; null unless it is a buy or a sell of at least
   * 2,000 units of each token.
   */
  price: string | null
  /** The mint of the quote token; null until the service has read the launch. */
  quoteMint: Address | null
  /** Decimals of the quote token; null until the service has read the launch. */
  quoteDecimals: number | null
  /** Decimals of the launched token. */
  baseDecimals: number | null
}

export interface WalletTrades {
  /** Newest first. */
  trades: WalletTrade[]
  /** The `before` of the next page, with older trades; null on the last one. */
  next: string | null
  /** Whether every trade up to now is known. */
  complete: boolean
  /** Why trades are missing; null if `complete` is true. */
  reason: string | null
}

export interface WalletTradesRequest {
  /** The network; the client's by default. */
  network?: Network | undefined
  /** Trades per page; 50 by default. */
  limit?: number | undefined
  /** Continues after the page whose `next` this is. All other parameters except `limit` must be the same. */
  before?: string | undefined
}

export interface WithdrawDepositRequest {
  /** The wallet that withdraws its deposit and signs. With `agent`, the agent's owner. */
  wallet: Address
  /** In the smallest unit, as decimal digits, or `all`. */
  amount: 'all' | string | number
  /** The wallet that pays fees and rent, and signs too. Defaults to `wallet`. */
  payer?: Address | undefined
  /** An agent that `wallet` owns: the agent's own wallet takes part, and `wallet` pays fees and rent. */
  agent?: Address | undefined
  /** The most that the payer may pay, in lamports: see `costs`. */
  payerMax?: string | number | undefined
  /** The price of a compute unit, in micro-lamports; 0 by default. */
  priorityFee?: number | undefined
  /** The network; the client's by default. */
  network?: Network | undefined
}

export interface WithdrawRequest {
  /** The owner, who signs, pays the fee and receives the funds. */
  sender: Address
  /**
   * In whole units: `0.01` is a hundredth of a SOL. Never rounded: it must not have more decimals than
   * the currency or token, nine for SOL. A number is exact below 2^53 of the smallest unit; a decimal
   * string (`"0.01"`) always is. `"all"` is everything there is.
   */
  amount: number | string
  /** A token's mint: withdraws that token instead of SOL. */
  mint?: Address | undefined
  /** The network; the client's by default. */
  network?: Network | undefined
}
