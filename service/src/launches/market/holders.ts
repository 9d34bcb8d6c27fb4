import {
  assetSignerAddress,
  bucketSignerAddress,
  poolStateAddress,
  poolVaultAddress,
} from '@slipway/launch-model/addresses'
import type { RaydiumEnvironment } from '@slipway/launch-model/programs'
import type { Address } from '@slipway/schema/address'
import { ServiceError } from '@slipway/schema/errors'
import type { HolderLabel, LaunchHolders } from '@slipway/schema/market'
import type { ChainAccount } from '../../chain/account-reader.ts'
import { decodeBucketHead } from '../../chain/accounts/bucket.ts'
import { decodeGenesisAccount } from '../../chain/accounts/genesis-account.ts'
import { decodeMint } from '../../chain/accounts/mint.ts'
import { decodeTokenAccount } from '../../chain/accounts/token-account.ts'
import type { HeavyReads } from '../../chain/heavy-reads.ts'
import type { ChainRpc } from '../../chain/rpc/create-rpc.ts'
import { RpcError } from '../../chain/rpc/fault.ts'
import { createKeptReads } from '../../lib/kept-reads.ts'
import type { Markets } from '../trading/markets.ts'
import type { MarketReading } from '../trading/read-market.ts'

/** Who holds the tokens of a network's launches. */
export interface Holders {
  /** Each launch is read at most once in ten seconds, for all callers. Launches of one token share its accounts. */
  read(
    launch: { genesis: Address; mint: Address; agent: Address | undefined },
    client: string,
  ): Promise<LaunchHolders>
}

const KEPT_MS = 10_000
const KEPT_MAX = 2_000

export function createHolders({
  rpc,
  heavyReads,
  market,
  environment,
}: {
  heavyReads: HeavyReads
  rpc: Pick<ChainRpc, 'fetchLargestAccounts'>
  market: Pick<Markets, 'read'>
  environment: RaydiumEnvironment
}): Holders {
  const limits = { keptMs: KEPT_MS, sizeMax: KEPT_MAX }
  const keepLargest = createKeptReads<Address, Address[]>(limits)
  const keep = createKeptReads<Address, LaunchHolders>(limits)

  async function fetchLargest(genesis: Address, mint: Address, client: string): Promise<Address[]> {
    try {
      return await keepLargest(mint, () => heavyReads.run(client, () => rpc.fetchLargestAccounts(mint)))
    } catch (error) {
      if (!(error instanceof RpcError && REFUSALS.has(error.kind))) throw error
      // This throws if the RPC refuses everything, which is an outage.
      await market.read(genesis, () => [])
      throw new ServiceError('HOLDERS_UNAVAILABLE', { cause: error })
    }
  }

  async function readNow(...[launch, client]: Parameters<Holders['read']>): Promise<LaunchHolders> {
    const { genesis, mint, agent } = launch
    const addresses = await fetchLargest(genesis, mint, client)
    // Owners, supply and what the labels depend on, as of one slot.
    const reading = await market.read(genesis, shape => [
      genesis,
      shape.base.mint,
      ...shape.buckets,
      ...addresses,
    ])
    const label = createLabels(reading, environment, agent)
    const supply = supplyOf(reading)
    const holders = addresses
      .map(address => decodeTokenAccount(reading.others.get(address) as ChainAccount))
      .filter(account => account.exists)
      .filter(account => account.mint === mint && account.amount > 0n)
      .sort((a, b) => (a.amount === b.amount ? 0 : a.amount > b.amount ? -1 : 1))
      .map(({ address, holder, amount }) => ({
        owner: holder,
        amount: `${amount}`,
        share: supply > 0n ? Number((amount * SHARE_SCALE) / supply) / Number(SHARE_SCALE) : 0,
        label: label(holder, address),
      }))
    const { base, quote, unread } = reading.shape
    return {
      supply: `${supply}`,
      holders,
      unreadParts: unread,
      slot: reading.slot,
      quoteDecimals: quote.decimals,
      baseDecimals: base.decimals,
    }
  }

  return { read: (launch, client) => keep(launch.genesis, () => readNow(launch, client)) }
}

const SHARE_SCALE = 10n ** 12n
/** Providers leave this method out of small plans, and nodes refuse it for tokens with very many accounts. */
const REFUSALS = new Set(['unable', 'refused', 'invalid'])

function supplyOf({ shape, others }: MarketReading): bigint {
  const mint = decodeMint(others.get(shape.base.mint) as ChainAccount)
  return mint.exists ? mint.supply : 0n
}

/** What is known about a token account and its owner. */
function createLabels(
  { market, shape, others }: MarketReading,
  environment: RaydiumEnvironment,
  agent: Address | undefined,
): (owner: Address, account: Address) => HolderLabel {
  const labels = new Map<Address, HolderLabel>()
  const add = (label: HolderLabel, ...owners: Address[]) => {
    for (const owner of owners) if (!labels.has(owner)) labels.set(owner, label)
  }
  for (const { kind, address } of market.buckets)
    add(kind === 'bondingCurveV2' ? 'curve' : 'launch', address, bucketSignerAddress(address))
  for (const address of shape.unlocked) add('launch', address, bucketSignerAddress(address))
  // The launch's own account holds the tokens that its buckets sell.
  const isSelling = !market.pool && market.buckets.some(({ kind }) => kind === 'bondingCurveV2')
  add(isSelling ? 'curve' : 'launch', shape.genesis)
  if (agent) add('agent', assetSignerAddress(agent), agent)
  for (const address of shape.buckets) {
    const head = decodeBucketHead(others.get(address) as ChainAccount)
    if (head.exists && head.creatorFeeWallet) add('creator', head.creatorFeeWallet)
  }
  const genesis = decodeGenesisAccount(others.get(shape.genesis) as ChainAccount)
  if (genesis.exists) add('creator', genesis.authority)
  // One address owns the vaults of all pools, so the owner doesn't tell whose pool it is.
  const vaults = new Set(
    shape.poolBuckets.map(bucket => poolVaultAddress(environment, poolStateAddress(bucket), shape.base.mint)),
  )
  return (owner, account) => (vaults.has(account) ? 'pool' : (labels.get(owner) ?? null))
}
