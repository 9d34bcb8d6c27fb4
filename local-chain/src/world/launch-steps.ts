import { DEFAULT_LAUNCHPOOL_DEPOSIT_FEE, FeeDiscriminants } from '@metaplex-foundation/genesis'
import { feeOn, grossForNet } from '@slipway/launch-model/fees'
import type { Address } from '@solana/kit'
import type { Chain } from '../ledger/create-chain.ts'
import { createTransaction, type Keypair } from '../ledger/keypair.ts'
import { systemTransfer } from '../ledger/system-instructions.ts'
import { GENESIS } from '../programs/genesis/checks.ts'
import { PROTOCOL_FEE_BPS } from '../programs/genesis/launch/bonding-curve.ts'
import { CREATOR_FEE_BPS } from '../programs/genesis/launch/creator-fee.ts'
import type { Instruction } from '../programs/stand-in.ts'
import { curveCost } from './curve-numbers.ts'
import { traderKey } from './keys.ts'
import { WRAPPED_SOL } from './launch-accounts.ts'
import { launchAddresses } from './launch-addresses.ts'
import { buildLaunchInstructions, unlockedBucket } from './launch-instructions.ts'
import { tradedInPool } from './pool-trade.ts'
import { submit } from './submit.ts'
import { associatedToken } from './token-accounts.ts'
import { closeTokenAccount } from './token-instructions.ts'
import {
  buyOnCurve,
  claimFees,
  collectPoolFees,
  depositInSale,
  graduate,
  triggerBehaviors,
  triggerConditions,
} from './trade-instructions.ts'
import { DECIMALS, type LaunchOptions } from './write-launch.ts'

/** What instructions need to know about a launch, beyond what its accounts contain. */
export type LaunchLife = {
  /** Gets the creator fees. The authority of the launch, unless an agent creates it. */
  readonly creator: Keypair
  /** The agent whose wallet is the authority, with the owner who signs for it. */
  readonly agent?: {
    readonly owner: Keypair
    run(instruction: Instruction): Instruction
  }
  /** The wallet that reserves the first buy. It signs the creation of the curve. */
  readonly firstBuyer?: Keypair
  /** Owns a part of the deposits, if the plan says so. */
  readonly visitor: Keypair
  /** The fees that the creator can claim from the curve. Earlier fees have been claimed. */
  readonly unclaimed?: bigint
  /** Airdrops this many lamports, unless the account has as many. */
  fund(address: Address, lamports: bigint): void
}

const SOL = 1_000_000_000n
const TRADER_LAMPORTS = 2_000n * SOL
const HOUR = 3_600
const DAY = 24 * HOUR

/**
 * Everything that has happened to a launch, in order. Each step sends one transaction, and names the launch in it.
 * Programs read the time at which it happened from the clock, even if that was before the chain was created.
 */
