import { createHash } from 'node:crypto'
import type { Address } from '@slipway/schema/address'
import type { Network } from '@slipway/schema/network'
import { getAddressDecoder } from '@solana/addresses'
import type { LaunchRecord, NewLaunch, NewToken } from '../store/launches.ts'

export const MINUTE_MS = 60_000

/** A valid address, the same for the same text. */
export function addressOf(text: string): Address {
  return getAddressDecoder().decode(createHash('sha256').update(text).digest())
}

/** Rows of a launch that is live, unless told otherwise. */
export function launchRows(
  name: string,
  launch: Partial<Omit<NewLaunch, 'network'>> & { network?: Network } = {},
  token: Partial<NewToken> = {},
): { launch: NewLaunch & { network: Network }; token: NewToken } {
  const network = launch.network ?? 'chain-mainnet'
  const mint = launch.mint ?? addressOf(`mint ${name}`)
  const nowMs = Math.floor(Date.now() / 1_000) * 1_000
  return {
    token: {
      network,
      mint,
      name,
      symbol: name.slice(0, 4).toUpperCase(),
      image: '',
      description: '',
      ...token,
    },
    launch: {
      genesisAddress: addressOf(`launch ${name}`),
      mint,
      mechanic: 'launchpoolV2',
      startsAt: new Date(nowMs - 60 * MINUTE_MS),
      endsAt: new Date(nowMs + 60 * MINUTE_MS),
      lastActivityAt: new Date(nowMs - MINUTE_MS),
      ...launch,
      network,
    },
  }
}

/** The same as the store would return it. */
export function launchRecord(
  name: string,
  launch: Parameters<typeof launchRows>[1] = {},
  token: Partial<NewToken> = {},
): LaunchRecord {
  const rows = launchRows(name, launch, token)
  return {
    id: name,
    graduatedAt: null,
    registeredAt: new Date(0),
    spotlight: false,
    heroUrl: null,
    website: '',
    socials: {},
    verifiedSocials: [],
    ...rows.launch,
    token: {
      address: rows.token.mint,
      name: rows.token.name,
      symbol: rows.token.symbol,
      image: rows.token.image ?? '',
      description: rows.token.description ?? '',
    },
  }
}
