import {
  type BondingCurveBucketV2AccountData,
  EventType,
  emitEventInstructionDiscriminator,
  getBondingCurveSwapEventSerializer,
  type SwapBondingCurveV2InstructionData,
  SwapDirection,
} from '@metaplex-foundation/genesis'
import { some, unwrapOption } from '@metaplex-foundation/umi'
import { bondingCurve as model } from '@slipway/launch-model/kinds/bonding-curve'
import {
  BUY_MIN,
  buyOnCurve,
  type CurveState,
  type CurveTrade,
  sellOnCurve,
} from '@slipway/launch-model/trade/curve'
import { assertSigner } from '../../instruction-accounts.ts'
import type { AccountRef, Invocation } from '../../stand-in.ts'
import { accountsOf } from '../accounts.ts'
import { bondingCurve } from '../buckets.ts'
import {
  asKey,
  assertFeeAccount,
  assertHolder,
  assertMints,
  assertPrograms,
  assertTokensOfLaunch,
  GENESIS,
  genesisError,
  isMet,
  loadBucket,
  loadGenesis,
  readTerms,
  readUnixTime,
  saveBucket,
  triggerIfDue,
} from '../checks.ts'
import { assertAssociated, ensureTokenAccount, moveTokens, takeTokens } from '../tokens.ts'

/** Buys from a curve or sells to it. The creator's fee stays with the curve until it is claimed. */
export function swapOnCurve(ctx: Invocation, args: SwapBondingCurveV2InstructionData): void {
  const accounts = accountsOf(ctx, 'swap')
  const { genesisAccount, bucket, payer } = accounts
  const owners = { base: accounts.baseTokenOwner ?? payer, quote: accounts.quoteTokenOwner ?? payer }
  const buying = args.swapDirection === SwapDirection.Buy
  assertSigner(payer)
  assertSigner(buying ? owners.quote : owners.base)
  assertPrograms([accounts.baseTokenProgram, accounts.quoteTokenProgram], accounts)
  // The program lets a curve trade before its launch is finalized.
  assertMints(loadGenesis(ctx, genesisAccount), accounts)
  const curve = loadBucket(ctx, bucket, genesisAccount, bondingCurve)
  assertHolder(ctx, accounts.bucketQuoteTokenAccount, bucket, accounts.quoteMint)
  assertTokensOfLaunch(ctx, accounts.genesisBaseTokenAccount, genesisAccount, accounts.baseMint)
  assertFeeAccount(ctx, accounts.feeQuoteTokenAccount, accounts.quoteMint)
  openAccounts(ctx, accounts, owners)

  if (args.amount === 0n) throw genesisError('InvalidAmount')
  const firstBuy = isFirstBuy(curve, args, owners.quote)
  if (buying && args.amount < BUY_MIN) throw genesisError('SwapAmountBelowMinimum')
  const trade = tradeOn(readTerms(ctx, bucket, model), args, firstBuy)
  const received = buying ? trade.base : trade.quote
  if (received < args.minAmountOutScaled) throw genesisError('InsufficientOutputAmount')

  if (buying) settleBuy(ctx, accounts, owners.quote, trade)
  else settleSale(ctx, accounts, owners.base, trade)
  const now = readUnixTime(ctx)
  const { swapStartCondition, swapEndCondition } = assertOpen(curve, now)
  const sign = buying ? 1n : -1n
  const baseTokenBalance = curve.bucket.baseTokenBalance - sign * trade.base
  const quoteTokenDepositTotal = curve.quoteTokenDepositTotal + sign * trade.net
  saveBucket(
    ctx,
    bucket,
    bondingCurve.serialize({
      ...curve,
      swapStartCondition,
      // A `Triggered` end comes when the curve sells out. With any other end, a sold-out curve stays open to sales.
      swapEndCondition:
        baseTokenBalance === 0n && swapEndCondition.__kind === 'Triggered'
          ? { ...swapEndCondition, triggeredTimestamp: some(now) }
          : swapEndCondition,
      quoteTokenDepositTotal,
      creatorFeeAccrued: curve.creatorFeeAccrued + trade.creatorFee,
      extensions: { ...curve.extensions, firstBuyDone: curve.extensions.firstBuyDone || firstBuy },
      bucket: {
        ...curve.bucket,
        baseTokenBalance,
        quoteTokenBalance: curve.bucket.quoteTokenBalance + sign * trade.net,
      },
    }),
  )
  emitSwap(ctx, genesisAccount, {
    swapDirection: args.swapDirection,
    quoteTokenAmount: trade.quote,
    baseTokenAmount: trade.base,
    fee: trade.fee,
    creatorFee: trade.creatorFee,
    baseTokenBalance,
    quoteTokenDepositTotal,
    ...curve.constantProductParams,
    blockTime: now,
  })
}

/** The program's arithmetic, which the launch model has too. Tests compare it with the real programs. */
function tradeOn(
  curve: CurveState,
  { swapDirection, amount }: SwapBondingCurveV2InstructionData,
  firstBuy: boolean,
): CurveTrade {
  const buying = swapDirection === SwapDirection.Buy
  if ((buying ? curve.baseTokenBalance : curve.quoteTokenDepositTotal) === 0n)
    throw genesisError('BondingCurveInsufficientFunds')
  return buying ? buyOnCurve(curve, amount, firstBuy) : sellOnCurve(curve, amount)
}

