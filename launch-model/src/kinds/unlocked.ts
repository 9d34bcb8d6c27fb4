import { address, bool, type Decoded, reserved, struct, u8, u64, zeros } from '../bytes/codec.ts'
import { defineCall } from '../call.ts'
import { condition, strictCondition } from '../conditions.ts'
import { GENESIS_PROGRAM } from '../programs.ts'
import { type BucketKind, plainData } from './bucket-kind.ts'
import { ADDED_BUCKET, BUCKET_BASE, optionalAddress } from './bucket-parts.ts'
import { WORDS } from './words.ts'

const layout = struct({
  key: u8,
  claimed: bool,
  claimFeeType: u8,
  _fees: reserved(5),
  claimFee: u64,
  ...BUCKET_BASE,
  recipient: address,
  conditions: struct({ ClaimStart: condition, ClaimEnd: condition }),
  _reserved: reserved(136),
  extensions: struct({ backendSigner: optionalAddress }),
  _end: reserved(128),
})
export type UnlockedAccount = Decoded<typeof layout>

export const addUnlocked = defineCall(
  'addUnlocked',
  GENESIS_PROGRAM,
  53,
  struct({
    ...ADDED_BUCKET,
    conditions: struct({ ClaimStart: strictCondition, ClaimEnd: strictCondition }),
    // No backend has to sign for claims.
    _backendSigner: zeros(32),
  }),
)

export const claimUnlocked = defineCall('claimUnlocked', GENESIS_PROGRAM, 54, plainData)

/** Tokens and proceeds for one recipient. It has no times or prices that a listing shows. */
export const unlocked = {
  name: 'unlockedV2',
  type: 'unlockedV2',
  key: 21,
  seed: 'unlocked_v2',
  layout,
  words: WORDS.unlockedV2,
  creation: { add: addUnlocked, extensions: [] },
} satisfies BucketKind<'unlockedV2', UnlockedAccount>