export function listLaunchSteps(chain: Chain, options: LaunchOptions & LaunchLife): (() => void)[] {
  const {
    plan,
    maker,
    mint,
    metadata,
    creator,
    agent,
    environment,
    unclaimed,
    poolFees = 0n,
    fund,
    visitor,
  } = options
  const born = chain.bornAt()
  const { mechanic } = plan
  const launch = { mechanic, mint: plan.mint, addresses: launchAddresses(plan.mint, mechanic) }
  const { amm, ammSigner, genesis } = launch.addresses
  const payer = maker.address

  const send =
    (at: number, signers: readonly [Keypair, ...Keypair[]], build: () => readonly Instruction[]) => () => {
      const blockhash = chain.clock.blockhash(chain.clock.slot())
      const { err, logs } = chain.submitAt(createTransaction(signers, build(), blockhash), at)
      if (err !== null)
        throw new Error(`a demo launch failed: ${metadata.name}: ${JSON.stringify(err)}\n${logs.join('\n')}`)
    }
  const fundedTrader = (number: number, lamports: bigint): Keypair => {
    const trader = traderKey(chain, number)
    const held = chain.account(trader.address)?.lamports ?? 0n
    if (held < lamports + SOL) fund(trader.address, TRADER_LAMPORTS)
    return trader
  }
  const trade = (at: number, traderNumber: number, lamports: bigint, build: typeof buyOnCurve) => () => {
    const trader = fundedTrader(traderNumber, lamports)
    send(at, [trader], () => build(trader.address, launch, lamports))()
  }
  const deposit = (at: number, traderNumber: number, net: bigint) =>
    trade(at, traderNumber, depositFor(net), (trader, _, lamports) => depositInSale(trader, launch, lamports))
  /**
   * The visitor pays from their own wallet, which is afterwards as it was before. They get the money first, so that a
   * stop in between never leaves them short.
   */
  const depositOfVisitor = (net: bigint) => () => {
    const { address } = visitor
    const lamports = depositFor(net)
    const held = () => chain.account(address)?.lamports ?? 0n
    const before = held()
    chain.mint(address, lamports + SOL)
    send(plan.startTime, [visitor], () => [
      ...depositInSale(address, launch, lamports),
      closeTokenAccount(associatedToken(WRAPPED_SOL, address), address),
    ])()
    chain.mint(address, before - held())
  }
  /** Parts of the deposits, each a little larger than the one before, spread over the time since the start. */
  const depositsOfOthers = (net: bigint, count: number) => {
    const until = Math.min(born, plan.endTime)
    const whole = BigInt((count * (count + 1)) / 2)
    const parts = Array.from({ length: count }, (_, at) => (net * BigInt(at + 1)) / whole)
    const rest = net - parts.reduce((sum, part) => sum + part, 0n)
    return parts.map((part, at) =>
      deposit(
        plan.startTime + Math.floor(((until - plan.startTime) * at) / count),
        at,
        at === 0 ? part + rest : part,
      ),
    )
  }
  const create = (at: number) => {
    let built: Instruction[][] | undefined
    return [0, 1, 2].map(number =>
      send(
        at,
        [maker, mint, agent?.owner ?? creator, ...(options.firstBuyer ? [options.firstBuyer] : [])],
        () => {
          built ??= buildLaunchInstructions(plan, payer, { ...metadata, decimals: DECIMALS })
          const instructions = built[number] ?? []
          return agent ? instructions.map(agent.run) : instructions
        },
      ),
    )
  }
  const claim = (at: number, from: 'curve' | 'pool') =>
    send(at, [maker, creator], () => claimFees(payer, launch, { creator: creator.address, from }))
  const end = (at: number) => {
    const to = plan.amm ? { bucket: amm, holder: ammSigner } : same(unlockedBucket(plan))
    return send(at, [maker], () => triggerBehaviors(payer, launch, to))
  }
  const createPool = (at: number) =>
    send(at, [maker], () =>
      graduate(payer, launch, { environment, creatorFee: plan.creatorWallet !== undefined }),
    )

  function saleSteps(): (() => void)[] {
    const { startTime, endTime, depositedLamports: deposited, ofVisitor = 0n, amm: after } = plan
    const visitors = ofVisitor > 0n ? [depositOfVisitor(ofVisitor)] : []
    const others = (count: number) => (deposited > 0n ? depositsOfOthers(deposited - ofVisitor, count) : [])
    return [
      ...create(Math.min(born, startTime - HOUR)),
      // The steps of a launch that exists must stay the same: how many of them are done is a number.
      ...visitors,
      ...others(plan.deposits ?? 1),
      ...(plan.behaviorsDone ? [end(endTime)] : []),
      ...(after?.graduatedAt !== undefined ? [createPool(after.graduatedAt)] : []),
      ...(plan.releases ? [send(endTime + 1, [maker], () => triggerConditions(payer, launch))] : []),
    ]
  }

  function curveSteps(): (() => void)[] {
    const graduatedAt = plan.amm?.graduatedAt
    const fullAt = graduatedAt ?? plan.soldOutAt
    const lastAt = fullAt ?? born
    if (plan.depositedLamports === 0n) return create(born - 2 * DAY)
    const total = fullAt === undefined ? plan.depositedLamports : curveCost(plan.supply)
    const last = unclaimed ? purchaseWithFee(unclaimed) : purchaseFor(total)
    return [
      ...create(lastAt - 2 * DAY),
      ...(unclaimed
        ? [trade(lastAt - DAY, 0, purchaseFor(total - netOf(last)), buyOnCurve), claim(lastAt - DAY, 'curve')]
        : // A curve opens at its first purchase. A full curve must have opened earlier.
          fullAt === undefined
          ? []
          : [trade(plan.startTime, 0, SOL / 10n, buyOnCurve)]),
      // The last buyer offers more than enough, so that nothing is left on the curve.
      trade(lastAt, 1, fullAt === undefined ? last : last + SOL, buyOnCurve),
      ...(unclaimed === 0n ? [claim(lastAt, 'curve')] : []),
      ...(graduatedAt === undefined ? [] : [end(graduatedAt), createPool(graduatedAt), ...feeSteps()]),
    ]
  }

  /** Fees of trades in the pool are written directly. They are collected and claimed by instructions. */
  function feeSteps(): (() => void)[] {
    const { accrued = 0n, claimed = 0n } = plan.amm ?? {}
    const at = plan.amm?.graduatedAt ?? born
    let count = 0n
    /** A different amount each time, so that two equal steps in one slot are two transactions. */
    const marker = () => systemTransfer(payer, payer, ++count)
    const bring =
      (fees: bigint, instruction = marker()) =>
      () => {
        const also = tradedInPool(chain, launch, environment, { lamports: fees, fees })
        if (!also) throw new Error(`${metadata.name} has no pool`)
        submit(chain, [maker], [instruction], { also, named: [genesis, GENESIS], at })
      }
    const collect = (instruction = marker()) =>
      send(at, [maker], () => [...collectPoolFees(payer, launch, environment), instruction])
    return [
      ...(claimed > 0n ? [bring(claimed), collect(), claim(at, 'pool')] : []),
      ...(accrued > claimed ? [bring(accrued - claimed), collect()] : []),
      ...(poolFees > 0n ? [bring(poolFees)] : []),
    ]
  }

  return plan.mechanic === 'bondingCurveV2' ? curveSteps() : saleSteps()
}

const same = (bucket: Address) => ({ bucket, holder: bucket })

const inBps = (amount: bigint) => ({ type: FeeDiscriminants.BasisPoints, amount })
const TRADE_FEES = [inBps(PROTOCOL_FEE_BPS), inBps(CREATOR_FEE_BPS)]
const purchaseFor = (net: bigint): bigint => grossForNet(net, TRADE_FEES)
const netOf = (gross: bigint): bigint => TRADE_FEES.reduce((rest, fee) => rest - feeOn(gross, fee), gross)
const depositFor = (net: bigint): bigint => grossForNet(net, [inBps(DEFAULT_LAUNCHPOOL_DEPOSIT_FEE)])

/** A purchase whose creator fee is exactly this: from the middle of the amounts that round down to it. */
const purchaseWithFee = (creatorFee: bigint): bigint => (creatorFee * 10_000n + 5_000n) / CREATOR_FEE_BPS
