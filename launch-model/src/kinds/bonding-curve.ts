import { firstOf, type Moment } from '../actions.ts'
import { address, bool, type Decoded, list, partOf, reserved, struct, u8, u64 } from '../bytes/codec.ts'
import { defineCall } from '../call.ts'
import { condition, strictCondition } from '../conditions.ts'
import { GENESIS_PROGRAM } from '../programs.ts'
import { CONSTANT_PRODUCT, pendingFirstBuy, quoteOnCurve, reservesOf } from '../trade/curve.ts'
import { type BucketKind, ratio, type SaleRefusals, shareOf } from './bucket-kind.ts'
import {
  ADDED_BUCKET,
  BUCKET_BASE,
  behavior,
  behaviorList,
  extensionList,
  firstBuy,
  optionalAddress,
  optionalCreatorFee,
  optionalFirstBuy,
} from './bucket-parts.ts'
import { WORDS } from './words.ts'

/** The virtual reserves, which the constant product adds to the real ones. */
const virtualReserves = struct({ quote: u64, base: u64 })

const EXTENSIONS_AT = 488
const layout = struct({
  key: u8,
  depositFeeType: u8,
  withdrawFeeType: u8,
  /** 0 is the constant product. */
  bondingCurveType: u8,
  _fees: reserved(4),
  depositFee: u64,
  withdrawFee: u64,
  /** Without fees, and net of tokens sold back. */
  quoteTokenDepositTotal: u64,
  ...BUCKET_BASE,
  conditions: struct({ SwapStart: condition, SwapEnd: condition }),
  creatorFeeAccrued: u64,
  creatorFeeClaimed: u64,
  _reserved: reserved(120),
  extensions: struct({
    backendSigner: optionalAddress,
    firstBuy: optionalFirstBuy,
    firstBuyDone: bool,
    _align: reserved(7),
    creatorFee: optionalCreatorFee,
  }),
  _end: reserved(76),
  endBehaviors: list(behavior),
  virtualReserves,
})
export type BondingCurveAccount = Decoded<typeof layout>

export const addCurve = defineCall(
  'addCurve',
  GENESIS_PROGRAM,
  87,
  struct({
    ...ADDED_BUCKET,
    conditions: struct({ SwapStart: strictCondition, SwapEnd: strictCondition }),
    virtualReserves,
  }),
)
export const extendCurve = defineCall(
  'extendCurve',
  GENESIS_PROGRAM,
  88,
  extensionList({ firstBuy: [1, firstBuy], creatorFee: [2, struct({ wallet: address })] }),
)
export const setCurveBehaviors = defineCall('setCurveBehaviors', GENESIS_PROGRAM, 90, behaviorList)

function refusals(curve: BondingCurveAccount, { isMet, wallet }: Moment): SaleRefusals {
  const { conditions, extensions } = curve
  const first = pendingFirstBuy(curve)
  const trade = firstOf(
    [extensions.backendSigner !== undefined, 'NEEDS_OPERATOR'],
    [!isMet(conditions.SwapStart), 'TRADING_NOT_STARTED'],
    // Selling out ends a curve whose end is `Triggered`.
    [isMet(conditions.SwapEnd) && curve.baseTokenBalance > 0n, 'TRADING_ENDED'],
  )
  const isSoldOut = curve.baseTokenBalance === 0n
  return {
    buy:
      trade ??
      firstOf([isSoldOut, 'SOLD_OUT'], [first !== undefined && first.buyer !== wallet, 'FIRST_BUY_OPEN']),
    sell:
      trade ??
      firstOf([isSoldOut && isMet(conditions.SwapEnd), 'SOLD_OUT'], [first !== undefined, 'FIRST_BUY_OPEN']),
    deposit: 'TRADES',
    withdraw: 'TRADES',
    claim: 'NOTHING_TO_CLAIM',
    refund: 'NO_REFUND',
  }
}

/** Sells at a price that follows a constant product. */
export const bondingCurve = {
  name: 'bondingCurveV2',
  type: 'bondingCurveV2',
  key: 25,
  seed: 'bonding_curve_v2',
  layout,
  words: WORDS.bondingCurveV2,
  sale: {
    start: 'SwapStart',
    end: 'SwapEnd',
    actions: refusals,
    quote: quoteOnCurve,
    /** The price is that of the next token on the curve, without fees. */
    figures(account) {
      const {
        baseTokenAllocation: supply,
        baseTokenBalance: unsold,
        quoteTokenDepositTotal: raised,
      } = account
      const sold = supply > unsold ? supply - unsold : 0n
      const { quote, base } = reservesOf(account)
      return {
        raised,
        sold,
        supply,
        price: account.bondingCurveType === CONSTANT_PRODUCT ? ratio(quote, base) : undefined,
        progress: shareOf(sold, supply),
        participants: undefined,
      }
    },
    goal: () => undefined,
  },
  creatorFeeAt: EXTENSIONS_AT + 88,
  reward: partOf(layout, [
    'genesis',
    'baseMint',
    'quoteMint',
    'creatorFeeAccrued',
    'creatorFeeClaimed',
    'extensions',
  ]),
  creation: {
    add: addCurve,
    extend: extendCurve,
    extensions: ['firstBuy', 'creatorFee'],
    setBehaviors: setCurveBehaviors,
    // Anyone can trade on a curve as soon as it exists. Its extensions reserve the first buy and set the creator's fee.
    isOpenAtOnce: true,
  },
} satisfies BucketKind<'bondingCurveV2', BondingCurveAccount>
