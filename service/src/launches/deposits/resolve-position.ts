import { depositAddress } from '@slipway/launch-model/addresses'
import { tokensOf } from '@slipway/launch-model/calls/trades'
import type { Deposit } from '@slipway/launch-model/kinds/bucket-kind'
import { type Position, resolvePosition } from '@slipway/launch-model/position'
import { GENESIS_FEE_WALLET } from '@slipway/launch-model/programs'
import type { Address } from '@slipway/schema/address'
import { ServiceError } from '@slipway/schema/errors'
import type { ChainAccount } from '../../chain/account-reader.ts'
import { decodeDeposit, decodeUnlocked } from '../../chain/accounts/bucket.ts'
import type { LaunchShape } from '../trading/launch-shape.ts'
import type { NamedAccounts } from '../trading/markets.ts'
import type { MarketReading } from '../trading/read-market.ts'

/** A launch, what a wallet has in it, and what the wallet can do now. */
export interface PositionReading {
  reading: MarketReading
  position: Position
}

/** The accounts that say what a wallet has in a launch. */
export const positionAccounts =
  (wallet: Address): NamedAccounts =>
  shape => [
    ...depositsOf(shape, wallet).map(({ address }) => address),
    ...shape.unlocked,
    tokensOf(shape.base, wallet),
    tokensOf(shape.base, GENESIS_FEE_WALLET),
  ]

const depositsOf = ({ depositBuckets }: LaunchShape, wallet: Address) =>
  depositBuckets.map(({ kind, address: bucket }) => ({
    kind,
    bucket,
    wallet,
    address: depositAddress(kind, bucket, wallet),
  }))

export function toPosition(reading: MarketReading, wallet: Address): PositionReading {
  const { shape, market, others } = reading
  const at = (address: Address) => others.get(address) as ChainAccount
  const unlocked = shape.unlocked.map(address => decodeUnlocked(at(address))).filter(bucket => bucket.exists)
  // An RPC endpoint that lacks one bucket may lack deposits too, which would then look as if they didn't exist.
  if (unlocked.length < shape.unlocked.length) throw new ServiceError('SERVICE_UNAVAILABLE')
  const deposits = new Map<Address, Deposit>()
  for (const named of depositsOf(shape, wallet)) {
    const deposit = decodeDeposit(at(named.address), named)
    if (deposit.exists) deposits.set(named.bucket, deposit)
  }
  const { buckets, nowSeconds } = market
  const position = resolvePosition({ wallet, buckets, unlocked, deposits, nowSeconds })
  return { reading, position }
}
