import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Address } from '@solana/kit'
import type { Keypair } from '../ledger/keypair.ts'
import type { LocalChain } from '../start-local-chain.ts'
import { agentCatalogue } from './agent-catalogue.ts'
import { type RaydiumEnvironment, worldKey } from './keys.ts'
import { launchCatalogue } from './launch-catalogue.ts'
import { rewardCatalogue } from './reward-catalogue.ts'
import { createWorldAgent, type WorldAgent } from './world-agent.ts'
import { createWorldLaunch, type WorldLaunch } from './world-launch.ts'

type WorldReward = {
  readonly wallet: Keypair
  /** Buckets that pay this wallet, with or without something to claim. */
  readonly buckets: readonly Address[]
  readonly note: string
}

export type World = {
  readonly agents: readonly WorldAgent[]
  readonly launches: readonly WorldLaunch[]
  readonly rewards: readonly WorldReward[]
  /** A wallet with funds, and with deposits in a few launches, for people who try the demo. */
  readonly visitor: Keypair
  readonly environment: RaydiumEnvironment
  /** When the chain was created, in Unix seconds. All times of the world are relative to it. */
  readonly bornAt: number
}

const SOL = 1_000_000_000n
const SMALL_AGENTS = 4
const SMALL_LAUNCHES = [
  'tidewater',
  'saltbox',
  'orchard-ledger',
  'kiln',
  'cold-harbour',
  'patchbot',
  'dovetail',
  'harbour-cat',
  'mudlark',
]

/**
 * Creates the demo world on a chain and returns its contents. Everything is derived from the chain's seed and
 * creation time, and existing parts are left alone: a second call creates nothing, and a call after a crash creates
 * the rest. Between two parts, other work of the process gets its turn.
 */
export async function buildWorld(
  local: Pick<LocalChain, 'chain' | 'airdrop'>,
  options: { documentsUrl: string; environment: RaydiumEnvironment; size: 'full' | 'small' },
): Promise<World> {
  const { documentsUrl, environment, size } = options
  const { chain } = local
  const full = size === 'full'
  const maker = worldKey(chain, 'maker')
  const fund = (address: Address, lamports: bigint) => {
    if ((chain.account(address)?.lamports ?? 0n) < lamports) local.airdrop(address, lamports)
  }
  if (!chain.account(maker.address)) fund(maker.address, 500n * SOL)
  const visitor = worldKey(chain, 'visitor')
  if (!chain.account(visitor.address)) fund(visitor.address, 100n * SOL)

  const launchEntries = launchCatalogue.filter(({ slug }) => full || SMALL_LAUNCHES.includes(slug))
  const context = { chain, maker, documentsUrl, environment, fund }
  // This comes before their launches pay them, because an account that exists is not funded.
  for (const { slug } of rewardCatalogue) {
    const { address } = worldKey(chain, `creator:${slug}`)
    if (!chain.account(address)) fund(address, SOL)
  }
  const launches: WorldLaunch[] = []
  for (const entry of launchEntries) {
    launches.push(createWorldLaunch(context, entry))
    await nextTurn()
  }
  const agentEntries = full ? agentCatalogue : agentCatalogue.slice(0, SMALL_AGENTS)
  const agents: WorldAgent[] = []
  for (const entry of agentEntries) agents.push(await createWorldAgent(context, entry, launches))

  const rewards = rewardCatalogue.flatMap(entry => {
    const wallet = worldKey(chain, `creator:${entry.slug}`)
    const buckets = entry.sources.flatMap(source => {
      const launch = launches.find(({ entry: { slug } }) => slug === source.launch)
      if (!launch) return []
      return [
        ...(source.curve ? [launch.addresses.primary] : []),
        ...(source.amm ? [launch.addresses.amm] : []),
      ]
    })
    return buckets.length === 0 ? [] : [{ wallet, buckets, note: entry.note }]
  })
  const withAgents = launches.map(launch => {
    const agent = agents.find(({ token }) => token === launch.mint)
    return agent ? { ...launch, agent: agent.address } : launch
  })
  return { agents, launches: withAgents, rewards, visitor, environment, bornAt: chain.bornAt() }
}
