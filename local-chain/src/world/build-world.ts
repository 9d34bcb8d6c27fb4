import type { Address } from '@solana/kit'
import type { Keypair } from '../ledger/keypair.ts'
import type { LocalChain } from '../start-local-chain.ts'
import { type AgentEntry, agentCatalogue } from './agent-catalogue.ts'
import { agentMaker, agentWallet } from './create-agent.ts'
import { createLaunch } from './create-launch.ts'
import { assetUri, launchImage, registrationUri, tokenUri } from './documents.ts'
import { worldKey } from './keys.ts'
import { type LaunchAddresses, type LaunchPlan, launchAddresses } from './launch-accounts.ts'
import { launchCatalogue } from './launch-catalogue.ts'
import type { LaunchEntry } from './launches/launch-entry.ts'
import type { RaydiumEnvironment } from './pool-keys.ts'
import { rewardCatalogue } from './reward-catalogue.ts'

type WorldAgent = {
  readonly address: Address
  readonly owner: Keypair
  readonly wallet: Address
  readonly fundedLamports: bigint
  /** Mint of the agent's token. */
  readonly token?: Address
  readonly entry: AgentEntry
}

export type WorldLaunch = {
  readonly genesisAddress: Address
  readonly mint: Address
  readonly addresses: LaunchAddresses
  readonly plan: LaunchPlan
  readonly maker: Keypair
  readonly image: string
  readonly heroUrl: string
  readonly externalLinks: Partial<Record<'website' | 'social' | 'telegram' | 'discord', string>>
  /** The agent that launched the token, if one did. */
  readonly agent?: Address
  readonly entry: LaunchEntry
}

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
  readonly environment: RaydiumEnvironment
  /** When the chain was created, in Unix seconds. All times of the world are relative to it. */
  readonly bornAt: number
}

const SOL = 1_000_000_000n
const SUPPLY = 1_000_000_000_000_000n
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
 * Creates the demo world on a chain and returns its contents. Everything is derived from the chain's seed and creation
 * time, and existing parts are left alone: a second call creates nothing, and a call after a crash creates the rest.
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

  const launchEntries = launchCatalogue.filter(({ slug }) => full || SMALL_LAUNCHES.includes(slug))
  const launches = launchEntries.map(entry => makeLaunch(entry))
  const agentEntries = full ? agentCatalogue : agentCatalogue.slice(0, SMALL_AGENTS)
  const agents: WorldAgent[] = []
  for (const entry of agentEntries) agents.push(await makeAgent(entry))

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
    if (buckets.length === 0) return []
    if (!chain.account(wallet.address)) fund(wallet.address, SOL)
    return [{ wallet, buckets, note: entry.note }]
  })
  const withAgents = launches.map(launch => {
    const agent = agents.find(({ token }) => token === launch.mint)
    return agent ? { ...launch, agent: agent.address } : launch
  })
  return { agents, launches: withAgents, rewards, environment, bornAt: chain.bornAt() }

  function makeLaunch(entry: LaunchEntry): WorldLaunch {
    const mint = worldKey(chain, `mint:${entry.slug}`)
    const birth = chain.bornAt()
    const reward = rewardCatalogue.find(({ sources }) => sources.some(({ launch }) => launch === entry.slug))
    const creator = reward ? worldKey(chain, `creator:${reward.slug}`) : maker
    const source = reward?.sources.find(({ launch }) => launch === entry.slug)
    const endTime = birth + entry.endHours * 3_600
    const graduatedAt = entry.graduated
      ? entry.mechanic === 'bondingCurveV2'
        ? birth - 86_400
        : endTime + 60
      : undefined
    const isCurve = entry.mechanic === 'bondingCurveV2'
    const plan: LaunchPlan = {
      mechanic: entry.mechanic,
      mint: mint.address,
      authority: creator.address,
      startTime: birth + Math.round(entry.startHours * 3_600),
      endTime,
      supply: SUPPLY,
      depositedLamports: BigInt(entry.deposited) * SOL,
      ...(isCurve && {
        creatorWallet: creator.address,
        creatorFee: source?.curve ?? { accrued: 0n, claimed: 0n },
      }),
      ...((entry.amm || isCurve) && {
        amm: {
          ...(graduatedAt !== undefined && { graduatedAt }),
          accrued: source?.amm?.accrued ?? 0n,
          claimed: source?.amm?.claimed ?? 0n,
        },
      }),
      ...(entry.graduated && { behavioursDone: true }),
    }
    createLaunch(chain, {
      plan,
      maker,
      mint,
      metadata: { name: entry.name, symbol: entry.symbol, uri: tokenUri(documentsUrl, entry) },
      token2022: entry.token2022 ?? false,
      environment,
      poolFees: source?.amm?.pool ?? 0n,
    })
    const addresses = launchAddresses(mint.address, entry.mechanic)
    return {
      genesisAddress: addresses.genesis,
      mint: mint.address,
      addresses,
      plan,
      maker,
      image: launchImage(documentsUrl, entry),
      heroUrl: `heroes/${entry.slug}.svg`,
      externalLinks: linksOf(entry),
      entry,
    }
  }

  async function makeAgent(entry: AgentEntry): Promise<WorldAgent> {
    const asset = worldKey(chain, `agent:${entry.slug}`)
    const first = worldKey(chain, `owner:${entry.slug}`)
    const buyer = worldKey(chain, `buyer:${entry.slug}`)
    const owner = entry.soldOn ? buyer : first
    const wallet = agentWallet(asset.address)
    const token = launches.find(({ entry: { slug } }) => slug === entry.token)
    const fundedLamports = BigInt(Math.round(entry.fundsSol * 1_000)) * (SOL / 1_000n)
    const done = {
      address: asset.address,
      owner,
      wallet,
      fundedLamports,
      ...(token && { token: token.mint }),
      entry,
    }
    // Each step below checks whether it is already done. This marker skips them all, so that a wallet that was emptied
    // is not refilled.
    const marker = worldKey(chain, `agent-done:${entry.slug}`).address
    if (chain.account(marker)) return done
    const by = agentMaker(chain, first, maker)
    fund(first.address, 5n * SOL)
    if (entry.soldOn) fund(buyer.address, 5n * SOL)

    const collection = entry.inCollection ? worldKey(chain, 'collection:crew') : undefined
    if (collection && !chain.account(collection.address)) {
      await by.createCollection(collection, 'Harbour Crew', `${documentsUrl}/collections/crew.json`)
    }
    if (!chain.account(asset.address)) {
      await by.create(asset, {
        name: entry.name,
        uri: assetUri(documentsUrl, entry),
        collection: collection?.address,
      })
    }
    if (entry.identity !== 'none' && !chain.account(by.identityOf(asset.address))) {
      await by.register(asset.address, registrationUri(documentsUrl, entry), collection?.address)
    }
    if (entry.identity === 1 && by.identityVersion(asset.address) !== 1) by.downgradeIdentity(asset.address)
    if (token && !by.hasToken(asset.address)) {
      await by.setToken(
        asset.address,
        { genesis: token.genesisAddress, mint: token.mint },
        collection?.address,
      )
    }
    if (fundedLamports > 0n) fund(wallet, fundedLamports)
    if (entry.soldOn && by.ownerOf(asset.address) === first.address) {
      await by.transfer(asset.address, buyer.address, collection?.address)
    }
    if (entry.burnt && by.ownerOf(asset.address) !== undefined)
      await by.burn(asset.address, collection?.address)
    fund(marker, 1_000_000n)
    return done
  }
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
