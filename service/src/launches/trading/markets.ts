import type { RaydiumEnvironment } from '@slipway/launch-model/programs'
import type { Address } from '@slipway/schema/address'
import { ServiceError } from '@slipway/schema/errors'
import { NETWORKS, type Network } from '@slipway/schema/network'
import { NETWORK_TABLE } from '@slipway/schema/network-table'
import type { AccountReader, CheckedReader } from '../../chain/account-reader.ts'
import { createLru } from '../../lib/create-lru.ts'
import { createSingleFlight } from '../../lib/single-flight.ts'
import { fetchLaunchShape, type LaunchShape } from './launch-shape.ts'
import { type MarketReading, readMarket } from './read-market.ts'

/** How the registered launches of a network trade now. */
export interface Markets {
  /**
   * As of this slot or the one before. Requests within a slot share one read or its failure, per wallet if one is
   * named.
   */
  readShared(
    genesis: Address,
    wallet?: Address,
    also?: NamedAccounts,
    minSlot?: number,
  ): Promise<MarketReading>
  /** Reads the chain in this call, with these other accounts. */
  read(genesis: Address, also: NamedAccounts): Promise<MarketReading>
}

/** Called when the parts of a launch were read, and some can't be. Must not throw. */
type OnUnread = (genesis: Address, count: number) => void

/** Further accounts to read, which may depend on the launch's tokens and buckets. */
export type NamedAccounts = (shape: LaunchShape) => readonly Address[]

const SHAPES_MAX = 10_000
const SHAPE_MS = 5 * 60_000
/** For a launch with a part that was not found. It may have been missing only on one endpoint. */
const UNREAD_SHAPE_MS = 30_000
const SHARED_MAX = 2_000

export function createMarkets(
  reader: AccountReader,
  environment: RaydiumEnvironment,
  {
    slotMs,
    now = () => performance.now(),
    onUnread = () => {},
  }: Pick<CheckedReader, 'slotMs'> & { now?(): number; onUnread?: OnUnread },
): Markets {
  const shapes = createLru<Address, LaunchShape>(SHAPES_MAX, { perf: { now }, ttlResolution: 0 })
  const shareShape = createSingleFlight<Address, LaunchShape>()
  const shared = createLru<string, Promise<MarketReading>>(SHARED_MAX, {
    perf: { now },
    ttlResolution: 0,
  })
  const share = createSingleFlight<string, MarketReading>()

  /** Only registered launches are read, so an endpoint that lacks this one can't be trusted. */
  const findShape = async (genesis: Address): Promise<LaunchShape> =>
    shapes.get(genesis) ??
    shareShape(genesis, async () => {
      const shape = await fetchLaunchShape(reader, genesis)
      if (!shape) throw new ServiceError('SERVICE_UNAVAILABLE')
      shapes.set(genesis, shape, { ttl: shape.unread > 0 ? UNREAD_SHAPE_MS : SHAPE_MS })
      if (shape.unread > 0) onUnread(genesis, shape.unread)
      return shape
    })

  const read: Markets['read'] = async (genesis, also) => {
    const shape = await findShape(genesis)
    return readMarket(reader, environment, shape, also(shape))
  }
  return {
    read,
    async readShared(genesis, wallet, also = () => [], minSlot = 0) {
      const key = wallet ? `${genesis} ${wallet}` : genesis
      const readNow = () =>
        share(key, async () => {
          const reading = read(genesis, also)
          await reading.catch(() => {})
          // A slot begins when the read ends, however long an outage made it.
          shared.set(key, reading, { ttl: slotMs() })
          return reading
        })
      const reading = await (shared.get(key) ?? readNow())
      if (reading.slot >= minSlot) return reading
      // It may be one that others had begun.
      const again = await readNow()
      return again.slot >= minSlot ? again : readNow()
    },
  }
}

/** The markets of the networks that this deployment serves. */
export function openMarkets(
  chains: Partial<Record<Network, { rpc: CheckedReader }>>,
  onUnread: (network: Network, ...found: Parameters<OnUnread>) => void,
): Partial<Record<Network, Markets>> {
  const markets: Partial<Record<Network, Markets>> = {}
  for (const network of NETWORKS) {
    const chain = chains[network]
    if (!chain) continue
    markets[network] = createMarkets(chain.rpc, NETWORK_TABLE[network].cluster, {
      slotMs: chain.rpc.slotMs,
      onUnread: (...found) => onUnread(network, ...found),
    })
  }
  return markets
}
