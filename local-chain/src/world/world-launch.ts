import type { Address } from '@solana/kit'
import type { Chain } from '../ledger/create-chain.ts'
import type { Keypair } from '../ledger/keypair.ts'
import { type AgentEntry, type LaunchEntry, rewardCatalogue } from './catalogue.ts'
import { launchImage, tokenUri } from './documents.ts'
import { type RaydiumEnvironment, worldKey } from './keys.ts'
import { type LaunchAddresses, launchAddresses } from './launch-addresses.ts'
import type { LaunchTerms } from './plan-launch.ts'

/** The parts that create everything in the demo world. */
export interface WorldContext {
  chain: Chain
  maker: Keypair
  documentsUrl: string
  environment: RaydiumEnvironment
  /** Airdrops this many lamports, unless the account has as many. */
  fund(address: Address, lamports: bigint): void
}

export type WorldLaunch = {
  readonly genesisAddress: Address
  readonly mint: Address
  readonly addresses: LaunchAddresses
  readonly plan: LaunchTerms
  /** Creates the launch, or owns the agent that does. */
  readonly wallet: Keypair
  /** Earns the launch's fees. */
  readonly creator: Keypair
  readonly image: string
  readonly heroUrl: string
  readonly externalLinks: Partial<Record<'website' | 'social' | 'telegram' | 'discord', string>>
  /** The agent that launched the token, if one did. */
  readonly agent?: Address
  readonly entry: LaunchEntry
}

const LAMPORTS_PER_SOL = 1_000_000_000n
/** Time from the creation of a full curve to its last purchase. */
const CURVE_SECONDS = 2 * 86_400

/** What a launch of the demo is, whether or not it exists yet. `agent` creates it, if one does. */
export function describeLaunch(
  { chain, maker, documentsUrl }: Pick<WorldContext, 'chain' | 'maker' | 'documentsUrl'>,
  entry: LaunchEntry,
  agent?: AgentEntry,
): WorldLaunch {
  const { address: mint } = worldKey(chain, `mint:${entry.slug}`)
  const reward = findReward(entry)
  const creator = reward ? worldKey(chain, `creator:${reward.slug}`) : maker
  const wallet = agent ? worldKey(chain, `owner:${agent.slug}`) : creator
  const asset = agent && worldKey(chain, `agent:${agent.slug}`).address
  const addresses = launchAddresses(mint, entry.mechanic)
  return {
    genesisAddress: addresses.genesis,
    mint,
    addresses,
    plan: {
      mechanic: entry.mechanic,
      mint,
      wallet: wallet.address,
      ...(asset && { agent: asset }),
      token: { name: entry.name, symbol: entry.symbol, uri: tokenUri(documentsUrl, entry) },
      depositedLamports: BigInt(entry.deposited) * LAMPORTS_PER_SOL,
      ...planTimes(chain.bornAt(), entry),
      ...planAmm(chain.bornAt(), entry),
      ...(entry.mechanic === 'bondingCurveV2' && { creatorWallet: creator.address }),
      ...(entry.waits === 'for its first buy' && {
        firstBuy: { buyer: worldKey(chain, 'visitor').address, amount: LAMPORTS_PER_SOL },
      }),
      ...(entry.goal !== undefined && { goal: BigInt(entry.goal) * LAMPORTS_PER_SOL }),
      ...(entry.ofVisitor !== undefined && { ofVisitor: BigInt(entry.ofVisitor) * LAMPORTS_PER_SOL }),
      ...(entry.deposits !== undefined && { deposits: entry.deposits }),
      ...(entry.releases && { releases: true }),
      ...(entry.claimsAtGraduation && { claimsAtGraduation: true }),
      ...(entry.graduated && { behaviorsDone: true }),
    },
    wallet,
    creator,
    image: launchImage(documentsUrl, entry),
    heroUrl: `heroes/${entry.slug}.svg`,
    externalLinks: linksOf(entry),
    ...(asset && { agent: asset }),
    entry,
  }
}

function planTimes(birth: number, { mechanic, startHours, endHours, graduated, waits }: LaunchEntry) {
  const startTime = birth + Math.round(startHours * 3_600)
  const endTime = birth + endHours * 3_600
  if (mechanic !== 'bondingCurveV2') return { startTime, endTime }
  const soldOutAt = waits === 'for graduation' ? birth - 3_600 : undefined
  const fullAt = graduated ? birth - 86_400 : soldOutAt
  return {
    startTime: fullAt === undefined ? startTime : fullAt - CURVE_SECONDS,
    endTime,
    ...(waits === 'for its start' && { opensLater: true }),
    ...(soldOutAt !== undefined && { soldOutAt }),
  }
}

function planAmm(birth: number, entry: LaunchEntry): Pick<LaunchTerms, 'amm'> {
  const isCurve = entry.mechanic === 'bondingCurveV2'
  if (!entry.amm && !isCurve) return {}
  const { accrued = 0n, claimed = 0n } = findReward(entry)?.source.amm ?? {}
  const graduatedAt = isCurve ? birth - 86_400 : birth + entry.endHours * 3_600 + 60
  return { amm: { accrued, claimed, ...(entry.graduated && { graduatedAt }) } }
}

/** The wallet that this launch pays, and how much. */
export function findReward({ slug }: LaunchEntry) {
  for (const reward of rewardCatalogue) {
    const source = reward.sources.find(({ launch }) => launch === slug)
    if (source) return { slug: reward.slug, source }
  }
  return undefined
}

function linksOf({ slug, links = [] }: LaunchEntry): WorldLaunch['externalLinks'] {
  const handle = slug.replaceAll('-', '')
  const all = {
    website: `https://${slug}.example`,
    social: `@${handle.slice(0, 15)}`,
    telegram: `https://t.me/${handle}`,
    discord: `https://discord.gg/${handle}`,
  }
  return Object.fromEntries(links.map(link => [link, all[link]]))
}
