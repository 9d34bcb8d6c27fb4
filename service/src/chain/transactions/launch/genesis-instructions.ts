import type { Address } from '@slipway/schema/address'
import { encodeCondition } from '../../accounts/bucket-layouts.ts'
import {
  ASSOCIATED_TOKEN_PROGRAM,
  associatedTokenAddress,
  bucketAddress,
  bucketSignerAddress,
  GENESIS_FEE_WALLET,
  GENESIS_PROGRAM,
  raydiumSignerAddress,
  SYSTEM_PROGRAM,
  TOKEN_METADATA_PROGRAM,
  TOKEN_PROGRAM,
  tokenMetadataAddress,
  unlockedBucketAddress,
} from '../../addresses/addresses.ts'
import {
  type Instruction,
  readonly,
  readonlySigner,
  writable,
  writableSigner,
} from '../compile-transaction.ts'
import { encodeText, u32, u64, zeros } from '../encode-fields.ts'
import { encodeBehaviour } from './encode-launch.ts'
import { authorityOf, type LaunchPlan, type RaydiumPlan, type UnlockedPlan } from './launch-plan.ts'

/** The first byte of an instruction. */
const INITIALIZE = 42
const FINALIZE = 46
const ADD_UNLOCKED = 53
const ADD_LAUNCH_POOL = 72
const ADD_CURVE = 87
const ADD_RAYDIUM = 92
const EXTEND = { launchpoolV2: 73, bondingCurveV2: 88, raydiumCpmmV2: 93 }
const SET_BEHAVIOURS = { launchpoolV2: 75, bondingCurveV2: 90 }

export const genesisInstruction = (
  accounts: Instruction['accounts'],
  ...data: Uint8Array[]
): Instruction => ({
  program: GENESIS_PROGRAM,
  accounts,
  data: Buffer.concat(data),
})

/** An optional account that is not given is written as the program itself. */
export const NONE = readonly(GENESIS_PROGRAM)
/** By default, the payer is the authority. */
const optionalAuthority = (plan: LaunchPlan) => (plan.agent ? readonlySigner(authorityOf(plan)) : NONE)
export const quoteTokens = ({ quoteMint, quoteTokenProgram }: LaunchPlan, owner: Address): Address =>
  associatedTokenAddress(quoteMint, owner, quoteTokenProgram)
export const baseTokens = ({ mint }: LaunchPlan, owner: Address): Address =>
  associatedTokenAddress(mint, owner, TOKEN_PROGRAM)

/** `initializeV2`: creates the token and the launch, which gets the whole supply. The mint signs too. */
export function initialize(plan: LaunchPlan): Instruction {
  const { mint, token } = plan
  return genesisInstruction(
    [
      writable(plan.genesis),
      writableSigner(mint),
      readonly(plan.quoteMint),
      writable(baseTokens(plan, plan.genesis)),
      writable(quoteTokens(plan, plan.genesis)),
      writableSigner(plan.wallet),
      optionalAuthority(plan),
      writable(tokenMetadataAddress(mint)),
      readonly(GENESIS_FEE_WALLET),
      writable(quoteTokens(plan, GENESIS_FEE_WALLET)),
      // Where an existing token would come from.
      writable(baseTokens(plan, authorityOf(plan))),
      readonly(TOKEN_PROGRAM),
      readonly(plan.quoteTokenProgram),
      readonly(ASSOCIATED_TOKEN_PROGRAM),
      readonly(TOKEN_METADATA_PROGRAM),
      readonly(SYSTEM_PROGRAM),
    ],
    Uint8Array.of(INITIALIZE, token.decimals),
    // The launch's index, which is 0; the kind of funding, which is a new token; and padding.
    zeros(6),
    u64(token.supply),
    encodeText(token.name),
    encodeText(token.uri),
    encodeText(token.symbol),
  )
}

/** The fields that every instruction for a new bucket begins with. */
const newBucket = (number: number, index: number, allocation: bigint) =>
  Buffer.concat([Uint8Array.of(number, index), zeros(6), u64(allocation)])

const newBucketAccounts = (plan: LaunchPlan, bucket: Address, mint = readonly(plan.mint)) => [
  writable(plan.genesis),
  writable(bucket),
  mint,
  readonly(plan.quoteMint),
  writable(quoteTokens(plan, bucket)),
  writableSigner(plan.wallet),
  optionalAuthority(plan),
]
export const tokenPrograms = ({ quoteTokenProgram }: LaunchPlan) => [
  readonly(quoteTokenProgram),
  readonly(ASSOCIATED_TOKEN_PROGRAM),
  readonly(SYSTEM_PROGRAM),
]

