import { address, type Decoded, list, partOf, reserved, struct, u8, u64, zeros } from '../bytes/codec.ts'
import { defineCall } from '../call.ts'
import { condition, strictCondition } from '../conditions.ts'
import { GENESIS_PROGRAM } from '../programs.ts'
import type { BucketKind } from './bucket-kind.ts'
import {
  ADDED_BUCKET,
  BUCKET_BASE,
  behavior,
  extensionList,
  optionalAddress,
  optionalCreatorFee,
  optionalRelease,
  strictRelease,
} from './bucket-parts.ts'
import { WORDS } from './words.ts'

const layout = struct({
  key: u8,
  bucketSignerBump: u8,
  _head: reserved(6),
  ...BUCKET_BASE,
  bucketSigner: address,
  quoteTokenInSigner: u64,
  priceNumerator: u64,
  priceDenominator: u64,
  /** Above zero once the launch has graduated. */
  graduatedBaseTokenAmount: u64,
  lpTokenBalance: u64,
  lpClaimAuthority: optionalAddress,
  lpTokensClaimed: u64,
  conditions: struct({ GraduateStart: condition, Graduate: condition }),
  poolState: address,
  creatorFeeAccrued: u64,
  creatorFeeClaimed: u64,
  _reserved: reserved(88),
  extensions: struct({
    backendSigner: optionalAddress,
    lpLockSchedule: optionalRelease,
    creatorFee: optionalCreatorFee,
  }),
  _end: reserved(84),
  endBehaviors: list(behavior),
})
export type RaydiumCpmmAccount = Decoded<typeof layout>

export const addRaydium = defineCall(
  'addRaydium',
  GENESIS_PROGRAM,
  92,
  struct({
    ...ADDED_BUCKET,
    conditions: struct({ GraduateStart: strictCondition }),
    // The cost of creating the pool is paid now.
    _cost: zeros(8),
  }),
)
export const extendRaydium = defineCall(
  'extendRaydium',
  GENESIS_PROGRAM,
  93,
  extensionList({ lpLockSchedule: [1, strictRelease], creatorFee: [2, struct({ wallet: address })] }),
)

/** Becomes a Raydium pool when the launch graduates. */
export const raydiumCpmm = {
  name: 'raydiumCpmmV2',
  type: 'raydiumV2',
  key: 22,
  seed: 'raydium_cpmm_v2',
  layout,
  words: WORDS.raydiumCpmmV2,
  hasPool: ({ graduatedBaseTokenAmount }) => graduatedBaseTokenAmount > 0n,
  creatorFeeAt: 888,
  reward: partOf(layout, [
    'genesis',
    'baseMint',
    'quoteMint',
    'graduatedBaseTokenAmount',
    'creatorFeeAccrued',
    'creatorFeeClaimed',
    'extensions',
  ]),
  creation: { add: addRaydium, extend: extendRaydium, extensions: ['lpLockSchedule', 'creatorFee'] },
} satisfies BucketKind<'raydiumCpmmV2', RaydiumCpmmAccount>