/** The program checks the time last, so a wallet that can't pay gets that error first. */
function assertOpen(curve: BondingCurveBucketV2AccountData, now: bigint) {
  const swapStartCondition = triggerIfDue(curve.swapStartCondition, now)
  const swapEndCondition = triggerIfDue(curve.swapEndCondition, now)
  if (!isMet(swapStartCondition)) throw genesisError('BondingCurveNotStarted')
  if (isMet(swapEndCondition)) throw genesisError('BondingCurveEnded')
  return { swapStartCondition, swapEndCondition }
}

/** While a first buy is pending, only its buyer can trade, for its exact amount. */
function isFirstBuy(
  { extensions }: BondingCurveBucketV2AccountData,
  { swapDirection, amount }: SwapBondingCurveV2InstructionData,
  buyer: AccountRef,
): boolean {
  const pending = extensions.firstBuyDone ? null : unwrapOption(extensions.firstBuy)
  if (!pending) return false
  if (swapDirection !== SwapDirection.Buy || pending.buyer !== asKey(buyer.address))
    throw genesisError('FirstBuyRestricted')
  if (pending.amount !== amount) throw genesisError('FirstBuyAmountMismatch')
  return true
}

type Accounts = Record<
  | 'genesisAccount'
  | 'bucket'
  | 'baseMint'
  | 'quoteMint'
  | 'genesisBaseTokenAccount'
  | 'baseTokenAccount'
  | 'quoteTokenAccount'
  | 'bucketQuoteTokenAccount'
  | 'feeQuoteTokenAccount'
  | 'payer'
  | 'baseTokenProgram'
  | 'quoteTokenProgram'
  | 'systemProgram',
  AccountRef
>

function openAccounts(ctx: Invocation, accounts: Accounts, owners: { base: AccountRef; quote: AccountRef }) {
  const { payer, systemProgram, baseMint, quoteMint } = accounts
  const base = {
    account: accounts.baseTokenAccount,
    owner: owners.base,
    mint: baseMint,
    tokenProgram: accounts.baseTokenProgram,
  }
  const quote = {
    account: accounts.quoteTokenAccount,
    owner: owners.quote,
    mint: quoteMint,
    tokenProgram: accounts.quoteTokenProgram,
  }
  for (const token of [base, quote]) {
    assertAssociated(token)
    ensureTokenAccount(ctx, { ...token, payer, systemProgram })
  }
  assertHolder(ctx, accounts.quoteTokenAccount, owners.quote, quoteMint)
}

function settleBuy(ctx: Invocation, accounts: Accounts, buyer: AccountRef, trade: CurveTrade): void {
  const quote = {
    from: accounts.quoteTokenAccount,
    authority: buyer,
    tokenProgram: accounts.quoteTokenProgram,
  }
  takeTokens(ctx, { ...quote, to: accounts.bucketQuoteTokenAccount }, trade.net + trade.creatorFee)
  moveTokens(
    ctx,
    {
      from: accounts.genesisBaseTokenAccount,
      to: accounts.baseTokenAccount,
      authority: accounts.genesisAccount,
      tokenProgram: accounts.baseTokenProgram,
    },
    trade.base,
  )
  takeTokens(ctx, { ...quote, to: accounts.feeQuoteTokenAccount }, trade.fee)
}

function settleSale(ctx: Invocation, accounts: Accounts, seller: AccountRef, trade: CurveTrade): void {
  takeTokens(
    ctx,
    {
      from: accounts.baseTokenAccount,
      to: accounts.genesisBaseTokenAccount,
      authority: seller,
      tokenProgram: accounts.baseTokenProgram,
    },
    trade.base,
  )
  const quote = {
    from: accounts.bucketQuoteTokenAccount,
    authority: accounts.bucket,
    tokenProgram: accounts.quoteTokenProgram,
  }
  moveTokens(ctx, { ...quote, to: accounts.quoteTokenAccount }, trade.quote)
  moveTokens(ctx, { ...quote, to: accounts.feeQuoteTokenAccount }, trade.fee)
}

/** The program calls itself with the event, so that it is among the inner instructions of the transaction. */
function emitSwap(
  ctx: Invocation,
  genesisAccount: AccountRef,
  event: Omit<Parameters<ReturnType<typeof getBondingCurveSwapEventSerializer>['serialize']>[0], 'eventType'>,
): void {
  const bytes = getBondingCurveSwapEventSerializer().serialize({
    eventType: EventType.BondingCurveSwap,
    ...event,
  })
  ctx.invoke(
    {
      program: GENESIS,
      accounts: [{ ...genesisAccount, isSigner: true, isWritable: false }],
      data: Uint8Array.from([emitEventInstructionDiscriminator, ...bytes]),
    },
    [genesisAccount.address],
  )
}

/** Only the program itself can emit an event, because only it can sign for a launch. */
export function emitEvent(ctx: Invocation): void {
  const { genesisAccount } = accountsOf(ctx, 'emitEvent')
  assertSigner(genesisAccount)
}
