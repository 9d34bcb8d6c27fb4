import { DEFAULT_LAUNCHPOOL_DEPOSIT_FEE, FeeDiscriminants } from '@metaplex-foundation/genesis'
import { associatedTokenAddress, tokenMetadataAddress } from '@slipway/launch-model/addresses'
import {
  address as addressCodec,
  decode,
  encode,
  struct,
  text,
  u8,
  u16,
  zeros,
} from '@slipway/launch-model/bytes/codec'
import type { Call } from '@slipway/launch-model/call'
import { feeOn, grossForNet } from '@slipway/launch-model/fees'
import { poolLayout } from '@slipway/launch-model/pool-state'
import { WRAPPED_NATIVE_MINT } from '@slipway/launch-model/programs'
import type { Address } from '@solana/kit'
import {
  type AccountChanges,
  type ChainAccount,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '../ledger/account.ts'
import type { Chain } from '../ledger/create-chain.ts'
import { createTransaction, type Keypair } from '../ledger/keypair.ts'
import { systemTransfer } from '../ledger/system-instructions.ts'
import { GENESIS } from '../programs/genesis/checks.ts'
import { CREATOR_FEE_BPS } from '../programs/genesis/launch/add-bucket.ts'
import { PROTOCOL_FEE_BPS } from '../programs/genesis/launch/bonding-curve.ts'
import type { Instruction } from '../programs/stand-in.ts'
import {
  buyOnCurve,
  claimFees,
  collectPoolFees,
  depositAndUnwrap,
  depositInSale,
  graduate,
  toInstruction,
  triggerBehaviors,
  triggerConditions,
} from './calls.ts'
import { traderKey, worldKey } from './keys.ts'
import { curveCost, listCreation, planLaunch, unlockedBucket } from './plan-launch.ts'
import { submit } from './submit.ts'
import { findReward, type WorldContext, type WorldLaunch } from './world-launch.ts'

type Step = () => void

const SOL = 1_000_000_000n
const TRADER_LAMPORTS = 2_000n * SOL
const HOUR = 3_600
const DAY = 24 * HOUR

/**
 * Creates a launch of the demo and everything that has happened to it, unless it exists. An interrupted one is
 * completed: each step is one transaction that names the launch. `asAgent` makes an instruction one of the agent that
 * creates it, if one does.
 */
export function createLaunch(
  context: WorldContext,
  launch: WorldLaunch,
  asAgent?: (instruction: Instruction) => Instruction,
): void {
  const { chain } = context
  const marker = worldKey(chain, `launch-done:${launch.entry.slug}`).address
  if (chain.account(marker)) return
  const done = [...chain.history.ofAddress(launch.genesisAddress)].filter(({ err }) => err === null)
  for (const step of listSteps(context, launch, asAgent).slice(done.length)) step()
  chain.mint(marker, 1_000_000n)
}

/**
 * Everything that has happened to a launch, in order. Programs read the time at which it happened from the clock, even
 * if that was before the chain was created.
 */
function listSteps(
  { chain, maker, environment, fund }: WorldContext,
  { plan, wallet, creator, addresses, entry, genesisAddress }: WorldLaunch,
  asAgent: (instruction: Instruction) => Instruction = instruction => instruction,
): Step[] {
  const born = chain.bornAt()
  const launch = { mechanic: plan.mechanic, mint: plan.mint, addresses }
  const reward = findReward(entry)?.source
  const visitor = worldKey(chain, 'visitor')
  const mint = worldKey(chain, `mint:${entry.slug}`)
  const payer = maker.address

  const run = (
    at: number,
    signers: readonly [Keypair, ...Keypair[]],
    instructions: readonly Instruction[],
  ) => {
    const blockhash = chain.clock.blockhash(chain.clock.slot())
    const { err, logs } = chain.submitAt(createTransaction(signers, instructions, blockhash), at)
    if (err !== null)
      throw new Error(`a demo launch failed: ${entry.name}: ${JSON.stringify(err)}\n${logs.join('\n')}`)
  }
  const send =
    (at: number, signers: readonly [Keypair, ...Keypair[]], calls: readonly (Call | Instruction)[]): Step =>
    () =>
      run(
        at,
        signers,
        calls.map(call => ('kind' in call ? toInstruction(call) : call)),
      )
  /** The wallet pays, and is afterwards as it was. It gets the money first, so a stop in between costs it nothing. */
  const asBefore =
    ({ address }: Keypair, lamports: bigint, step: Step): Step =>
    () => {
      const held = () => chain.account(address)?.lamports ?? 0n
      const before = held()
      chain.mint(address, lamports)
      step()
      chain.mint(address, before - held())
    }
  const trade =
    (at: number, traderNumber: number, lamports: bigint, build: typeof buyOnCurve): Step =>
    () => {
      const trader = traderKey(chain, traderNumber)
      const held = chain.account(trader.address)?.lamports ?? 0n
      if (held < lamports + SOL) fund(trader.address, TRADER_LAMPORTS)
      send(at, [trader], build(trader.address, launch, lamports))()
    }

  const create = (at: number): Step[] =>
    listCreation(planLaunch(plan)).map(instructions => {
      const step = () => run(at, [wallet, mint, visitor], instructions.map(asAgent))
      return wallet === maker ? step : asBefore(wallet, SOL, step)
    })
  const claim = (at: number, from: 'curve' | 'pool') =>
    send(at, [maker, creator], claimFees(payer, launch, { creator: creator.address, from }))
  const end = (at: number) => {
    const to = plan.amm
      ? ({ kind: 'raydiumCpmmV2', address: addresses.amm } as const)
      : ({ kind: 'unlockedV2', address: unlockedBucket(plan) } as const)
    return send(at, [maker], triggerBehaviors(payer, launch, to))
  }
  const createPool = (at: number) =>
    send(at, [maker], graduate(payer, launch, { environment, creatorFee: plan.creatorWallet !== undefined }))

  /** Parts of the deposits, each a little larger than the one before, spread over the time since the start. */
  function depositsOfOthers(net: bigint, count: number): Step[] {
    const { startTime } = plan
    const until = Math.min(born, plan.endTime)
    const whole = BigInt((count * (count + 1)) / 2)
    const parts = Array.from({ length: count }, (_, at) => (net * BigInt(at + 1)) / whole)
    const rest = net - parts.reduce((sum, part) => sum + part, 0n)
    return parts.map((part, at) =>
      trade(
        startTime + Math.floor(((until - startTime) * at) / count),
        at,
        depositFor(at === 0 ? part + rest : part),
        (trader, _, lamports) => depositInSale(trader, launch, lamports),
      ),
    )
  }
  function saleSteps(): Step[] {
    const { startTime, endTime, depositedLamports: deposited, ofVisitor = 0n, amm: after } = plan
    const gross = depositFor(ofVisitor)
    const ofTheVisitor = send(startTime, [visitor], depositAndUnwrap(visitor.address, launch, gross))
    return [
      ...create(Math.min(born, startTime - HOUR)),
      ...(ofVisitor > 0n ? [asBefore(visitor, gross + SOL, ofTheVisitor)] : []),
      ...(deposited > 0n ? depositsOfOthers(deposited - ofVisitor, plan.deposits ?? 1) : []),
      ...(plan.behaviorsDone ? [end(endTime)] : []),
      ...(after?.graduatedAt !== undefined ? [createPool(after.graduatedAt)] : []),
      ...(plan.releases ? [send(endTime + 1, [maker], triggerConditions(payer, launch))] : []),
      ...(entry.token2022 ? [changeMint] : []),
    ]
  }

  function curveSteps(): Step[] {
    const unclaimed = reward?.curve.unclaimed
    const graduatedAt = plan.amm?.graduatedAt
    const fullAt = graduatedAt ?? plan.soldOutAt
    const lastAt = fullAt ?? born
    if (plan.depositedLamports === 0n) return create(born - 2 * DAY)
    const total = fullAt === undefined ? plan.depositedLamports : curveCost()
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
      ...(graduatedAt === undefined
        ? []
        : [end(graduatedAt), createPool(graduatedAt), ...feeSteps(graduatedAt)]),
    ]
  }

  /**
   * The pools of Harbour Cat, Driftwood, Copper Kite and Moss have earned fees. Any program could create that state, but
   * only by thousands of trades, so the fees are written into the pool. They are collected and claimed by instructions.
   */
  function feeSteps(at: number): Step[] {
    const { accrued = 0n, claimed = 0n, pool = 0n } = reward?.amm ?? {}
    let count = 0n
    /** A different amount each time, so that two equal steps in one slot are two transactions. */
    const marker = () => systemTransfer(payer, payer, ++count)
    const earn =
      (fees: bigint, instruction = marker()): Step =>
      () =>
        submit(chain, [maker], [instruction], {
          also: poolWithFees(chain, addresses.pool, fees),
          named: [genesisAddress, GENESIS],
          at,
        })
    const collect = (instruction = marker()) =>
      send(
        at,
        [maker],
        [...collectPoolFees(payer, launch, { environment, creator: creator.address }), instruction],
      )
    return [
      ...(claimed > 0n ? [earn(claimed), collect(), claim(at, 'pool')] : []),
      ...(accrued > claimed ? [earn(accrued - claimed), collect()] : []),
      ...(pool > 0n ? [earn(pool)] : []),
    ]
  }

  const changeMint: Step = () =>
    submit(chain, [maker], [systemTransfer(payer, payer, 0n)], {
      also: withToken2022(chain, { ...plan, genesis: genesisAddress, authority: payer }),
      named: [genesisAddress, GENESIS],
    })

  return plan.mechanic === 'bondingCurveV2' ? curveSteps() : saleSteps()
}

