import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fetchBondingCurveBucketV2, isGraduated } from '@metaplex-foundation/genesis'
import { publicKey } from '@metaplex-foundation/umi'
import { createUmi } from '@metaplex-foundation/umi-bundle-defaults'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CONDITIONS } from '../conditions.ts'
import { GENESIS } from '../programs/genesis/checks.ts'
import { startLocalChain } from '../start-local-chain.ts'
import { startChain, temporaryFolder } from '../testing/start-chain.ts'
import { buildWorld } from './build-world.ts'
import { startMarket } from './market.ts'
import { marketTrades } from './market-trades.ts'

const OPTIONS = { documentsUrl: 'http://127.0.0.1:1', environment: 'mainnet', size: 'full' } as const

/** A chain with its world. Each test starts a copy. */
let built: string
beforeAll(async () => {
  built = mkdtempSync(join(tmpdir(), 'slipway-market-'))
  const local = await startLocalChain({ network: 'chain-mainnet', dataDir: built, port: 0 })
  await buildWorld(local, OPTIONS)
  await local.close()
})
afterAll(() => rmSync(built, { recursive: true, force: true }))

async function startWorld() {
  const dataDir = temporaryFolder()
  cpSync(built, dataDir, { recursive: true })
  const local = await startChain({ dataDir })
  const world = await buildWorld(local, OPTIONS)
  const find = (slug: string) => {
    const launch = world.launches.find(({ entry }) => entry.slug === slug)
    if (!launch) throw new Error(`no ${slug}`)
    return launch
  }
  return { local, world, find }
}

function seededRandom() {
  let seed = 7
  return () => {
    seed = (seed * 16_807) % 2_147_483_647
    return seed / 2_147_483_647
  }
}

test('the market trades in open launches only, and a full curve graduates', async () => {
  const { local, world, find } = await startWorld()
  const before = local.chain.history.count()
  const now = local.chain.clock.unixTime(local.chain.clock.slot())
  const closed = world.launches.filter(
    ({ plan }) => plan.mechanic !== 'bondingCurveV2' && (plan.startTime > now + 60 || plan.endTime < now),
  )
  const untouched = () => closed.map(({ addresses }) => local.chain.account(addresses.primary)?.data)
  const asMade = untouched()
  expect(closed.length).toBeGreaterThan(5)
  const market = startMarket({
    chain: local.chain,
    world,
    onError: error => {
      throw error
    },
    moveMs: 1e6,
    random: seededRandom(),
  })
  const trades = marketTrades(local.chain, 'mainnet')
  expect(trades.isGraduated(find('ravelin'))).toBe(false)
  for (let n = 0; n < 1_000 && (n < 150 || !trades.isGraduated(find('ravelin'))); n++) market.step()
  market.stop()
  expect(trades.isGraduated(find('ravelin'))).toBe(true)
  expect(local.chain.history.count() - before).toBeGreaterThan(60)
  // There are no deposits before a launch opens or after it closes.
  expect(untouched()).toEqual(asMade)
})

test('traders buy, sell, deposit and graduate by instructions of the Genesis program', async () => {
  const { local, world, find } = await startWorld()
  const umi = createUmi(local.rpcUrl, { commitment: 'confirmed' })
  const instructions = new Set<string>()
  const versions = new Set<unknown>()
  local.chain.on('commit', ({ transaction }) => {
    if (transaction?.keys.includes(GENESIS)) versions.add(transaction.version)
    for (const line of transaction?.logs ?? [])
      if (line.startsWith('Program log: Instruction: ')) instructions.add(line.split(' ').at(-1) ?? '')
  })
  const only = { ...world, launches: [find('ravelin'), find('orchard-ledger')] }
  const market = startMarket({
    chain: local.chain,
    world: only,
    onError(error) {
      throw error
    },
    moveMs: 1e6,
    random: seededRandom(),
  })
  const curve = () => fetchBondingCurveBucketV2(umi, publicKey(find('ravelin').addresses.primary))
  const { creatorFeeAccrued } = await curve()
  for (let n = 0; n < 200 && !(await isGraduated(umi, await curve())); n++) market.step()
  // The other launch is traded less often.
  for (let n = 0; n < 20; n++) market.step()
  market.stop()
  const { creatorFeeAccrued: after, bucket, extensions } = await curve()
  expect(extensions.creatorFee).toMatchObject({ value: { feeType: 0, fee: 60n } })
  expect(after).toBeGreaterThan(creatorFeeAccrued)
  expect(bucket.quoteTokenBalance).toBe(0n)
  expect(local.chain.account(find('ravelin').addresses.pool)?.data).toHaveLength(637)
  expect(versions).toEqual(new Set(CONDITIONS.marketVersions))
  expect([...instructions]).toEqual(
    expect.arrayContaining([
      'SwapBondingCurveV2',
      'DepositLaunchPoolV2',
      'TriggerBehaviorsV2',
      'GraduateToRaydiumCpmmV2',
    ]),
  )
})
