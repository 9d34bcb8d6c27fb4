import type { Address } from '@slipway/schema/address'
import { bucketSignerAddress, depositAddress } from '../addresses.ts'
import {
  type Call,
  call,
  defineCall,
  opened,
  readonly,
  readonlySigner,
  writable,
  writableSigner,
} from '../call.ts'
import { plainData } from '../kinds/bucket-kind.ts'
import { type BucketKindName, becomesPool, kindOf } from '../kinds/kinds.ts'
import { claimUnlocked } from '../kinds/unlocked.ts'
import {
  ASSOCIATED_TOKEN_PROGRAM,
  GENESIS_FEE_WALLET,
  GENESIS_PROGRAM,
  SYSTEM_PROGRAM,
  WRAPPED_NATIVE_MINT,
} from '../programs.ts'
import { openedTokens } from './tokens.ts'
import { type TradedTokens, tokensOf } from './trades.ts'

export const triggerConditions = defineCall('triggerConditions', GENESIS_PROGRAM, 43, plainData)
export const triggerBehaviors = defineCall('triggerBehaviors', GENESIS_PROGRAM, 44, plainData)

/** A bucket of a launch, as instructions name it. */
export interface NamedBucket {
  genesis: Address
  tokens: TradedTokens
  bucket: { kind: BucketKindName; address: Address }
}

/** Whose deposit it is, and who pays rent. An owner who must sign does so besides the payer. */
export interface DepositParties {
  owner: Address
  payer: Address
}

/** An optional account that is not given is written as the program itself. */
const none = (name: string) => readonly(GENESIS_PROGRAM, name)

function parts({ genesis, tokens, bucket }: NamedBucket) {
  const { base, quote } = tokens
  const feeAccount = writable(tokensOf(quote, GENESIS_FEE_WALLET), 'the fee account')
  return {
    head: [
      readonly(genesis, 'the launch'),
      writable(bucket.address, 'the bucket'),
      readonly(base.mint, 'the launch’s token'),
      readonly(quote.mint, 'the payment token'),
    ],
    bucketQuote: writable(tokensOf(quote, bucket.address), 'the bucket’s token account'),
    launchBase: writable(tokensOf(base, genesis), 'the launch’s token account'),
    ownBase: (owner: Address) => writable(tokensOf(base, owner), 'the owner’s token account'),
    ownQuote: (owner: Address) => writable(tokensOf(quote, owner), 'the owner’s account for payments'),
    openedBase: (owner: Address) => openedTokens(base, owner, 'the owner’s token account'),
    openedQuote: (owner: Address) => openedTokens(quote, owner, 'the owner’s account for payments'),
    deposit: (owner: Address) => writable(depositAddress(bucket.kind, bucket.address, owner), 'the deposit'),
    openedDeposit: (owner: Address) => {
      const { layout, calls } = depositsOf(bucket)
      return opened(depositAddress(bucket.kind, bucket.address, owner), 'the deposit', {
        bytes: layout.size as number,
        // Withdrawing everything closes it, and its owner chooses who gets the rent.
        closer: calls.withdraw && owner,
      })
    },
    feeAccount,
    claimFeeAccount:
      kindOf(bucket.kind).deposits?.claimFeeIn === 'base'
        ? writable(tokensOf(base, GENESIS_FEE_WALLET), 'the fee account')
        : feeAccount,
    // No backend has to sign.
    backend: none('the backend'),
    programs: [
      readonly(base.program, 'the token program'),
      readonly(quote.program, 'the payment token’s program'),
      readonly(ASSOCIATED_TOKEN_PROGRAM, 'the associated token program'),
      readonly(SYSTEM_PROGRAM, 'the system program'),
    ],
  }
}

function depositsOf({ kind }: NamedBucket['bucket']) {
  const { deposits } = kindOf(kind)
  if (!deposits) throw new RangeError(`buckets of the kind ${kind} take no deposits`)
  return deposits
}
const callsOf = (bucket: NamedBucket['bucket']) => depositsOf(bucket).calls

/** `depositLaunchPoolV2` or `depositPresaleV2`. The owner's account for payments must exist. */
export function depositCall(at: NamedBucket, { owner, payer }: DepositParties, amount: bigint): Call {
  const part = parts(at)
  return call(callsOf(at.bucket).deposit, { amount }, [
    ...part.head,
    part.openedBase(owner),
    part.ownQuote(owner),
    part.bucketQuote,
    part.openedDeposit(owner),
    writableSigner(payer, 'the payer'),
    readonlySigner(owner, 'the depositor'),
    // The deposit belongs to the depositor.
    none('the recipient'),
    part.backend,
    part.feeAccount,
    ...part.programs,
  ])
}

