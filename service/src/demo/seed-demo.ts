import { createHash } from 'node:crypto'
import type { Address } from '@slipway/schema/address'
import type { Socials } from '@slipway/schema/launch'
import type { Network } from '@slipway/schema/network'
import { getAddressDecoder } from '@solana/addresses'
import type { Database } from '../store/database.ts'
import { countLaunches, insertLaunches, type NewLaunch, type NewToken } from '../store/launches.ts'
import { DEVNET_LAUNCHES, type DemoLaunch, MAINNET_LAUNCHES } from './demo-launches.ts'

const MINUTE_MS = 60_000
const OPEN_END = new Date('9999-12-31T23:59:59.999Z')

/** Fills the embedded store of a newcomer, once. A store that holds anything is left alone. */
export async function seedDemo(database: Database): Promise<void> {
  if ((await countLaunches(database)) > 0) return
  // Whole seconds, as the chain would have them.
  const nowMs = Math.floor(Date.now() / 1_000) * 1_000
  await insertLaunches(database, [
    ...MAINNET_LAUNCHES.map(launch => toRows(launch, 'chain-mainnet', nowMs)),
    ...DEVNET_LAUNCHES.map(launch => toRows(launch, 'chain-devnet', nowMs)),
  ])
}

function toRows(demo: DemoLaunch, network: Network, nowMs: number): { launch: NewLaunch; token: NewToken } {
  const at = (minutes: number) => new Date(nowMs + minutes * MINUTE_MS)
  const slug = demo.name.toLowerCase().replaceAll(' ', '-')
  const mint = addressFrom(`${network} mint ${slug}`)
  return {
    token: {
      network,
      mint,
      name: demo.name,
      symbol: demo.symbol,
      image: picture(demo.symbol),
      description: demo.description,
    },
    launch: {
      network,
      genesisAddress: addressFrom(`${network} launch ${slug}`),
      mint,
      mechanic: demo.mechanic,
      startsAt: at(demo.startsIn),
      endsAt: demo.endsIn === null ? OPEN_END : at(demo.endsIn),
      graduatedAt: demo.graduatedIn === undefined ? null : at(demo.graduatedIn),
      lastActivityAt: at(demo.activeIn),
      registeredAt: at(Math.min(demo.startsIn, demo.activeIn) - 60),
      spotlight: demo.spotlight ?? false,
      heroUrl: demo.hero ? `heroes/${slug}.webp` : null,
      website: demo.website ? `https://${slug}.example` : '',
      socials: links(slug.replaceAll('-', ''), demo.socials ?? []),
    },
  }
}

function links(handle: string, keys: readonly (keyof Socials)[]): Socials {
  const all: Required<Socials> = {
    x: `https://x.com/${handle}`,
    telegram: `https://t.me/${handle}`,
    discord: `https://discord.gg/${handle}`,
  }
  return Object.fromEntries(keys.map(key => [key, all[key]]))
}

/** An address that nobody holds the key of, the same at every seeding. */
function addressFrom(text: string): Address {
  return getAddressDecoder().decode(createHash('sha256').update(`slipway demo ${text}`).digest())
}

/** A picture of its own: a coloured tile with the token's first letter, inline, so that nothing has to serve it. */
function picture(symbol: string): string {
  const hue = createHash('sha256').update(symbol).digest().readUInt16BE(0) % 360
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" rx="14" fill="hsl(${hue} 60% 42%)"/><text x="32" y="43" font-family="sans-serif" font-size="32" font-weight="700" text-anchor="middle" fill="#fff">${symbol[0]}</text></svg>`
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`
}
