import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  claimBondingCurveCreatorFeeV2,
  fetchBondingCurveBucketV2,
  fetchLaunchPoolBucketV2,
  isGraduated,
} from '@metaplex-foundation/genesis'
import { fetchAgentIdentityV1, findAgentIdentityV2Pda } from '@metaplex-foundation/mpl-agent-registry'
import { executeV1, fetchAsset, fetchCollection } from '@metaplex-foundation/mpl-core'
import { fetchMetadataFromSeeds } from '@metaplex-foundation/mpl-token-metadata'
import { mplToolbox } from '@metaplex-foundation/mpl-toolbox'
import { createSignerFromKeypair, publicKey, signerIdentity, some } from '@metaplex-foundation/umi'
import { createUmi } from '@metaplex-foundation/umi-bundle-defaults'
import * as kit from '@solana/kit'
import { Connection, PublicKey } from '@solana/web3.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemTransfer } from './ledger/system-instructions.ts'
import { type Demo, startDemo } from './start-demo.ts'
import { call } from './testing/start-chain.ts'

const PROGRAMS = [
  'CoREENxT6tW1HoK8ypY1SxRMZTcVPm7R94rH4PZNhX7d',
  '1DREGFgysWYxLnRnKQnwrxnJQeSMk2HmGaC6whw2B2p',
  'GNS1S5J5AspKXgpjz6SvKL66kPaKWAhaGRhCqPRxii2B',
  'metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s',
  'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  'CPMMoo8L3F4NbTegBCKVNunggL7H1ZpdTHKxQB5qKP1C',
  'DRaycpLY18LhpbydsBWbVJtxpNv9oXPgjRSfpF2bWpYb',
]
const silent = { info: () => {}, error: () => {} }

const NETWORK_SHAPE = {
  rpcUrl: 'string',
  wsUrl: 'string',
  agents: [
    { address: 'string', owner: 'string', ownerSecretKey: ['number'], funded: 'boolean', note: 'string' },
  ],
  launches: [{ genesisAddress: 'string', mint: 'string', note: 'string' }],
  rewards: [{ wallet: 'string', secretKey: ['number'], buckets: ['string'], note: 'string' }],
  visitor: { wallet: 'string', secretKey: ['number'] },
}

/** The property names and types in a value; an array is described by its first element. */
const shapeOf = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.slice(0, 1).map(shapeOf)
    : typeof value === 'object' && value !== null
      ? Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, shapeOf(entry)]))
      : typeof value

