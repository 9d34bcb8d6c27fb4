import { createHash, randomUUID } from 'node:crypto'
import { addressAt } from '@slipway/launch-model/bytes/base58'
import type { Address } from '@slipway/schema/address'
import type { BaseToken } from '@slipway/schema/launch'
import type { NewLaunch, NewToken } from '../store/launches.ts'
import type { LaunchRecord } from '../store/read-launches.ts'

export const MINUTE_MS = 60_000

/** A valid address that depends only on the text. */
export function addressOf(text: string): Address {
  return addressAt(createHash('sha256').update(text).digest())
}

type LaunchFields = Partial<Omit<LaunchRecord, 'token'>>

/** A launch as the store returns it: live by default. */
export function launchRecord(
  name: string,
  launch: LaunchFields = {},
  token: Partial<BaseToken> = {},
): LaunchRecord {
  const mint = launch.mint ?? addressOf(`mint ${name}`)
  const nowMs = Math.floor(Date.now() / 1_000) * 1_000
  return {
    id: randomUUID(),
    network: 'chain-mainnet',
    genesisAddress: addressOf(`launch ${name}`),
    mint,
    mechanic: 'launchpoolV2',
    startsAt: new Date(nowMs - 60 * MINUTE_MS),
    endsAt: new Date(nowMs + 60 * MINUTE_MS),
    graduatedAt: null,
    lastActivityAt: new Date(nowMs - MINUTE_MS),
    registeredAt: new Date(nowMs - 120 * MINUTE_MS),
    spotlight: false,
    heroUrl: null,
    website: '',
    socials: {},
    agent: null,
    createdToken: true,
    hidden: false,
    slot: 0,
    verifiedSocials: [],
    version: 0,
    ...launch,
    token: {
      address: mint,
      name,
      symbol: name.slice(0, 4).toUpperCase(),
      image: '',
      description: '',
      ...token,
    },
  }
}

/** The same launch as rows to insert. */
export function launchRows(
  name: string,
  launch: LaunchFields = {},
  token: Partial<BaseToken> = {},
): { launch: NewLaunch; token: NewToken } {
  const { token: shown, version: _, ...row } = launchRecord(name, launch, token)
  const { address: mint, ...about } = shown
  return { launch: row, token: { network: row.network, mint, ...about } }
}