/** `addLaunchPoolBucketV2Base` or `addConstantProductBondingCurveBucketV2Base`. */
export function addPrimary(plan: LaunchPlan): Instruction {
  const { primary } = plan
  const bucket = bucketAddress(primary.kind, plan.genesis, 0)
  const accounts = [...newBucketAccounts(plan, bucket), ...tokenPrograms(plan)]
  if (primary.kind === 'launchpoolV2') {
    const { depositStart, depositEnd, claimStart, claimEnd } = primary
    const conditions = [depositStart, depositEnd, claimStart, claimEnd].map(encodeCondition)
    return genesisInstruction(accounts, newBucket(ADD_LAUNCH_POOL, 0, primary.allocation), ...conditions)
  }
  return genesisInstruction(
    accounts,
    newBucket(ADD_CURVE, 0, primary.allocation),
    encodeCondition(primary.swapStart),
    encodeCondition(primary.swapEnd),
    u64(primary.virtualQuote),
    u64(primary.virtualBase),
  )
}

/** `addRaydiumCpmmBucketV2Base`: a bucket that becomes a Raydium pool when the launch graduates. */
export function addRaydium(plan: LaunchPlan, { allocation, start }: RaydiumPlan, index: number): Instruction {
  const bucket = bucketAddress('raydiumCpmmV2', plan.genesis, index)
  const bucketSigner = bucketSignerAddress(bucket)
  return genesisInstruction(
    [
      writable(plan.genesis),
      writable(bucket),
      writable(bucketSigner),
      readonly(plan.mint),
      readonly(plan.quoteMint),
      writable(raydiumSignerAddress()),
      writable(quoteTokens(plan, bucketSigner)),
      writableSigner(plan.wallet),
      optionalAuthority(plan),
      readonly(TOKEN_PROGRAM),
      ...tokenPrograms(plan),
    ],
    newBucket(ADD_RAYDIUM, index, allocation),
    encodeCondition(start),
    // The cost of creating the pool is paid now.
    zeros(8),
  )
}

/** No backend has to sign for claims. */
const NO_BACKEND_SIGNER = zeros(32)

/** `addUnlockedBucketV2`: a bucket whose recipient claims tokens and proceeds. */
export function addUnlocked(plan: LaunchPlan, unlocked: UnlockedPlan, index: number): Instruction {
  const bucket = unlockedBucketAddress(plan.genesis, index)
  return genesisInstruction(
    [
      ...newBucketAccounts(plan, bucket, writable(plan.mint)),
      readonly(unlocked.recipient),
      ...tokenPrograms(plan),
    ],
    newBucket(ADD_UNLOCKED, index, unlocked.allocation),
    encodeCondition(unlocked.claimStart),
    encodeCondition(unlocked.claimEnd),
    NO_BACKEND_SIGNER,
  )
}

const changeBucketAccounts = (plan: LaunchPlan, bucket: Address) => [
  readonly(plan.genesis),
  writable(bucket),
  writableSigner(plan.wallet),
  optionalAuthority(plan),
]
/** Data of an instruction that takes a list: its number, padding, the length of the list, and the items. */
const list = (number: number, items: readonly Uint8Array[]) =>
  Buffer.concat([Uint8Array.of(number), zeros(3), u32(items.length), ...items])

/** `add…BucketV2Extensions`. The buyer of a first buy signs. */
export function extendBucket(
  plan: LaunchPlan,
  { kind, address }: { kind: keyof typeof EXTEND; address: Address },
  extensions: readonly Uint8Array[],
): Instruction {
  const firstBuy =
    plan.primary.kind === kind && 'firstBuy' in plan.primary ? plan.primary.firstBuy : undefined
  return genesisInstruction(
    [
      ...changeBucketAccounts(plan, address),
      ...(kind === 'bondingCurveV2' ? [firstBuy ? readonlySigner(firstBuy.buyer) : NONE] : []),
    ],
    list(EXTEND[kind], extensions),
  )
}

/** `set…BucketV2Behaviors`. */
export function setBehaviours(plan: LaunchPlan): Instruction {
  const { kind } = plan.primary
  return genesisInstruction(
    [...changeBucketAccounts(plan, bucketAddress(kind, plan.genesis, 0)), readonly(SYSTEM_PROGRAM)],
    list(SET_BEHAVIOURS[kind], plan.behaviours.map(encodeBehaviour)),
  )
}

/** `finalizeV2`, with every bucket of the launch. */
export function finalize(plan: LaunchPlan, buckets: readonly Address[]): Instruction {
  return genesisInstruction(
    [
      writable(plan.genesis),
      writable(plan.mint),
      readonlySigner(authorityOf(plan)),
      ...buckets.map(writable),
    ],
    Uint8Array.of(FINALIZE),
    zeros(7),
  )
}
