import type { Address } from '@solana/kit'
import type { Chain } from '../ledger/create-chain.ts'
import type { Keypair } from '../ledger/keypair.ts'
import type { AgentEntry } from './agent-catalogue.ts'
import { agentWallet } from './create-agent.ts'
import { createLaunch } from './create-launch.ts'
import { launchImage, tokenUri } from './documents.ts'
import { type RaydiumEnvironment, worldKey } from './keys.ts'
import type { LaunchPlan } from './launch-accounts.ts'
import { type LaunchAddresses, launchAddresses } from './launch-addresses.ts'
import type { LaunchLife } from './launch-steps.ts'
import type { LaunchEntry } from './launches/launch-entry.ts'
import { rewardCatalogue } from './reward-catalogue.ts'

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
  readonly plan: LaunchPlan
  readonly maker: Keypair
  /** Earns the launch's fees, and controls it unless an agent does. */
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
const SUPPLY = 1_000_000_000_000_000n

/** What a launch of the demo is, whether or not it exists yet. `agent` creates it, if one does. */
export function describeLaunch(
  { chain, maker, documentsUrl }: Pick<WorldContext, 'chain' | 'maker' | 'documentsUrl'>,
  entry: LaunchEntry,
  agent?: AgentEntry,
): WorldLaunch {
  const { address: mint } = worldKey(chain, `mint:${entry.slug}`)
  const reward = findReward(entry)
  const creator = reward ? worldKey(chain, `creator:${reward.slug}`) : maker
  const addresses = launchAddresses(mint, entry.mechanic)
  return {
    genesisAddress: addresses.genesis,
    mint,
    addresses,
    plan: planLaunch(chain, entry, { mint, creator: creator.address, agent, reward }),
    maker,
    creator,
    image: launchImage(documentsUrl, entry),
    heroUrl: `heroes/${entry.slug}.svg`,
    externalLinks: linksOf(entry),
    entry,
  }
}

/** Creates a launch of the demo, unless it exists. `agent` signs for the agent that creates it, if one does. */
export function createWorldLaunch(
  { chain, maker, documentsUrl, environment, fund }: WorldContext,
  { entry, plan, creator }: WorldLaunch,
  agent?: LaunchLife['agent'],
): void {
  const reward = findReward(entry)
  createLaunch(chain, {
    plan,
    maker,
    mint: worldKey(chain, `mint:${entry.slug}`),
    metadata: { name: entry.name, symbol: entry.symbol, uri: tokenUri(documentsUrl, entry) },
    token2022: entry.token2022 ?? false,
    environment,
    poolFees: reward?.source.amm?.pool ?? 0n,
    creator,
    ...(agent && { agent }),
    ...(reward?.source.curve && { unclaimed: reward.source.curve.unclaimed }),
    ...(plan.firstBuy && { firstBuyer: worldKey(chain, 'visitor') }),
    visitor: worldKey(chain, 'visitor'),
    fund,
  })
}

function planLaunch(
  chain: Chain,
  entry: LaunchEntry,
  {
    mint,
    creator,
    agent,
    reward,
  }: {
    mint: Address
    creator: Address
    agent: AgentEntry | undefined
    reward: ReturnType<typeof findReward>
  },
): LaunchPlan {
  const birth = chain.bornAt()
  const endTime = birth + entry.endHours * 3_600
  const graduatedAt = entry.graduated
    ? entry.mechanic === 'bondingCurveV2'
      ? birth - 86_400
      : endTime + 60
    : undefined
  const isCurve = entry.mechanic === 'bondingCurveV2'
  const soldOutAt = isCurve && entry.waits === 'for graduation' ? birth - 3_600 : undefined
  const fullAt = graduatedAt ?? soldOutAt
  const startTime = birth + Math.round(entry.startHours * 3_600)
  return {
    mechanic: entry.mechanic,
    mint,
    authority: agent ? agentWallet(worldKey(chain, `agent:${agent.slug}`).address) : creator,
    startTime: fullAt !== undefined && isCurve ? fullAt - CURVE_SECONDS : startTime,
    endTime,
    supply: SUPPLY,
    depositedLamports: BigInt(entry.deposited) * LAMPORTS_PER_SOL,
    ...(isCurve && {
      creatorWallet: creator,
      creatorFee: { accrued: reward?.source.curve?.unclaimed ?? 0n, claimed: 0n },
    }),
    ...((entry.amm || isCurve) && {
      amm: {
        ...(graduatedAt !== undefined && { graduatedAt }),
        accrued: reward?.source.amm?.accrued ?? 0n,
        claimed: reward?.source.amm?.claimed ?? 0n,
      },
    }),
    ...(entry.graduated && { behaviorsDone: true }),
    ...(entry.waits === 'for its start' && { opensLater: true }),
    ...(entry.waits === 'for its first buy' && {
      firstBuy: { buyer: worldKey(chain, 'visitor').address, amount: LAMPORTS_PER_SOL },
    }),
    ...(soldOutAt !== undefined && { soldOutAt }),
    ...(entry.goal !== undefined && { goal: BigInt(entry.goal) * LAMPORTS_PER_SOL }),
    ...(entry.ofVisitor !== undefined && { ofVisitor: BigInt(entry.ofVisitor) * LAMPORTS_PER_SOL }),
    ...(entry.deposits !== undefined && { deposits: entry.deposits }),
    ...(entry.releases && { releases: true }),
    ...(entry.claimsAtGraduation && { claimsAtGraduation: true }),
  }
}

/** The wallet that this launch pays, and how much. */
function findReward({ slug }: LaunchEntry) {
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
