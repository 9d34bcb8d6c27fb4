import { poolStateAddress } from '@slipway/launch-model/addresses'
import { decodeTrades, type HistoricPool } from '@slipway/launch-model/history/decode-trades'
import type { Trade } from '@slipway/launch-model/history/trade'
import { type LandedTransaction, TRANSACTION_VERSIONS } from '@slipway/launch-model/history/transaction'
import { decodePoolConfig, decodePoolData } from '@slipway/launch-model/pool-state'
import { GENESIS_PROGRAM, RAYDIUM_PROGRAMS } from '@slipway/launch-model/programs'
import { poolRates } from '@slipway/launch-model/trade/traded-pool'
import type { Chain } from '@slipway/local-chain/ledger/create-chain'
import { encodeTransaction } from '@slipway/local-chain/rpc/encode-transaction'
import { toJson } from '@slipway/local-chain/rpc/json-rpc'
import type { WorldLaunch } from '@slipway/local-chain/world/world-launch'
import type { Address } from '@slipway/schema/address'
import { sql } from 'drizzle-orm'
import { transactionRequest } from '../chain/rpc/transactions.ts'
import type { Database } from '../store/database.ts'

/** A transaction of the chain, as the RPC returns it and the service reads it. */
function readLanded(chain: Chain, signature: string) {
  const tx = chain.history.get(signature)
  if (!tx) throw new Error(`the chain has no transaction ${signature}`)
  const result = {
    slot: tx.slot,
    blockTime: chain.clock.unixTime(tx.slot),
    ...encodeTransaction(tx, 'json', TRANSACTION_VERSIONS[0]),
  }
  return transactionRequest(signature).decode(JSON.parse(toJson(result)))
}

/** Every trade of a launch that the chain's history has, oldest first, found without an index of addresses. */
export function tradesOnChain(
  chain: Chain,
  { genesis, baseMint, bucket }: Record<'genesis' | 'baseMint' | 'bucket', Address>,
): Trade[] {
  const pool = poolOf(chain, { baseMint, bucket })
  const launch = { genesis, baseMint, pools: pool ? [pool] : [] }
  return landedOn(chain).flatMap(transaction => decodeTrades(launch, transaction))
}

function landedOn(chain: Chain): LandedTransaction[] {
  const programs = [GENESIS_PROGRAM, RAYDIUM_PROGRAMS.mainnet]
  const signatures = new Set(
    programs.flatMap(program => [...chain.history.ofAddress(program)].map(({ signature }) => signature)),
  )
  return [...signatures].map(signature => readLanded(chain, signature)).sort((a, b) => a.slot - b.slot)
}

/** The same of all these launches, each trade in one line. */
export function listTradesOf(
  chain: Chain,
  launches: readonly Pick<WorldLaunch, 'genesisAddress' | 'mint' | 'addresses'>[],
): Stored[] {
  const all = landedOn(chain)
  return launches
    .flatMap(({ genesisAddress: genesis, mint: baseMint, addresses }) => {
      const pool = poolOf(chain, { baseMint, bucket: addresses.amm })
      return all.flatMap(transaction =>
        decodeTrades({ genesis, baseMint, pools: pool ? [pool] : [] }, transaction),
      )
    })
    .map(toStored)
    .sort(byPlace)
}

function poolOf(
  chain: Chain,
  { baseMint, bucket }: Record<'baseMint' | 'bucket', Address>,
): HistoricPool | undefined {
  const address = poolStateAddress(bucket)
  const pool = decodePoolData(chain.account(address)?.data ?? new Uint8Array())
  if (typeof pool !== 'object' || !pool.ammConfig) return undefined
  const config = decodePoolConfig(chain.account(pool.ammConfig)?.data ?? new Uint8Array())
  if (typeof config !== 'object') return undefined
  const rates = poolRates(pool, config, pool.mint0 === baseMint ? 0 : 1)
  return { address, program: RAYDIUM_PROGRAMS.mainnet, rates }
}

/** A trade in one line. */
type Stored = string

const toStored = (trade: Trade): Stored =>
  [
    trade.slot,
    trade.signature,
    trade.index,
    trade.kind,
    trade.wallet,
    trade.agent,
    trade.baseAmount,
    trade.quoteAmount,
    trade.protocolFee,
    trade.creatorFee,
    trade.poolFee,
  ].join(' ')
const byPlace = (a: Stored, b: Stored) => (a < b ? -1 : 1)

/** All trades in the store. */
export async function readStored(database: Database): Promise<Stored[]> {
  const { rows } = await database.run('test', db =>
    db.execute<{ line: string }>(sql`
      SELECT concat_ws(' ', slot, signature, index, kind, wallet, coalesce(agent, ''), base_amount, quote_amount,
        protocol_fee, creator_fee, pool_fee) AS line FROM trades`),
  )
  return rows.map(({ line }) => line).sort(byPlace)
}
