import type { Address } from '@slipway/schema/address'
import {
  associatedTokenAddress,
  bucketSignerAddress,
  raydiumSignerAddress,
  tokenMetadataAddress,
} from '../addresses.ts'
import { struct, text, u8, u64, zeros } from '../bytes/codec.ts'
import {
  type Call,
  type CallAccount,
  type CallKind,
  call,
  defineCall,
  readonly,
  readonlySigner,
  writable,
  writableSigner,
} from '../call.ts'
import {
  ASSOCIATED_TOKEN_PROGRAM,
  GENESIS_FEE_WALLET,
  GENESIS_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_METADATA_PROGRAM,
  TOKEN_PROGRAM,
} from '../programs.ts'
import { swapOnCurveCall } from './trades.ts'

/** The addresses that the instructions of a launch have in common. */
export interface LaunchAddresses {
  /** Signs and pays. */
  wallet: Address
  /** The wallet, or the wallet of the agent that creates the launch. */
  authority: Address
  genesis: Address
  mint: Address
  quoteMint: Address
  quoteTokenProgram: Address
}

export const initialize = defineCall(
  'initialize',
  GENESIS_PROGRAM,
  42,
  struct({
    decimals: u8,
    // The launch's index, which is 0; the kind of funding, which is a new token; and padding.
    _index: zeros(6),
    totalSupply: u64,
    name: text,
    uri: text,
    symbol: text,
  }),
)
export const finalize = defineCall('finalize', GENESIS_PROGRAM, 46, struct({ _padding: zeros(7) }))

/** An optional account that is not given is written as the program itself. */
const none = (name: string) => readonly(GENESIS_PROGRAM, name)

/** The calls of Genesis that a new launch consists of, with their accounts in order. */
export function genesisCalls({
  wallet,
  authority,
  genesis,
  mint,
  quoteMint,
  quoteTokenProgram,
}: LaunchAddresses) {
  const quoteTokens = (owner: Address) => associatedTokenAddress(quoteMint, owner, quoteTokenProgram)
  const baseTokens = (owner: Address) => associatedTokenAddress(mint, owner, TOKEN_PROGRAM)
  const launch = writable(genesis, 'the launch')
  const newToken = readonly(mint, 'the new token')
  const quoteToken = readonly(quoteMint, 'the payment token')
  const payer = writableSigner(wallet, 'the payer')
  // By default, the payer is the authority.
  const optionalAuthority =
    authority === wallet ? none('the authority') : readonlySigner(authority, 'the authority')
  const tokenProgram = readonly(TOKEN_PROGRAM, 'the token program')
  const quoteProgram = readonly(quoteTokenProgram, 'the payment token’s program')
  const accountProgram = readonly(ASSOCIATED_TOKEN_PROGRAM, 'the associated token program')
  const system = readonly(SYSTEM_PROGRAM, 'the system program')
  const programs = [quoteProgram, accountProgram, system]
  const feeAccount = writable(quoteTokens(GENESIS_FEE_WALLET), 'the fee account')

  const newBucket = (bucket: Address, token: CallAccount = newToken) => [
    launch,
    writable(bucket, 'the bucket'),
    token,
    quoteToken,
    writable(quoteTokens(bucket), 'the bucket’s token account'),
    payer,
    optionalAuthority,
  ]
  const changedBucket = (bucket: Address) => [
    readonly(genesis, 'the launch'),
    writable(bucket, 'the bucket'),
    payer,
    optionalAuthority,
  ]
  return {
    quoteTokens,

    /** `initializeV2`: creates the token and the launch, which gets the whole supply. The mint signs too. */
    initialize: (args: ArgsOf<typeof initialize>): Call =>
      call(initialize, args, [
        launch,
        writableSigner(mint, 'the new token'),
        quoteToken,
        writable(baseTokens(genesis), 'the launch’s token account'),
        writable(quoteTokens(genesis), 'the launch’s account for payments'),
        payer,
        optionalAuthority,
        writable(tokenMetadataAddress(mint), 'the token’s metadata'),
        readonly(GENESIS_FEE_WALLET, 'the fee wallet'),
        feeAccount,
        // Where an existing token would come from.
        writable(baseTokens(authority), 'the authority’s token account'),
        tokenProgram,
        ...programs.slice(0, 2),
        readonly(TOKEN_METADATA_PROGRAM, 'the metadata program'),
        system,
      ]),

    /** Adds a launch pool or a curve. */
    addSale: <Args>(kind: CallKind<string, Args>, args: Args, bucket: Address): Call =>
      call(kind, args, [...newBucket(bucket), ...programs]),

    /** `addRaydiumCpmmBucketV2Base`: a bucket that becomes a Raydium pool when the launch graduates. */
    addPool<Args>(kind: CallKind<string, Args>, args: Args, bucket: Address): Call {
      const bucketSigner = bucketSignerAddress(bucket)
      return call(kind, args, [
        launch,
        writable(bucket, 'the bucket'),
        writable(bucketSigner, 'the bucket’s signer'),
        newToken,
        quoteToken,
        writable(raydiumSignerAddress(), 'the pool’s creator'),
        writable(quoteTokens(bucketSigner), 'the bucket’s token account'),
        payer,
        optionalAuthority,
        tokenProgram,
        ...programs,
      ])
    },

    /** `addUnlockedBucketV2`: a bucket whose recipient claims tokens and proceeds. */
    addPart: <Args>(kind: CallKind<string, Args>, args: Args, bucket: Address, recipient: Address): Call =>
      call(kind, args, [
        ...newBucket(bucket, writable(mint, 'the new token')),
        readonly(recipient, 'the recipient'),
        ...programs,
      ]),

    /** `add…BucketV2Extensions`. The buyer of a first buy signs; null if the curve has none. */
    extend: <Args>(
      kind: CallKind<string, Args>,
      args: Args,
      bucket: Address,
      buyer: Address | null | undefined,
    ): Call =>
      call(kind, args, [
        ...changedBucket(bucket),
        ...(buyer === undefined
          ? []
          : [buyer === null ? none('the first buyer') : readonlySigner(buyer, 'the first buyer')]),
      ]),

    /** `set…BucketV2Behaviors`. */
    setBehaviors: <Args>(kind: CallKind<string, Args>, args: Args, bucket: Address): Call =>
      call(kind, args, [...changedBucket(bucket), system]),

    /** `finalizeV2`, with every bucket of the launch. */
    finalize: (buckets: readonly Address[]): Call =>
      call(finalize, {}, [
        launch,
        writable(mint, 'the new token'),
        readonlySigner(authority, 'the authority'),
        ...buckets.map(bucket => writable(bucket, 'a bucket')),
      ]),

    /** `swapBondingCurveV2` for a purchase, which fails if it gets fewer than `tokensMin`. */
    buy: (curve: Address, buyer: Address, amountIn: bigint, amountOutMin: bigint): Call =>
      swapOnCurveCall(
        { base: { mint, program: TOKEN_PROGRAM }, quote: { mint: quoteMint, program: quoteTokenProgram } },
        { genesis, curve },
        { payer: wallet, trader: buyer },
        { side: 'buy', amountIn, amountOutMin },
      ),
  }
}
export type GenesisCalls = ReturnType<typeof genesisCalls>
export type ArgsOf<Kind> = Kind extends CallKind<string, infer Args> ? Args : never