describe('the demo world', () => {
  let demo: Demo
  let dataDir: string
  let missingAtFirst: string[]
  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'slipway-demo-'))
    demo = await startDemo({ dataDir, port: 0, activity: false, log: silent })
    // A client that names no commitment reads at finalized, before any slot has become final by itself.
    missingAtFirst = demo.networks.flatMap(({ local, world }) =>
      [
        ...world.agents.map(({ address }) => address),
        ...world.launches.map(({ genesisAddress }) => genesisAddress),
      ].filter(address => !local.chain.account(address, 'finalized')),
    )
  })
  afterAll(async () => {
    await demo.close()
    rmSync(dataDir, { recursive: true, force: true })
  })
  const mainnet = () => demo.networks[0] as Demo['networks'][number]
  const umiOn = ({ local }: Demo['networks'][number]) =>
    createUmi(local.rpcUrl, { commitment: 'confirmed', wsEndpoint: local.wsUrl }).use(mplToolbox())

  test('is visible at the default commitment as soon as it is built', () => {
    expect(missingAtFirst).toEqual([])
  })

  test('lets an owner listed in demo.json withdraw and a listed creator claim', async () => {
    const file = JSON.parse(readFileSync(demo.demoFile, 'utf8')).networks['chain-mainnet']
    const umi = umiOn(mainnet())
    const agent = mainnet().world.agents.find(({ entry }) => entry.slug === 'quiet-engine')
    const listed = file.agents.find((entry: { address: string }) => entry.address === agent?.address)
    umi.use(
      signerIdentity(
        createSignerFromKeypair(
          umi,
          umi.eddsa.createKeypairFromSecretKey(Uint8Array.from(listed.ownerSecretKey)),
        ),
      ),
    )
    const inner = systemTransfer(agent?.wallet as never, umi.payer.publicKey as never, 100_000_000n)
    const withdrawn = await executeV1(umi, {
      asset: publicKey(listed.address),
      programId: publicKey(inner.program),
      instructionData: inner.data,
    })
      .addRemainingAccounts([
        { pubkey: publicKey(agent?.wallet as string), isSigner: false, isWritable: true },
        { pubkey: umi.payer.publicKey, isSigner: false, isWritable: true },
      ])
      .sendAndConfirm(umi)
    expect(withdrawn.result.value.err).toBeNull()

    const reward = file.rewards[0]
    umi.use(
      signerIdentity(
        createSignerFromKeypair(umi, umi.eddsa.createKeypairFromSecretKey(Uint8Array.from(reward.secretKey))),
      ),
    )
    const launch = mainnet().world.launches.find(({ addresses }) => addresses.primary === reward.buckets[0])
    const claimed = await claimBondingCurveCreatorFeeV2(umi, {
      genesisAccount: publicKey(launch?.genesisAddress as string),
      bucket: publicKey(reward.buckets[0]),
      baseMint: publicKey(launch?.mint as string),
      creatorFeeWallet: publicKey(reward.wallet),
    }).sendAndConfirm(umi)
    expect(claimed.result.value.err).toBeNull()
  })

  test('has agents of every kind, whose data is the same through Umi, web3.js and kit', async () => {
    const { local, world } = mainnet()
    const umi = umiOn(mainnet())
    expect(world.agents.length).toBeGreaterThanOrEqual(12)
    const agent = world.agents.find(({ entry }) => entry.slug === 'patchbot')
    if (!agent) throw new Error('no patchbot')
    const asset = await fetchAsset(umi, publicKey(agent.address))
    expect(asset).toMatchObject({ name: 'Patchbot', owner: agent.owner.address })
    expect(asset.agentIdentities?.[0]?.uri).toContain('/registrations/patchbot.json')
    const connection = new Connection(local.rpcUrl, 'confirmed')
    const web3 = await connection.getAccountInfo(new PublicKey(agent.address))
    const encoded = await kit.fetchEncodedAccount(kit.createSolanaRpc(local.rpcUrl), agent.address, {
      commitment: 'confirmed',
    })
    expect(encoded.exists && Buffer.compare(encoded.data as Uint8Array, web3?.data as Uint8Array)).toBe(0)
    expect(local.chain.account(agent.wallet)?.lamports).toBe(agent.fundedLamports)

    const crew = asset.updateAuthority.address as string
    const members = world.agents.filter(({ entry }) => entry.inCollection).length
    expect(await fetchCollection(umi, publicKey(crew))).toMatchObject({
      name: 'Harbour Crew',
      currentSize: members,
    })
    const old = world.agents.find(({ entry }) => entry.identity === 1)
    const identity = findAgentIdentityV2Pda(umi, { asset: publicKey(old?.address as string) })
    expect((await fetchAgentIdentityV1(umi, identity)).asset).toBe(old?.address)
    const ashes = world.agents.find(({ entry }) => entry.burnt)
    expect(local.chain.account(ashes?.address as never)?.data).toHaveLength(1)
  })

  test('has about forty launches whose tokens have names, documents and images', async () => {
    const { world } = mainnet()
    const umi = umiOn(mainnet())
    expect(world.launches.length).toBeGreaterThanOrEqual(38)
    expect(new Set(world.launches.map(({ plan }) => plan.mechanic)).size).toBe(3)
    for (const launch of world.launches.filter(({ entry }) => !entry.token2022).slice(0, 5)) {
      const metadata = await fetchMetadataFromSeeds(umi, { mint: publicKey(launch.mint) })
      expect(metadata).toMatchObject({ name: launch.entry.name, symbol: launch.entry.symbol })
      const document = (await (await fetch(metadata.uri)).json()) as { image: string }
      const image = await fetch(document.image)
      expect([image.status, image.headers.get('content-type')]).toEqual([200, 'image/svg+xml; charset=utf-8'])
    }
    const modern = world.launches.find(({ entry }) => entry.token2022)
    const mint = mainnet().local.chain.account(modern?.mint as never)
    expect(mint?.owner).toBe('TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb')
    expect(Buffer.from(mint?.data ?? []).includes(modern?.entry.name as string)).toBe(true)
    const graduated = world.launches.find(({ entry }) => entry.slug === 'harbour-cat')
    const curve = await fetchBondingCurveBucketV2(umi, publicKey(graduated?.addresses.primary as string))
    expect(await isGraduated(umi, curve)).toBe(true)
    const { result } = await call(mainnet().local, 'getSignaturesForAddress', graduated?.genesisAddress, {
      commitment: 'confirmed',
    })
    // Three to create it, two purchases, a claim, the end, the pool, and two for the pool's fees.
    expect(result).toHaveLength(10)
  })

  test('has launches that the Genesis program created', async () => {
    for (const { local, world } of demo.networks)
      for (const { entry, genesisAddress, mint } of world.launches) {
        const transactions = [...local.chain.history.ofAddress(genesisAddress)]
        const isSent = transactions.at(-1)?.logs.includes('Program log: Instruction: InitializeV2')
        expect([entry.slug, isSent]).toEqual([entry.slug, true])
        // A transaction of a real chain has at most 1,232 bytes.
        expect(Math.max(...transactions.map(({ wire }) => wire.length))).toBeLessThanOrEqual(1_232)
        expect(local.chain.account(mint)).toBeDefined()
      }
    const { world } = mainnet()
    const umi = umiOn(mainnet())
    const find = (slug: string) => world.launches.find(({ entry }) => entry.slug === slug)
    const at = (time: number | undefined) => ({ triggeredTimestamp: some(BigInt(time ?? 0)) })
    const ferry = find('ferrywright')
    expect(await fetchLaunchPoolBucketV2(umi, publicKey(ferry?.addresses.primary as string))).toMatchObject({
      quoteTokenDepositTotal: ferry?.plan.depositedLamports,
      depositStartCondition: at(ferry?.plan.startTime),
      depositEndCondition: at(ferry?.plan.endTime),
      bucket: { quoteTokenBalance: 0n },
    })
    const cat = find('harbour-cat')
    const curve = await fetchBondingCurveBucketV2(umi, publicKey(cat?.addresses.primary as string))
    expect(cat?.plan.startTime).toBeLessThan(cat?.plan.amm?.graduatedAt ?? 0)
    expect(curve).toMatchObject({
      swapStartCondition: { __kind: 'TimeAbsolute', time: BigInt(cat?.plan.startTime ?? 0) },
      swapEndCondition: at(cat?.plan.amm?.graduatedAt),
      bucket: { baseTokenBalance: 0n, quoteTokenBalance: 0n },
    })
    expect(curve.creatorFeeAccrued - curve.creatorFeeClaimed).toBe(300_000_000n)
    expect(curve.creatorFeeClaimed).toBeGreaterThan(0n)
  })

  test('has a transaction in the history of every program account', () => {
    for (const { local } of demo.networks) {
      const orphans = PROGRAMS.flatMap(program =>
        [...local.chain.programAccounts(program as never)].flatMap(([address]) =>
          [...local.chain.history.ofAddress(address)].length === 0 ? [address] : [],
        ),
      )
      expect(orphans).toEqual([])
    }
  })

  test('is listed in demo.json, which only its owner can read', () => {
    expect(statSync(demo.demoFile).mode & 0o777).toBe(0o600)
    const file = JSON.parse(readFileSync(demo.demoFile, 'utf8'))
    const { rpcUrl, launches, rewards } = file.networks['chain-mainnet']
    expect(rpcUrl).toBe(mainnet().local.rpcUrl)
    expect(shapeOf(file)).toEqual({
      networks: { 'chain-mainnet': NETWORK_SHAPE, 'chain-devnet': NETWORK_SHAPE },
      registrations: [
        {
          genesisAccount: 'string',
          network: 'string',
          launch: {
            ...{ name: 'string', symbol: 'string', image: 'string', description: 'string', type: 'string' },
            ...{ externalLinks: { website: 'string', social: 'string' }, heroUrl: 'string' },
          },
        },
      ],
      social: { url: 'string', accessToken: 'string', username: 'string' },
    })
    expect(launches).toHaveLength(mainnet().world.launches.length)
    expect(rewards.map((reward: { buckets: string[] }) => reward.buckets.length)).toEqual([1, 2, 5, 2])
    expect(file.networks['chain-devnet'].agents.length).toBeGreaterThan(2)
    expect(file.social).toMatchObject({
      url: demo.socialUrl,
      accessToken: 'demo-token-harbourmaster',
      username: 'harbourmaster',
    })
  })

  test('is found unchanged by a second start', async () => {
    const counts = demo.networks.map(({ local }) => local.chain.history.count())
    const addresses = mainnet().world.agents.map(({ address }) => address)
    await demo.close()
    // A crash has left a world-readable file behind: the new file must still be private.
    writeFileSync(`${demo.demoFile}.tmp`, 'half', { mode: 0o644 })
    demo = await startDemo({ dataDir, port: 0, activity: false, log: silent })
    expect(statSync(demo.demoFile).mode & 0o777).toBe(0o600)
    expect(demo.networks.map(({ local }) => local.chain.history.count())).toEqual(counts)
    expect(mainnet().world.agents.map(({ address }) => address)).toEqual(addresses)
  })
})