const inBps = (amount: bigint) => ({ type: FeeDiscriminants.BasisPoints, amount })
const TRADE_FEES = [inBps(PROTOCOL_FEE_BPS), inBps(CREATOR_FEE_BPS)]
const purchaseFor = (net: bigint): bigint => grossForNet(net, TRADE_FEES)
const netOf = (gross: bigint): bigint => TRADE_FEES.reduce((rest, fee) => rest - feeOn(gross, fee), gross)
const depositFor = (net: bigint): bigint => grossForNet(net, [inBps(DEFAULT_LAUNCHPOOL_DEPOSIT_FEE)])

/** A purchase whose creator fee is exactly this: from the middle of the amounts that round down to it. */
const purchaseWithFee = (creatorFee: bigint): bigint => (creatorFee * 10_000n + 5_000n) / CREATOR_FEE_BPS

function mustGetAccount(chain: Chain, address: Address | undefined): ChainAccount {
  const account = address && chain.account(address)
  if (!account) throw new Error(`the demo needs account ${address}, which does not exist`)
  return account
}

const AMOUNT_AT = 64

/** A pool and its vault after trades that earned the creator this many lamports. */
function poolWithFees(chain: Chain, address: Address, fees: bigint): AccountChanges {
  const account = mustGetAccount(chain, address)
  const pool = decode(poolLayout, account.data)
  const isQuote0 = pool.mint0 === WRAPPED_NATIVE_MINT
  const vaultAddress = (isQuote0 ? pool.vault0 : pool.vault1) as Address
  const vault = mustGetAccount(chain, vaultAddress)
  const data = Uint8Array.from(vault.data)
  const view = new DataView(data.buffer)
  view.setBigUint64(AMOUNT_AT, view.getBigUint64(AMOUNT_AT, true) + fees, true)
  const side = isQuote0 ? 'creatorFees0' : 'creatorFees1'
  return new Map([
    [address, { ...account, data: encode(poolLayout, { ...pool, [side]: pool[side] + fees }) }],
    [vaultAddress, { ...vault, lamports: vault.lamports + fees, data }],
  ])
}

