import { fetchLaunchPoolBucketV2 } from '@metaplex-foundation/genesis'
import { findAgentIdentityV2Pda } from '@metaplex-foundation/mpl-agent-registry'
import { fetchAsset } from '@metaplex-foundation/mpl-core'
import { publicKey, some } from '@metaplex-foundation/umi'
import { expect, test } from 'vitest'
import type { LocalChain } from '../start-local-chain.ts'
import { folderWithBinaries, startInMode, testRealPrograms } from '../testing/real-programs.ts'
import { SOL, startChain } from '../testing/start-chain.ts'
import { wallet } from '../testing/umi-wallet.ts'
import { buildWorld } from './build-world.ts'

const OPTIONS = { documentsUrl: 'http://127.0.0.1:1', environment: 'mainnet', size: 'full' } as const

/** The chain up to its n-th write. Every later write fails, as if the process had been killed. */
function failingAfter(local: LocalChain, writes: number): Pick<LocalChain, 'chain' | 'airdrop'> {
  let left = writes
  const spend = () => {
    if (--left < 0) throw new Error('killed')
  }
  const { chain } = local
  return {
    airdrop(to, lamports) {
      spend()
      local.airdrop(to, lamports)
    },
    chain: {
      ...chain,
      submit(...args) {
        spend()
        return chain.submit(...args)
      },
      submitAt(...args) {
        spend()
        return chain.submitAt(...args)
      },
      writeAccounts(changes) {
        spend()
        chain.writeAccounts(changes)
      },
    },
  }
}

test('building the world succeeds in the end, even if every attempt is cut off after one to four writes', async () => {
  const local = await startChain()
  let cuts = 0
  const world = await (async () => {
    for (;;) {
      try {
        return await buildWorld(failingAfter(local, 1 + (cuts % 4)), OPTIONS)
      } catch (error) {
        if ((error as Error).message !== 'killed') throw error
        cuts++
      }
    }
  })()
  expect(cuts).toBeGreaterThan(100)
  // What the visitor deposits is given to them first.
  expect(local.chain.account(world.visitor.address)?.lamports).toBeGreaterThanOrEqual(100n * SOL)
  const umi = wallet(local)
  for (const agent of world.agents) {
    const account = local.chain.account(agent.address)
    if (agent.entry.burnt) {
      expect(account?.data).toHaveLength(1)
      continue
    }
    const asset = await fetchAsset(umi, publicKey(agent.address))
    expect(asset.owner).toBe(agent.owner.address)
    const identity = findAgentIdentityV2Pda(umi, { asset: publicKey(agent.address) })[0]
    const version = local.chain.account(identity as never)?.data[0]
    expect(version).toBe(agent.entry.identity === 'none' ? undefined : agent.entry.identity)
    expect(asset.agentIdentities?.length ?? 0).toBe(agent.entry.identity === 'none' ? 0 : 1)
    expect(local.chain.account(agent.wallet)?.lamports ?? 0n).toBe(agent.fundedLamports)
  }
  for (const launch of world.launches) {
    expect(local.chain.account(launch.genesisAddress)).toBeDefined()
    expect(local.chain.account(launch.mint)).toBeDefined()
  }
  const count = local.chain.history.count()
  await buildWorld(local, OPTIONS)
  expect(local.chain.history.count()).toBe(count)
})

testRealPrograms(
  'the real Genesis program creates the launch pools and presales of the world that have no AMM bucket, and ends them',
  async () => {
    const local = await startChain({ dataDir: folderWithBinaries(['Genesis', 'Token Metadata']) })
    const { launches } = await buildWorld(local, { ...OPTIONS, size: 'small' })
    const counts = launches.map(({ entry, genesisAddress }) => [
      entry.slug,
      [...local.chain.history.ofAddress(genesisAddress)].length,
    ])
    expect(Object.fromEntries(counts)).toMatchObject({
      tidewater: 3,
      saltbox: 3,
      'orchard-ledger': 8,
      kiln: 5,
      'cold-harbour': 8,
    })
    const kiln = launches.find(({ entry }) => entry.slug === 'kiln')
    const pool = await fetchLaunchPoolBucketV2(wallet(local), publicKey(kiln?.addresses.primary as string))
    expect(pool).toMatchObject({
      quoteTokenDepositTotal: kiln?.plan.depositedLamports,
      depositStartCondition: { triggeredTimestamp: some(BigInt(kiln?.plan.startTime ?? 0)) },
      depositEndCondition: { triggeredTimestamp: some(BigInt(kiln?.plan.endTime ?? 0)) },
      endBehaviors: [{ processed: true }],
      bucket: { quoteTokenBalance: 0n },
    })
  },
  { programs: ['Genesis', 'Token Metadata'] },
)

testRealPrograms('the world can be built on the real programs', async () => {
  const local = await startInMode('real programs')
  const world = await buildWorld(local, OPTIONS)
  expect(local.realPrograms).toContain('CoREENxT6tW1HoK8ypY1SxRMZTcVPm7R94rH4PZNhX7d')
  expect(world.agents.length).toBeGreaterThanOrEqual(12)
})
