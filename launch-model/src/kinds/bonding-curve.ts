import { address, bool, type Decoded, list, reserved, struct, u8, u64 } from '../bytes/codec.ts'
import { defineCall } from '../call.ts'
import { condition, strictCondition } from '../conditions.ts'
import { GENESIS_PROGRAM } from '../programs.ts'
import { type BucketKind, ratio, shareOf } from './bucket-kind.ts'
import {
  ADDED_BUCKET,
  BUCKET_BASE,
  behaviour,
  behaviourList,
  extensionList,
  firstBuy,
  optionalAddress,
  optionalCreatorFee,
  optionalFirstBuy,
} from './bucket-parts.ts'

/** What the constant product counts on top of the real reserves. */
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
  /** Without fees, and less what was sold back. */
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
  endBehaviours: list(behaviour),
  virtualReserves,
})
export type BondingCurveAccount = Decoded<typeof layout>
const CONSTANT_PRODUCT = 0

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
export const setCurveBehaviours = defineCall('setCurveBehaviours', GENESIS_PROGRAM, 90, behaviourList)

/** Sells at a price that follows a constant product. */
export const bondingCurve = {
  name: 'bondingCurveV2',
  type: 'bondingCurveV2',
  key: 25,
  seed: 'bonding_curve_v2',
  layout,
  words: { title: 'Bonding curve', noun: 'bonding curve' },
  sale: {
    start: 'SwapStart',
    end: 'SwapEnd',
    /** The price is that of the next token on the curve, without fees. */
    figures({
      baseTokenAllocation: supply,
      baseTokenBalance: unsold,
      quoteTokenDepositTotal: raised,
      bondingCurveType,
      virtualReserves: { quote, base },
    }) {
      const sold = supply > unsold ? supply - unsold : 0n
      return {
        raised,
        sold,
        supply,
        price: bondingCurveType === CONSTANT_PRODUCT ? ratio(quote + raised, base + unsold) : undefined,
        progress: shareOf(sold, supply),
        participants: undefined,
      }
    },
    goal: () => undefined,
  },
  creatorFeeAt: EXTENSIONS_AT + 88,
  creation: {
    add: addCurve,
    extend: extendCurve,
    extensions: ['firstBuy', 'creatorFee'],
    setBehaviours: setCurveBehaviours,
    // Anyone can trade on a curve as soon as it exists. Its extensions reserve the first buy and set the creator's fee.
    isOpenAtOnce: true,
  },
} satisfies BucketKind<'bondingCurveV2', BondingCurveAccount>
