import {
  createTriggeredCondition,
  getBondingCurveBucketV2AccountDataSerializer,
  getRaydiumCpmmBucketV2AccountDataSerializer,
} from '@metaplex-foundation/genesis'
import type { Address } from '@solana/kit'
import type { ChainAccount } from '../ledger/account.ts'
import type { Chain } from '../ledger/create-chain.ts'
import { systemTransfer } from '../ledger/system-instructions.ts'
import { decodeTokenAccount } from '../ledger/token-balances.ts'
import { asKey, GENESIS } from '../programs/genesis/checks.ts'
import { depositedInPool, depositedInPresale } from './deposits.ts'
import { poolKeys, type RaydiumEnvironment } from './keys.ts'
import { WRAPPED_SOL } from './launch-accounts.ts'
import { tradedInPool } from './pool-trade.ts'
import { marketVersion, submit } from './submit.ts'
import { associatedToken, buildTokenAccount } from './token-accounts.ts'
import type { WorldLaunch } from './world-launch.ts'
import { worldPool } from './write-launch.ts'

const CREATOR_FEE_DIVISOR = 100n
const SUPPLY_TO_POOL_DIVISOR = 5n

/**
 * Trades, written directly to the accounts of a launch. Each move is one transaction that names these accounts, so
 * that it has a signature, a block time and an entry in their history. A move starts from the current accounts,
 * because claims change them too.
 */
export function marketMoves(chain: Chain, environment: RaydiumEnvironment) {
  const rent = chain.vm.rentExemptMinimum
  let count = 0n

  function move(launch: WorldLaunch, accounts: Map<Address, ChainAccount>): void {
    // A different amount each time, so that two moves in one slot are two transactions.
    count = (count + 1n) % 1_000_000n
    const { maker } = launch
    const marker = systemTransfer(maker.address, maker.address, count)
    submit(chain, [maker], [marker], {
      also: accounts,
      named: [launch.genesisAddress, GENESIS],
      version: marketVersion(chain),
    })
  }

  /** A wrapped SOL account after lamports were added to it or, if negative, removed. */
  function credited(owner: Address, address: Address, lamports: bigint): [Address, ChainAccount] {
    const amount = decodeTokenAccount(chain.account(address))?.amount ?? 0n
    return [address, buildTokenAccount(WRAPPED_SOL, owner, amount + lamports, rent)]
  }

  const now = () => BigInt(chain.clock.unixTime(chain.clock.slot()))

  const mustGetAccount = (address: Address): ChainAccount => {
    const account = chain.account(address)
    if (!account) throw new Error(`the market needs account ${address}, which does not exist`)
    return account
  }

  const isGraduated = ({ addresses, plan }: WorldLaunch): boolean => {
    if (!plan.amm) return plan.behaviorsDone ?? false
    const [amm] = getRaydiumCpmmBucketV2AccountDataSerializer().deserialize(
      mustGetAccount(addresses.amm).data,
    )
    return amm.graduatedBaseTokenAmount > 0n
  }

  return {
    isGraduated,

    raisedOnCurve({ addresses }: WorldLaunch): bigint {
      return getBondingCurveBucketV2AccountDataSerializer().deserialize(
        mustGetAccount(addresses.primary).data,
      )[0].quoteTokenDepositTotal
    },

    /** A purchase on a curve. The creator gets a round one percent, not the published rate. */
    buyOnCurve(launch: WorldLaunch, lamports: bigint): void {
      const { primary } = launch.addresses
      const account = mustGetAccount(primary)
      const data = boughtOnCurve(account.data, lamports)
      const paid = lamports + lamports / CREATOR_FEE_DIVISOR
      move(
        launch,
        new Map([
          [primary, { ...account, data }],
          credited(primary, associatedToken(WRAPPED_SOL, primary), paid),
        ]),
      )
    },

    /** A deposit into a launch pool or a presale. */
    deposit(launch: WorldLaunch, lamports: bigint): void {
      const { primary } = launch.addresses
      const account = mustGetAccount(primary)
      const data =
        launch.plan.mechanic === 'launchpoolV2'
          ? depositedInPool(account.data, lamports, now())
          : depositedInPresale(account.data, lamports, now())
      move(
        launch,
        new Map([
          [primary, { ...account, data }],
          credited(primary, associatedToken(WRAPPED_SOL, primary), lamports),
        ]),
      )
    },

    /** A trade in the pool of a graduated launch, which adds to the creator fees. */
    tradeInPool(launch: WorldLaunch, lamports: bigint): void {
      const fees = lamports / CREATOR_FEE_DIVISOR
      const accounts = tradedInPool(chain, launch, environment, { lamports, fees })
      if (accounts) move(launch, accounts)
    },

    /** Moves the tokens and proceeds of a full curve to a new pool. */
    graduate(launch: WorldLaunch): void {
      const { primary, amm, pool } = launch.addresses
      const done = { ...createTriggeredCondition(), triggeredTimestamp: now() }
      const [curveAccount, ammAccount] = [mustGetAccount(primary), mustGetAccount(amm)]
      const { data: curveData, raised } = graduatedCurve(curveAccount.data, done)
      const supply = launch.plan.supply / SUPPLY_TO_POOL_DIVISOR
      const keys = poolKeys(launch.mint, amm, environment)
      const authority = keys.poolAuthority
      const data = worldPool(keys, launch.plan)
      move(
        launch,
        new Map<Address, ChainAccount>([
          [primary, { ...curveAccount, data: curveData }],
          [amm, { ...ammAccount, data: graduatedAmm(ammAccount.data, done, { supply, pool }) }],
          [pool, { lamports: rent(data.length), owner: keys.raydiumProgram, data, executable: false }],
          credited(primary, associatedToken(WRAPPED_SOL, primary), -raised),
          credited(authority, keys.quoteVault, raised),
          [keys.baseVault, buildTokenAccount(launch.mint, authority, supply, rent)],
        ]),
      )
    },
  }
}