/** `withdrawLaunchPoolV2`. The payer gets the rent of what it closes. */
export function withdrawCall(at: NamedBucket, { owner, payer }: DepositParties, amount: bigint): Call {
  const { withdraw } = callsOf(at.bucket)
  if (!withdraw) throw new RangeError(`buckets of the kind ${at.bucket.kind} pay no deposits back`)
  const part = parts(at)
  return call(withdraw, { amount }, [
    ...part.head,
    part.ownBase(owner),
    part.bucketQuote,
    part.openedQuote(owner),
    part.deposit(owner),
    writableSigner(payer, 'the payer'),
    readonlySigner(owner, 'the depositor'),
    part.backend,
    part.feeAccount,
    ...part.programs,
  ])
}

/** `claimLaunchPoolV2` or `claimPresaleV2`. Anyone may pay. */
export function claimDepositCall(at: NamedBucket, { owner, payer }: DepositParties): Call {
  const part = parts(at)
  return call(callsOf(at.bucket).claim, {}, [
    ...part.head,
    part.launchBase,
    part.openedBase(owner),
    part.deposit(owner),
    readonly(owner, 'the recipient'),
    writableSigner(payer, 'the payer'),
    part.backend,
    part.claimFeeAccount,
    ...part.programs,
  ])
}

/** `refundLaunchPoolV2`. Anyone may pay. */
export function refundCall(at: NamedBucket, { owner, payer }: DepositParties): Call {
  const { refund } = callsOf(at.bucket)
  if (!refund) throw new RangeError(`buckets of the kind ${at.bucket.kind} refund nothing`)
  const part = parts(at)
  return call(refund, {}, [
    ...part.head,
    part.ownBase(owner),
    part.bucketQuote,
    part.openedQuote(owner),
    part.deposit(owner),
    readonly(owner, 'the recipient'),
    writableSigner(payer, 'the payer'),
    part.backend,
    ...part.programs,
  ])
}

/**
 * `claimUnlockedV2`: pays tokens and proceeds to the recipient, wrapped currency as native. It closes the bucket's
 * account.
 */
export function claimUnlockedCall(at: NamedBucket, { owner, payer }: DepositParties): Call {
  const part = parts(at)
  return call(claimUnlocked, {}, [
    ...part.head,
    part.bucketQuote,
    part.launchBase,
    part.openedBase(owner),
    at.tokens.quote.mint === WRAPPED_NATIVE_MINT ? part.ownQuote(owner) : part.openedQuote(owner),
    writable(owner, 'the recipient'),
    writableSigner(payer, 'the payer'),
    part.backend,
    part.feeAccount,
    ...part.programs,
  ])
}

/**
 * `triggerConditionsV2`: records which conditions of a bucket have come true. Those of the references come first, in
 * order.
 */
export const triggerConditionsCall = (
  { genesis, tokens, bucket }: NamedBucket,
  references: readonly Address[],
  payer: Address,
): Call =>
  call(triggerConditions, {}, [
    readonly(genesis, 'the launch'),
    writable(bucket.address, 'the bucket'),
    readonly(tokens.base.mint, 'the launch’s token'),
    writableSigner(payer, 'the payer'),
    ...references.map(reference => writable(reference, 'a bucket')),
  ])

/** `triggerBehaviorsV2`: sends the proceeds of a sale that has ended to these buckets. */
export function triggerBehaviorsCall(
  at: NamedBucket,
  destinations: readonly NamedBucket['bucket'][],
  payer: Address,
): Call {
  const part = parts(at)
  const { base, quote } = at.tokens
  const holderOf = ({ kind, address }: NamedBucket['bucket']) =>
    becomesPool(kind) ? bucketSignerAddress(address) : address
  return call(triggerBehaviors, {}, [
    writable(at.genesis, 'the launch'),
    writable(tokensOf(quote, at.genesis), 'the launch’s account for payments'),
    writable(at.bucket.address, 'the bucket'),
    part.bucketQuote,
    readonly(base.mint, 'the launch’s token'),
    readonly(quote.mint, 'the payment token'),
    writableSigner(payer, 'the payer'),
    part.feeAccount,
    ...part.programs,
    ...destinations.flatMap(bucket => [
      writable(bucket.address, 'a bucket'),
      writable(tokensOf(quote, holderOf(bucket)), 'its token account'),
    ]),
  ])
}
