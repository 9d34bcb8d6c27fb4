import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fetchBondingCurveBucketV2, isGraduated } from '@metaplex-foundation/genesis'
import { publicKey } from '@metaplex-foundation/umi'
import { createUmi } from '@metaplex-foundation/umi-bundle-defaults'
import { Connection } from '@solana/web3.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CONDITIONS } from '../conditions.ts'
import type { Commit } from '../ledger/create-chain.ts'
import { GENESIS } from '../programs/genesis/checks.ts'
import { startLocalChain } from '../start-local-chain.ts'
import { call, startChain } from '../testing/start-chain.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { buildWorld } from './build-world.ts'
import { WRAPPED_SOL } from './launch-accounts.ts'
import { startMarket } from './market.ts'
import { marketMoves } from './market-moves.ts'
import { associatedToken } from './token-accounts.ts'

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
  const umi = createUmi(local.rpcUrl, { commitment: 'confirmed' })
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
  const moves = marketMoves(local.chain, 'mainnet')
  expect(moves.isGraduated(find('ravelin'))).toBe(false)
  for (let n = 0; n < 1_000 && (n < 150 || !moves.isGraduated(find('ravelin'))); n++) market.step()
  market.stop()
  expect(moves.isGraduated(find('ravelin'))).toBe(true)
  expect(local.chain.history.count() - before).toBeGreaterThan(60)
  // There are no deposits before a launch opens or after it closes.
  expect(untouched()).toEqual(asMade)

  const launch = find('gravel')
  expect(moves.isGraduated(launch)).toBe(false)
  const curve = () => fetchBondingCurveBucketV2(umi, publicKey(launch.addresses.primary))
  const { creatorFeeAccrued } = await curve()
  moves.buyOnCurve(launch, 90_000_000_000n)
  expect((await curve()).creatorFeeAccrued - creatorFeeAccrued).toBe(900_000_000n)
  moves.graduate(launch)
  expect(await isGraduated(umi, await curve())).toBe(true)
  expect(local.chain.account(launch.addresses.pool)?.data).toHaveLength(637)
  moves.tradeInPool(launch, 5_000_000_000n)
  const { result } = await call(local, 'getSignaturesForAddress', launch.genesisAddress, {
    commitment: 'confirmed',
  })
  expect((result as unknown[]).length).toBeGreaterThanOrEqual(4)
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

test('a market move is one transaction in the history of every account that it changes', async () => {
  const { local, find } = await startWorld()
  const launch = find('dovetail')
  const commits: Commit[] = []
  const stop = local.chain.on('commit', commit => commits.push(commit))
  marketMoves(local.chain, 'mainnet').buyOnCurve(launch, 2_000_000_000n)
  stop()
  const [commit] = commits
  const signature = commit?.transaction?.signature
  expect([commits.length, signature]).toEqual([1, expect.any(String)])
  const bucket = launch.addresses.primary
  expect([...(commit?.accounts.keys() ?? [])]).toContain(bucket)

  const program = 'GNS1S5J5AspKXgpjz6SvKL66kPaKWAhaGRhCqPRxii2B'
  for (const address of [program, launch.genesisAddress, ...(commit?.accounts.keys() ?? [])]) {
    const { result } = await call(local, 'getSignaturesForAddress', address, {
      commitment: 'confirmed',
      limit: 1,
    })
    expect(result).toMatchObject([{ signature, slot: commit?.slot, blockTime: expect.any(Number) }])
  }
  const connection = new Connection(local.rpcUrl, 'confirmed')
  const found = await connection.getTransaction(signature as string, { maxSupportedTransactionVersion: 1 })
  const wrapped = associatedToken(WRAPPED_SOL, bucket)
  const at = found?.transaction.message.staticAccountKeys.findIndex(key => key.toBase58() === wrapped) ?? -1
  expect((found?.meta?.postBalances[at] ?? 0) - (found?.meta?.preBalances[at] ?? 0)).toBe(2_020_000_000)
  const [before, after] = [found?.meta?.preTokenBalances, found?.meta?.postTokenBalances].map(list =>
    Number(list?.find(({ accountIndex }) => accountIndex === at)?.uiTokenAmount.amount),
  )
  expect((after ?? 0) - (before ?? 0)).toBe(2_020_000_000)
  expect(found?.meta?.fee).toBe(5_000)
})