const MINT_BYTES = 82
const TOKEN_ACCOUNT_BYTES = 165
const [MINT, METADATA_POINTER, METADATA] = [1, 18, 19]
const pointerLayout = struct({
  accountType: u8,
  type: u16,
  bytes: u16,
  authority: addressCodec,
  metadata: addressCodec,
})
const metadataLayout = struct({
  authority: addressCodec,
  mint: addressCodec,
  name: text,
  symbol: text,
  uri: text,
  _more: zeros(4),
})

/**
 * Makes the token of Bellwether one of Token-2022, which carries its own metadata. Such launches exist on the real
 * network, but neither the stand-in nor a public binary of Genesis creates them.
 */
function withToken2022(
  chain: Chain,
  { mint, genesis, authority, token }: WorldLaunch['plan'] & { genesis: Address; authority: Address },
): AccountChanges {
  const old = mustGetAccount(chain, mint)
  const metadata = encode(metadataLayout, { authority, mint, ...token })
  const pointer = { accountType: MINT, type: METADATA_POINTER, bytes: 64, authority, metadata: mint }
  const data = Buffer.concat([
    old.data.subarray(0, MINT_BYTES),
    new Uint8Array(TOKEN_ACCOUNT_BYTES - MINT_BYTES),
    encode(pointerLayout, pointer),
    encode(struct({ type: u16, bytes: u16 }), { type: METADATA, bytes: metadata.length }),
    metadata,
  ])
  const program = { owner: TOKEN_2022_PROGRAM, lamports: chain.vm.rentExemptMinimum(data.length) }
  const heldAt = associatedTokenAddress(mint, genesis, TOKEN_PROGRAM)
  const unused = [heldAt, associatedTokenAddress(mint, traderKey(chain, 0).address, TOKEN_PROGRAM)]
  return new Map([
    [mint, { ...old, ...program, data: new Uint8Array(data) }],
    [
      associatedTokenAddress(mint, genesis, TOKEN_2022_PROGRAM),
      { ...mustGetAccount(chain, heldAt), owner: TOKEN_2022_PROGRAM },
    ],
    ...[...unused, tokenMetadataAddress(mint)].map(address => [address, undefined] as const),
  ])
}
