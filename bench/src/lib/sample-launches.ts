import { createHash } from 'node:crypto'
import type { Mechanic } from '@slipway/schema/launch'
import type { LaunchRecord } from '@slipway/service/store/read-launches'
import { getAddressDecoder } from '@solana/addresses'

const MECHANICS: Mechanic[] = ['launchpoolV2', 'bondingCurveV2', 'presaleV2']
const DAY_MS = 86_400_000

/** A launch of a realistic size, about 790 bytes of JSON. The same index gives the same launch. */
export function sampleLaunch(index: number): LaunchRecord {
  const random = createHash('sha256').update(`bench ${index}`).digest()
  const address = (salt: string) =>
    getAddressDecoder().decode(createHash('sha256').update(`${salt} ${index}`).digest())
  const nowMs = Date.UTC(2026, 0, 1)
  const startsAt = new Date(nowMs - (random.readUInt16BE(0) % 60) * DAY_MS)
  const mint = address('mint')
  const slug = random.toString('hex').slice(0, 10)
  return {
    id: `${random.toString('hex', 0, 4)}-0000-4000-8000-${random.toString('hex', 4, 10)}`,
    network: 'chain-mainnet',
    genesisAddress: address('genesis'),
    mint,
    mechanic: MECHANICS[index % 3] as Mechanic,
    startsAt,
    endsAt: new Date(startsAt.getTime() + 3 * DAY_MS),
    graduatedAt: index % 4 === 0 ? new Date(startsAt.getTime() + 3 * DAY_MS) : null,
    lastActivityAt: new Date(nowMs - random.readUInt32BE(4)),
    registeredAt: startsAt,
    spotlight: index % 100 === 0,
    heroUrl: `heroes/${slug}.webp`,
    website: `https://${slug}.example`,
    socials: {
      x: `https://x.com/${slug}`,
      telegram: `https://t.me/${slug}`,
      discord: `https://discord.gg/${slug}`,
    },
    agent: null,
    createdToken: true,
    hidden: false,
    slot: 0,
    verifiedSocials: [],
    token: {
      address: mint,
      name: `Sample ${slug}`,
      symbol: slug.slice(0, 4).toUpperCase(),
      image: `https://images.example/${slug}/token.png`,
      description: `Launch number ${index}, with a description of the usual length for launches, ${random.toString('base64')}.`,
    },
    version: 0,
  }
}
