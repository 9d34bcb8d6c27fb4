import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Address } from '@solana/kit'
import type { Chain } from '../ledger/create-chain.ts'
import type { Keypair } from '../ledger/keypair.ts'
import { GENESIS } from '../programs/genesis/checks.ts'
import type { LocalChain } from '../start-local-chain.ts'
import { agentCatalogue, launchCatalogue, rewardCatalogue } from './catalogue.ts'
import { type CreateLaunch, createWorldAgent, describeAgent, type WorldAgent } from './create-agent.ts'
import { createLaunch } from './create-launch.ts'
import { type RaydiumEnvironment, worldKey } from './keys.ts'
import { describeLaunch, type WorldContext, type WorldLaunch } from './world-launch.ts'

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

/** Called for a launch that an installed binary of Genesis refuses: older ones create neither curves nor pools. */
type LeftOut = (launch: WorldLaunch, error: Error) => void
type WorldOptions = { documentsUrl: string; environment: RaydiumEnvironment; size: 'full' | 'small' }

/** The contents of the demo world, whether or not they exist yet: all is derived from the chain's seed and creation time. */
export function describeWorld(chain: Chain, { documentsUrl, environment, size }: WorldOptions): World {
  const context = { chain, maker: worldKey(chain, 'maker'), documentsUrl }
  const agentEntries = agentCatalogue.slice(0, size === 'full' ? undefined : SMALL_AGENTS)
  const launches = launchCatalogue
    .filter(({ slug }) => size === 'full' || SMALL_LAUNCHES.includes(slug))
    .map(entry =>
      describeLaunch(
        context,
        entry,
        agentEntries.find(({ token }) => token === entry.slug),
      ),
    )
  const agents = agentEntries.map(entry => describeAgent(context, entry, launches))
  const rewards = rewardCatalogue.flatMap(entry => {
    const wallet = worldKey(chain, `creator:${entry.slug}`)
    const buckets = entry.sources.flatMap(source => {
      const launch = launches.find(({ entry: { slug } }) => slug === source.launch)
      if (!launch) return []
      return [launch.addresses.primary, ...(source.amm ? [launch.addresses.amm] : [])]
    })
    return buckets.length === 0 ? [] : [{ wallet, buckets, note: entry.note }]
  })
  const visitor = worldKey(chain, 'visitor')
  return { agents, launches, rewards, visitor, environment, bornAt: chain.bornAt() }
}

/**
 * Creates the demo world on a chain and returns its contents. Existing parts are left alone: a second call creates
 * nothing, and a call after a crash creates the rest. Between two parts, other work of the process gets its turn, and an aborted
 * signal ends the call.
 */
export async function buildWorld(
  local: Pick<LocalChain, 'chain' | 'airdrop'>,
  options: WorldOptions,
  { signal, onLeftOut = () => {} }: { signal?: AbortSignal; onLeftOut?: LeftOut } = {},
): Promise<World> {
  const { documentsUrl, environment } = options
  const { chain } = local
  const world = describeWorld(chain, options)
  const maker = worldKey(chain, 'maker')
  const fund = (address: Address, lamports: bigint) => {
    if ((chain.account(address)?.lamports ?? 0n) < lamports) local.airdrop(address, lamports)
  }
  if (!chain.account(maker.address)) fund(maker.address, 500n * SOL)
  if (!chain.account(world.visitor.address)) fund(world.visitor.address, 100n * SOL)
  // This comes before their launches pay them, because an account that exists is not funded.
  for (const { slug } of rewardCatalogue) {
    const { address } = worldKey(chain, `creator:${slug}`)
    if (!chain.account(address)) fund(address, SOL)
  }
  const context: WorldContext = { chain, maker, documentsUrl, environment, fund }
  const create: CreateLaunch = (launch, asAgent) => {
    try {
      createLaunch(context, launch, asAgent)
      return true
    } catch (error) {
      if (chain.standIns.includes(GENESIS)) throw error
      onLeftOut(launch, error as Error)
      return false
    }
  }
  // An agent creates the launch of its token itself.
  for (const launch of world.launches.filter(({ agent }) => !agent)) {
    signal?.throwIfAborted()
    create(launch)
    await nextTurn()
  }
  for (const agent of world.agents) {
    signal?.throwIfAborted()
    await createWorldAgent(context, agent, { launches: world.launches, create })
  }
  return world
}
