import type { Blockhash, Network, SlipwayError } from '@slipway/client'
import type { TransactionFailure } from '@slipway/client/kit'
import type { Expected, Intent } from '../transactions/intent.ts'
import type { Changes } from '../transactions/read-changes.ts'

/** Something that a person does with a wallet: transactions that the API builds, and what they must do. */
export interface Action {
  /** Names what is done to what, such as `withdraw:chain-mainnet:<agent>`. It can be done by one tab at a time. */
  key: string
  title: string
  network: Network
  /** Asks the API for the transactions; again after a blockhash has expired. */
  build(signal: AbortSignal): Promise<BuiltAction>
  /** Each transaction needs the one before it. */
  inOrder?: boolean
  /** What a trade gives now. It stands for the least that the bytes promise. */
  expects?: Expected
  /** What is left where the first amount comes from. Shown below it. */
  paymentNote?: string
  /** What to know before signing, below the amounts. */
  note?: string | (() => string | undefined)
  /** What to say when everything is confirmed. A function is called then, if it depends on what was built. */
  done: string | (() => string)
  /** The same with amounts, from what the chain says has changed in the wallet. Undefined if it can't tell. */
  result?(changes: Changes): string | undefined
  /** The text of the button that builds the unconfirmed transactions again; `Try again` by default. */
  rest?: string
  /** Called once transactions are signed, and whenever one of them gets further, with the state of each subject. */
  onStates?(states: ReadonlyMap<string, TransactionState>): void
  /** Where to continue once everything is confirmed. */
  next?(): { text: string; href: string }
  /** Called when everything is signed and nothing is sent yet, and again after each transaction that is confirmed. */
  onProgress?(progress: ActionProgress): void
  /** Where to continue if not everything is confirmed. Without it, the person does it again. */
  resume?: { text: string; href: string }
  /** The draft of a form that is done with when everything is confirmed. */
  draft?: string
  /** Whether another tab has done it since the sheet was opened. Called while this tab holds the lock. */
  isDone?(): boolean
  /** Called once, when everything is confirmed. */
  onConfirmed?(): void
  /** Called after that with what the sheet says at the end. */
  onDone?(text: string): void
  /** Called instead of showing the error, if the API finds a fault in what was entered. The sheet closes. */
  onInvalid?(error: SlipwayError): void | Promise<void>
}

/** What a payout brings, as the service reports it. */
export interface Income {
  units: bigint
  decimals: number
  symbol: string
  /** Absent if it arrives as SOL. */
  mint?: string
  /** Who gets it, if it is not the connected wallet. */
  to?: string
  /** Whether an agent pays it, whose program takes a fee from the owner. */
  isFromAgent?: boolean
}

/** What one of several transactions is about, in words. Transactions with the same key are shown as one. */
export interface Group {
  key: string
  name: string
  /** What all transactions with this key pay together, if the service reports it. */
  income?: readonly Income[]
}

interface ActionProgress {
  signatures: readonly string[]
  confirmed: number
  /** The last block height at which the transactions can be executed. */
  lastValidBlockHeight: number
}

/** `signed`: it is being sent, and no node has accepted it yet. */
export type TransactionState = 'ready' | 'signed' | 'sent' | 'confirmed' | TransactionFailure

export interface BuiltAction {
  /** Base64. */
  transactions: string[]
  /** The payout that the service reports: transactions that pay out everything name no amount. */
  income?: readonly Income[]
  /** What is kept of the amounts. */
  fee?: Expected | undefined
  /**
   * The approximate cost of all transactions, if not all can be simulated yet: in total, and the part for rent and
   * program fees.
   */
  estimate?: { totalLamports: bigint; rentLamports: bigint }
  /** What each of them is about, such as the address that it claims from. */
  subjects?: string[]
  /** The same in words, for the sheet. */
  groups?: readonly Group[]
  blockhash: Blockhash
  intent: Intent
}

/** Nothing can be signed now, for the reason in the message. */
export class NotNowError extends Error {}