/** The data of a curve after a purchase. */
function boughtOnCurve(data: Uint8Array, lamports: bigint): Uint8Array {
  const serializer = getBondingCurveBucketV2AccountDataSerializer()
  const [curve] = serializer.deserialize(data)
  return serializer.serialize({
    ...curve,
    quoteTokenDepositTotal: curve.quoteTokenDepositTotal + lamports,
    creatorFeeAccrued: curve.creatorFeeAccrued + lamports / CREATOR_FEE_DIVISOR,
    bucket: { ...curve.bucket, quoteTokenBalance: curve.bucket.quoteTokenBalance + lamports },
  })
}

type Condition = ReturnType<typeof createTriggeredCondition>

/** The data of a curve whose tokens and proceeds have left, and how many lamports they were. */
function graduatedCurve(data: Uint8Array, done: Condition): { data: Uint8Array; raised: bigint } {
  const serializer = getBondingCurveBucketV2AccountDataSerializer()
  const [curve] = serializer.deserialize(data)
  return {
    raised: curve.bucket.quoteTokenBalance,
    data: serializer.serialize({
      ...curve,
      swapEndCondition: done,
      bucket: { ...curve.bucket, quoteTokenBalance: 0n, baseTokenBalance: 0n },
      endBehaviors: curve.endBehaviors.map(behavior => ({ ...behavior, processed: true })),
    }),
  }
}

/** The data of an AMM bucket that now has a pool. */
function graduatedAmm(
  data: Uint8Array,
  done: Condition,
  { supply, pool }: { supply: bigint; pool: Address },
): Uint8Array {
  const serializer = getRaydiumCpmmBucketV2AccountDataSerializer()
  const [bucket] = serializer.deserialize(data)
  return serializer.serialize({
    ...bucket,
    graduatedBaseTokenAmount: supply,
    lpTokenBalance: 1_000_000_000n,
    startCondition: done,
    graduateCondition: done,
    poolState: asKey(pool),
  })
}
