import { type Address, isAddress } from '@slipway/schema/address'
import { ServiceError } from '@slipway/schema/errors'
import type { LaunchData } from '@slipway/schema/launch'
import type { Network } from '@slipway/schema/network'
import type { LaunchPosition } from '@slipway/schema/position'
import type { Wallet, WalletPosition } from '@slipway/schema/wallet'
import type { AtSlot } from '../chain/at-slot.ts'
import type { ReadHeldTokens } from '../chain/heavy-reads.ts'
import type { ChainRpc } from '../chain/rpc/create-rpc.ts'
import { RpcError } from '../chain/rpc/fault.ts'
import { createCursors } from './wallet-cursor.ts'

/** A registered launch in memory. */
export interface KnownLaunch {
  genesisAddress: Address
  registeredMs: number
  /** A `LaunchData`. */
  json: string
  /** Of the JSON, in bytes. */
  length: number
}

export interface PositionParts {
  network: Network
  rpc: Pick<ChainRpc, 'fetchAccounts'>
  heldTokens: ReadHeldTokens
  launches: {
    launch(address: Address): KnownLaunch | undefined
    launchesOfToken(mint: Address): readonly KnownLaunch[]
  }
  readPosition(network: Network, genesis: Address, wallet: Address, minSlot?: number): Promise<LaunchPosition>
}

type PositionPage = Pick<Wallet, 'positions' | 'truncated' | 'unavailable'> & {
  next: string | null
  /** The slot of the oldest read. */
  slot: number
}

/** Reads in one step share their calls. More steps keep a wallet from using up the RPC. */
const READ_AT_ONCE = 50

/** What a wallet has in registered launches: in those with its deposits, and in those whose tokens it holds. */
export async function listPositions(
  parts: PositionParts,
  wallet: Address,
  {
    depositedIn,
    cursor,
    limit,
    ...at
  }: { depositedIn: readonly Address[]; cursor: string | undefined; limit: number } & AtSlot,
): Promise<PositionPage> {
  const { network, launches } = parts
  const cursors = createCursors([network, wallet, 'positions'], isPlace)
  const after = cursor === undefined ? undefined : cursors.decode(cursor)
  const { mints, truncated, slot } = await readHeldMints(parts, wallet, at)
  const held = [...mints].flatMap(mint => launches.launchesOfToken(mint))
  const deposited = depositedIn.flatMap(address => launches.launch(address) ?? [])
  const all = [...new Map([...deposited, ...held].map(launch => [launch.genesisAddress, launch])).values()]
    .sort((a, b) => comparePlaces(placeOf(a), placeOf(b)))
    .filter(launch => !after || comparePlaces(placeOf(launch), after) > 0)
  const shown = takePage(all, limit)
  const last = all.length > shown.length ? shown.at(-1) : undefined
  const holds = new Set(held.map(({ genesisAddress }) => genesisAddress))
  const read = await readAll(parts, wallet, shown, at.minSlot)
  return {
    positions: read.positions.filter(position => holds.has(position.genesisAddress) || hasAnything(position)),
    unavailable: read.unavailable,
    truncated,
    slot: Math.min(slot, ...read.positions.map(position => position.slot)),
    next: last ? cursors.encode(placeOf(last)) : null,
  }
}

/** Each launch has at most 6 kB, so that pages of 50 are always full. */
const LAUNCH_BYTES_MAX = 300_000

/** The first launches, without the one that would make the page too long. */
function takePage(launches: readonly KnownLaunch[], limit: number): KnownLaunch[] {
  let bytes = 0
  const page = launches.slice(0, limit)
  const end = page.findIndex(({ length }) => {
    bytes += length
    return bytes > LAUNCH_BYTES_MAX
  })
  return end === -1 ? page : page.slice(0, end)
}

/** All pages share a reading for as long as a wallet may be out of date. */
const TOKENS_AGE_MS_MAX = 5_000

/** The mints of which a wallet holds something, and whether it may hold more. */
async function readHeldMints(
  { heldTokens, rpc }: PositionParts,
  wallet: Address,
  at: AtSlot,
): Promise<{ mints: Set<Address>; truncated: boolean; slot: number }> {
  try {
    const { tokens, truncated, slot } = await heldTokens(wallet, { ...at, ageMsMax: TOKENS_AGE_MS_MAX })
    return { mints: new Set(tokens.map(({ mint }) => mint)), truncated, slot }
  } catch (error) {
    if (!(error instanceof RpcError)) throw error
    // Nodes refuse to list very many. If this fails too, the RPC is down.
    const { slot } = await rpc.fetchAccounts([wallet])
    return { mints: new Set(), truncated: true, slot }
  }
}

/** The last registered first; ties by address, so that every node has the same order. */
type Place = [registeredMs: number, genesisAddress: string]
const placeOf = ({ registeredMs, genesisAddress }: KnownLaunch): Place => [registeredMs, genesisAddress]
const comparePlaces = ([aMs, a]: Place, [bMs, b]: Place) => bMs - aMs || (a < b ? -1 : a > b ? 1 : 0)
const isPlace = (value: unknown): value is Place =>
  Array.isArray(value) &&
  value.length === 2 &&
  Number.isSafeInteger(value[0]) &&
  typeof value[1] === 'string' &&
  isAddress(value[1])

async function readAll(
  { network, readPosition }: PositionParts,
  wallet: Address,
  launches: readonly KnownLaunch[],
  minSlot: number | undefined,
): Promise<{ positions: WalletPosition[]; unavailable: Address[] }> {
  const positions: WalletPosition[] = []
  const unavailable: Address[] = []
  const readOne = async ({ genesisAddress, json }: KnownLaunch) => {
    try {
      const position = await readPosition(network, genesisAddress, wallet, minSlot)
      const { launch, baseToken } = JSON.parse(json) as LaunchData
      return { genesisAddress, launch, baseToken, ...position }
    } catch (error) {
      // Anyone can send a wallet tokens of a launch that can't be read. That must not hide everything else.
      if (!(error instanceof ServiceError) || error.code !== 'SERVICE_UNAVAILABLE') throw error
      unavailable.push(genesisAddress)
      return []
    }
  }
  for (let at = 0; at < launches.length; at += READ_AT_ONCE)
    positions.push(...(await Promise.all(launches.slice(at, at + READ_AT_ONCE).map(readOne))).flat())
  return { positions, unavailable }
}

/** The index may know a deposit that has just been withdrawn. */
const hasAnything = ({
  deposited,
  entitled,
  claimable,
  claimed,
  refundable,
  proceeds,
  balance,
}: LaunchPosition) =>
  [deposited, entitled, claimable, claimed, refundable, proceeds, balance].some(amount => amount !== '0')
