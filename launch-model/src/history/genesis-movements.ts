import type { Address } from '@slipway/schema/address'
import { decode, reserved, struct, u8, u64 } from '../bytes/codec.ts'
import { type CallKind, isOfKind } from '../call.ts'
import { swapOnCurve } from '../calls/trades.ts'
import { BUCKET_KINDS, kindOf } from '../kinds/kinds.ts'
import { GENESIS_PROGRAM } from '../programs.ts'
import type { Trade, TradeKind } from './trade.ts'
import type { LandedCall } from './transaction.ts'
import type { Transfers } from './transfers.ts'

type Movement = Omit<Trade, 'signature' | 'index' | 'slot' | 'time' | 'agent'>

/**
 * Where the accounts of an instruction are. The positions of `wallet` are tried in turn: an omitted account is the
 * program itself.
 */
interface Places {
  ownBase?: number
  ownQuote?: number
  bucketQuote?: number
  wallet: readonly number[]
}

const DEPOSITS: Record<'deposit' | 'withdraw' | 'claim' | 'refund', Places> = {
  deposit: { ownQuote: 5, bucketQuote: 6, wallet: [9] },
  withdraw: { bucketQuote: 5, ownQuote: 6, wallet: [9, 8] },
  claim: { ownBase: 5, wallet: [7] },
  refund: { bucketQuote: 5, ownQuote: 6, wallet: [8] },
}
const SWAP = { ownBase: 5, ownQuote: 6, bucketQuote: 7 }
/** The signer that the program requires: the owner of the payment. By default, that is the payer. */
const BUYER = [9, 8]
const SELLER = [10, 8]
/** Until client 0.23, the instruction named one owner for both token accounts. */
const SWAP_ACCOUNTS = 17

const KINDS: { call: CallKind; kind: keyof typeof DEPOSITS }[] = BUCKET_KINDS.flatMap(({ name }) => {
  const calls = kindOf(name).deposits?.calls
  return Object.entries(calls ?? {}).map(([kind, call]) => ({ kind: kind as keyof typeof DEPOSITS, call }))
})

/** What a call of Genesis has moved. Amounts come from its transfers, because its arguments may ask for more. */
export function movementOf(call: LandedCall, transfersOf: () => Transfers): Movement | undefined {
  if (isOfKind(swapOnCurve, call)) return swap(call, transfersOf())
  const found = KINDS.find(entry => isOfKind(entry.call, call))
  return found && move(found.kind, DEPOSITS[found.kind], call, transfersOf())
}

function swap(call: LandedCall, transfers: Transfers): Movement | undefined {
  const isBuy = transfers.sum({ to: call.accounts[SWAP.ownBase] }) > 0n
  const wallet = isBuy || call.accounts.length < SWAP_ACCOUNTS ? BUYER : SELLER
  const moved = move(isBuy ? 'buy' : 'sell', { ...SWAP, wallet }, call, transfers)
  return moved && { ...moved, creatorFee: creatorFeeIn(call, transfers) }
}

function move(
  kind: TradeKind,
  { wallet: wallets, ...places }: Places,
  { accounts }: LandedCall,
  { sum }: Transfers,
): Movement | undefined {
  const at = (place: number | undefined): Address | undefined =>
    place === undefined ? undefined : accounts[place]
  const wallet = wallets.map(at).find(address => address !== undefined && address !== GENESIS_PROGRAM)
  const [ownBase, ownQuote, bucketQuote] = [at(places.ownBase), at(places.ownQuote), at(places.bucketQuote)]
  const pays = kind === 'buy' || kind === 'deposit'
  const baseAmount = sum(kind === 'sell' ? { from: ownBase } : { to: ownBase })
  // Fees leave the account that pays, for accounts that are neither the wallet's nor the bucket's.
  // Wrapped native currency may also be unwrapped into the wallet.
  const unwrapped = pays || wallet === ownQuote ? 0n : sum({ from: bucketQuote, to: wallet })
  const quoteAmount = sum(pays ? { from: ownQuote } : { to: ownQuote }) + unwrapped
  const moved = sum(pays ? { from: ownQuote, to: bucketQuote } : { from: bucketQuote })
  const protocolFee = pays ? quoteAmount - moved : moved - quoteAmount
  if (!wallet || (baseAmount === 0n && quoteAmount === 0n)) return undefined
  return {
    kind,
    wallet,
    baseAmount,
    quoteAmount,
    protocolFee: protocolFee > 0n ? protocolFee : 0n,
    creatorFee: 0n,
    poolFee: 0n,
  }
}

/** Genesis calls itself to publish what it did. */
const EVENT = 255
const swapEvent = struct({
  discriminator: u8,
  type: u8,
  _direction: reserved(7),
  quoteAmount: u64,
  baseAmount: u64,
  fee: u64,
  creatorFee: u64,
})
const SWAP_EVENT = 1

/** The creator's fee stays with the curve, so no transfer shows it. Only the event of the swap does. */
function creatorFeeIn({ accounts }: LandedCall, { children }: Transfers): bigint {
  const event = children.find(
    ({ program, data, accounts: [genesis] }) =>
      program === GENESIS_PROGRAM &&
      genesis === accounts[0] &&
      data[0] === EVENT &&
      data[1] === SWAP_EVENT &&
      data.length >= (swapEvent.size as number),
  )
  return event ? decode(swapEvent, event.data).creatorFee : 0n
}
