import type { Address } from '@slipway/schema/address'
import type { Mechanic, Socials } from '@slipway/schema/launch'
import type { Network } from '@slipway/schema/network'
import type { Database } from '../store/database.ts'
import {
  countLaunches,
  insertLaunches,
  type NewLaunch,
  type NewToken,
  readLaunches,
} from '../store/launches.ts'

/** A launch as it stands on the chain, and what its maker would have said about it. Times are Unix seconds. */
export interface DemoLaunch {
  network: Network
  genesisAddress: Address
  mint: Address
  name: string
  symbol: string
  description: string
  image: string
  heroUrl: string
  externalLinks: { website?: string; social?: string; telegram?: string; discord?: string }
  mechanic: Mechanic
  /** Absent: the chain gives no times, so it is open from its registration on. */
  opens: { from: number; until: number } | undefined
  graduatedAt: number | undefined
  madeAt: number
  spotlight: boolean
}

const MINUTE = 60
const DAY = 24 * 60 * MINUTE
const OPEN_END = new Date('9999-12-31T23:59:59.999Z')

/**
 * Registers the launches of the embedded chains in an empty store. One that holds anything is left alone, and the
 * answer is false when what it holds is not of these chains.
 */
export async function seedDemo(database: Database, launches: readonly DemoLaunch[]): Promise<boolean> {
  const [first] = launches
  if (!first) return true
  if ((await countLaunches(database)) > 0)
    return (await readLaunches(database, first.network, [first.genesisAddress])).length > 0
  await insertLaunches(database, launches.map(toRows))
  return true
}

function toRows(demo: DemoLaunch, position: number): { launch: NewLaunch; token: NewToken } {
  const { network, genesisAddress, mint, name, symbol, image, description, externalLinks } = demo
  const { opens, graduatedAt, madeAt } = demo
  // They were registered over the days before, and something happened to each of them some minutes apart.
  const registeredAt =
    Math.min(opens?.from ?? madeAt, graduatedAt ?? madeAt, madeAt) - (1 + (position % 9)) * DAY
  const lastActivityAt = graduatedAt ?? madeAt - ((position * 7) % 60) * MINUTE
  return {
    token: { network, mint, name, symbol, image, description },
    launch: {
      network,
      genesisAddress,
      mint,
      mechanic: demo.mechanic,
      startsAt: toDate(opens?.from ?? registeredAt),
      endsAt: opens ? toDate(opens.until) : graduatedAt === undefined ? OPEN_END : toDate(graduatedAt),
      graduatedAt: graduatedAt === undefined ? null : toDate(graduatedAt),
      lastActivityAt: toDate(lastActivityAt),
      registeredAt: toDate(registeredAt),
      spotlight: demo.spotlight,
      heroUrl: demo.heroUrl,
      website: externalLinks.website ?? '',
      socials: toSocials(externalLinks),
    },
  }
}

const toDate = (seconds: number) => new Date(seconds * 1_000)

function toSocials({ social, telegram, discord }: DemoLaunch['externalLinks']): Socials {
  return {
    ...(social !== undefined && { x: `https://x.com/${social.replace(/^@/, '')}` }),
    ...(telegram !== undefined && { telegram }),
    ...(discord !== undefined && { discord }),
  }
}
