import type { CreateLaunchRequest } from '@slipway/client'
import type { Evidence } from '@slipway/launch-model/plan/launch-steps'

/**
 * What the page says that a transaction does. The network is not part of it, because a transaction does not name its
 * network: only its blockhash ties it to one.
 */
export type Intent<Address extends string = string> =
  | { kind: 'fund'; agent: Address; agentWallet: Address; lamports: bigint; memo?: string | undefined }
  /** To the connected wallet, which owns the agent. */
  | { kind: 'withdraw'; agent: Address; agentWallet: Address; lamports: bigint }
  | ({ kind: 'withdraw-token'; amount: bigint | 'all' } & TokenMove<Address>)
  | ({ kind: 'fund-token'; amount: bigint; memo: string } & TokenMove<Address>)
  /** `executive` is the delegate's wallet. */
  | { kind: 'delegate'; agent: Address; executive: Address }
  | { kind: 'revoke'; agent: Address; delegate: Address }
  | { kind: 'register-executive' }
  /** `agent` is the `assetAddress` of the response. */
  | { kind: 'mint'; name: string; agent: Address; uri?: string | undefined }
  /** Everything goes to the token accounts of `wallet`. */
  | { kind: 'claim'; wallet: Address }
  | SwapIntent<Address>
  /**
   * `maxCost` is the most that leaves the wallet, penalty included. `isPartial`: the page showed that less than
   * `amount` is left.
   */
  | ({ kind: 'deposit'; amount: bigint; maxCost: bigint; isPartial?: boolean } & LaunchTokens<Address>)
  /** `amount` is the part that leaves the deposit. */
  | ({ kind: 'withdraw-deposit'; amount: bigint } & LaunchTokens<Address>)
  /** Tokens, proceeds or a refund, to the connected wallet. */
  | ({ kind: 'claim-launch' } & LaunchTokens<Address>)
  | ({ kind: 'graduate' } & LaunchTokens<Address>)
  | LaunchIntent<Address>

/**
 * Pays at most `amountIn`, and gets at least `minAmountOut`, which is the quoted amount less the chosen slippage.
 * `amountOut` is what the page says that it gives now.
 */
export interface SwapIntent<Address extends string = string> extends LaunchTokens<Address> {
  kind: 'swap'
  side: 'buy' | 'sell'
  amountIn: bigint
  amountOut: bigint
  minAmountOut: bigint
  slippageBps: number
}

/** A launch, its token and its payment token, as the page showed them. */
export interface LaunchTokens<Address extends string = string> {
  genesis: Address
  baseMint: Address
  baseDecimals: number
  /** Its creator chose it, so it proves nothing. The address is what is checked. */
  baseSymbol?: string
  quoteMint: Address
  quoteDecimals: number
}

/** A token that moves between a wallet and an agent's. */
interface TokenMove<Address extends string> {
  agent: Address
  agentWallet: Address
  mint: Address
  /** As the page showed them. */
  decimals: number
}

export interface LaunchIntent<Address extends string = string> {
  kind: 'create-launch'
  /** The addresses in the response. */
  genesisAccount: Address
  mint: Address
  launch: CreateLaunchRequest['launch']
  /** The agent of the request, if an agent creates the launch. */
  agent?: CreateLaunchRequest['agent']
}

/** An amount that matters, such as `You pay` `0.5 SOL`. */
interface Payment {
  label: string
  amount: string
  /** Whether it may turn out to be more. */
  isLeast?: boolean
}

/** An amount that the transaction doesn't promise. */
export interface Expected {
  label: string
  amount: string
  note?: string
}

/** What a deposit is for, from the chain's own accounts. */
export interface Outlook {
  expects: Expected
  /** What the launch keeps of it, if anything. */
  fee?: Expected
}

/** How many transactions are signed at once. More might not be sent before their blockhash expires. */
export const TRANSACTIONS_MAX = 20

/** One thing that a transaction does. */
export interface Step {
  text: string
  /** Full addresses and other facts that most people skip. */
  detail?: string
  /** Whether most people skip all of it, because it moves nothing or `payment` says it. */
  isMinor?: boolean
  /** What it moves, for the top of the sheet. */
  payment?: Payment[]
  /** What to say once it is confirmed, instead of the action's own words. */
  done?: string
  /**
   * What it moves out of the connected wallet, in lamports, or into it if negative. Rent and fees are not part of it.
   */
  movedLamports?: bigint
}

export interface Review {
  /** What the transaction does, in plain words. In order, unless a text says otherwise. */
  steps: Step[]
  /**
   * What the connected wallet pays besides the moved amounts: 5,000 lamports per signature. Rent of new accounts and
   * fees of programs are known only from the simulation.
   */
  feeLamports: bigint
  signers: string[]
  /** In the first transaction of a launch that is continued: what the chain must show as done. */
  earlier?: EarlierStep[]
}

/** A step of a launch that the transactions leave out. */
export interface EarlierStep {
  name: string
  evidence: Evidence
}

/**
 * A transaction does something other than what the page said. The message says what, in words for the person who was
 * about to sign. Such a transaction must not reach a wallet.
 */
export class UnexpectedTransactionError extends Error {
  override name = 'UnexpectedTransactionError'
}

export function refuse(message: string): never {
  throw new UnexpectedTransactionError(message)
}
