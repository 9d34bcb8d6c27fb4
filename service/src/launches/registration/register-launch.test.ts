import {
  getGenesisAccountV2AccountDataSerializer,
  getRaydiumCpmmBucketV2AccountDataSerializer,
} from '@metaplex-foundation/genesis'
import type { Address } from '@slipway/schema/address'
import type { ErrorCode } from '@slipway/schema/errors'
import { describe, expect, test } from 'vitest'
import { parseConfig } from '../../config.ts'
import { startWeb } from '../../metadata/fetch/test-web.ts'
import { useDemo } from '../../testing/demo.ts'
import { demoLaunch, makeLaunch, registrationOf } from '../../testing/demo-launches.ts'
import { refusal, startRegistering, UNUSED_ADDRESS, useRegistering } from '../../testing/registering.ts'
import { startRpcProxy } from '../../testing/rpc-proxy.ts'
import { runSql } from '../../testing/test-database.ts'
import { fetchGraduatedAt } from './register-launch.ts'

const world = useDemo()
const registering = useRegistering(world)

describe('a registration', () => {
  test('a launch pool is answered with its ids and page, and shown as it is on the chain', async () => {
    const { register, shown } = registering()
    const { genesisAddress, mint, plan, image, entry } = demoLaunch(world, 'orchard-ledger')
    const before = Date.now()
    const { status, body } = await register(registrationOf(world, 'orchard-ledger'))
    expect([status, body]).toEqual([
      200,
      {
        success: true,
        existing: false,
        launch: {
          id: expect.stringMatching(/^[\da-f-]{36}$/),
          link: `https://slipway.example/launches/${genesisAddress}`,
        },
        token: { id: expect.stringMatching(/^[\da-f-]{36}$/), mintAddress: mint },
      },
    ])
    const { launch, baseToken, ...about } = await shown(genesisAddress)
    expect(launch).toEqual({
      launchPage: body.launch.link,
      mechanic: 'launchpoolV2',
      genesisAddress,
      spotlight: false,
      startTime: new Date(plan.startTime * 1_000).toISOString(),
      endTime: new Date(plan.endTime * 1_000).toISOString(),
      status: 'live',
      heroUrl: 'heroes/orchard-ledger.svg',
      graduatedAt: null,
      lastActivityAt: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
      type: 'launchpool',
    })
    expect(Date.parse(launch.lastActivityAt)).toBeGreaterThanOrEqual(before)
    expect(baseToken).toEqual({
      address: mint,
      name: entry.name,
      symbol: entry.symbol,
      image,
      description: entry.description,
    })
    expect(about).toEqual({
      website: 'https://orchard-ledger.example',
      socials: {
        x: 'https://x.com/orchardledger',
        telegram: 'https://t.me/orchardledger',
        discord: 'https://discord.gg/orchardledger',
      },
      verifiedSocials: [],
    })
  })

  test('mechanic, times and graduation come from the chain, whatever the body says', async () => {
    const { register, shown } = registering()
    const expected = {
      saltbox: { mechanic: 'launchpoolV2', type: 'launchpool', status: 'upcoming', graduatedAt: null },
      'cold-harbour': { mechanic: 'presaleV2', type: 'presale', status: 'live', graduatedAt: null },
      kettle: { mechanic: 'bondingCurveV2', type: 'launchpool', status: 'live', graduatedAt: null },
      kiln: { mechanic: 'launchpoolV2', type: 'launchpool', status: 'graduated' },
      moss: { mechanic: 'bondingCurveV2', type: 'launchpool', status: 'graduated' },
    }
    const { rpcUrl } = world.chainOf().local
    const lastTransactionMs = async (address: string) => {
      const asked = {
        jsonrpc: '2.0',
        id: 1,
        method: 'getSignaturesForAddress',
        params: [address, { limit: 1 }],
      }
      const headers = { 'content-type': 'application/json' }
      const response = await fetch(rpcUrl, { method: 'POST', headers, body: JSON.stringify(asked) })
      const { result } = (await response.json()) as { result: [{ blockTime: number }] }
      return result[0].blockTime * 1_000
    }
    for (const [slug, launch] of Object.entries(expected)) {
      const body = registrationOf(world, slug)
      const lies = { type: 'presale', startTime: '2001-01-01T00:00:00.000Z', mechanic: 'x', spotlight: true }
      expect((await register({ ...body, launch: { ...body.launch, ...lies } })).status).toBe(200)
      const { launch: seen } = await shown(body.genesisAccount)
      expect(seen).toMatchObject({ ...launch, spotlight: false })
      if (launch.status !== 'graduated') continue
      // The time of its last transaction, not of the registration.
      expect(Date.parse(seen.graduatedAt)).toBe(await lastTransactionMs(body.genesisAccount))
      expect(Date.parse(seen.startTime)).toBeLessThan(Date.parse(seen.endTime))
    }
    const { launch: curve } = await shown(demoLaunch(world, 'kettle').genesisAddress)
    expect(curve.startTime).toBe(curve.lastActivityAt)
    expect(curve.endTime).toBe('9999-12-31T23:59:59.999Z')
  })

  test('an unobserved graduation is dated by the last transaction, and never in the future', async () => {
    const at = (blockTime: number) =>
      fetchGraduatedAt(
        {
          fetchSignatures: async () => [{ signature: 'x', slot: 1, failed: false, isFinal: true, blockTime }],
          fetchBlockTime: async () => undefined,
        },
        UNUSED_ADDRESS as Address,
        { nowMs: () => 2_000_000_000 },
      )
    expect(await at(1_000_000)).toEqual(new Date(1_000_000_000))
    // By the database's clock.
    expect(await at(9_000_000_000)).toEqual(new Date(2_000_000_000))
  })

  test('a launch without an end time ends with its graduation', async () => {
    const { register, shown } = registering()
    const made = makeLaunch(world, {
      name: 'Endless',
      mechanic: 'bondingCurveV2',
      creatorWallet: UNUSED_ADDRESS as never,
      amm: { accrued: 0n, claimed: 0n },
    })
    // There is a pool, although the curve's end was not triggered.
    made.change(made.addresses.amm, data => {
      const serializer = getRaydiumCpmmBucketV2AccountDataSerializer()
      const [value] = serializer.deserialize(data)
      data.set(serializer.serialize({ ...value, graduatedBaseTokenAmount: 1n }))
    })
    expect((await register(made.body)).status).toBe(200)
    const { launch } = await shown(made.body.genesisAccount)
    expect(launch.status).toBe('graduated')
    expect(launch.endTime).toBe(launch.graduatedAt)
  })

  test('image and description come from the document, else from the body, else are empty', async () => {
    const { register, shown } = registering()
    const document = (value: object) => `data:application/json,${encodeURIComponent(JSON.stringify(value))}`
    const given = { image: 'https://body.example/i.png', description: 'from \u0000the body' }
    const cases = [
      [
        { image: 'https://doc.example/i.png', description: 'written' },
        'https://doc.example/i.png',
        'written',
      ],
      [{ image: 'javascript:alert(1)', description: 7 }, 'https://body.example/i.png', 'from the body'],
      [{ description: 'half' }, 'https://body.example/i.png', 'half'],
    ] as const
    for (const [at, [value, image, description]] of cases.entries()) {
      const made = makeLaunch(world, { name: `Document ${at}`, uri: document(value) })
      expect((await register({ ...made.body, launch: { ...made.body.launch, ...given } })).status).toBe(200)
      expect((await shown(made.body.genesisAccount)).baseToken).toMatchObject({ image, description })
    }
    for (const [given, image] of [
      ['picture.png', ''],
      ['ipfs://QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWKPbdG', expect.stringMatching(/^https:.+QmYwAP/)],
    ]) {
      const { body } = makeLaunch(world, { name: 'Undocumented' })
      expect((await register({ ...body, launch: { ...body.launch, image: given } })).status).toBe(200)
      expect((await shown(body.genesisAccount)).baseToken.image).toEqual(image)
    }
    const silent = makeLaunch(world, { name: 'Silent', uri: 'http://127.0.0.1:9/private' })
    expect((await register(silent.body)).status).toBe(200)
    expect((await shown(silent.body.genesisAccount)).baseToken).toMatchObject({ image: '', description: '' })
  })

  test('a slow document does not delay the registration, and is shown once it arrives', async () => {
    let send = () => {}
    const registered = new Promise<void>(resolve => {
      send = resolve
    })
    const web = await startWeb(async (_, response) => {
      await registered
      response.end(JSON.stringify({ image: 'https://doc.example/i.png', description: 'written' }))
    })
    const { metadata } = parseConfig({ METADATA_ALLOW_HOSTS: `127.0.0.1:${web.port}` })
    const { register, shown } = await startRegistering(world, { config: { metadata } })
    const { body } = makeLaunch(world, { name: 'Slow', uri: `http://127.0.0.1:${web.port}/` })
    const answer = await register({ ...body, launch: { ...body.launch, description: 'said' } })
    expect(answer.body.existing).toBe(false)
    const token = async () => (await shown(body.genesisAccount)).baseToken
    expect(await token()).toMatchObject({ image: '', description: 'said' })
    send()
    await expect
      .poll(token, { timeout: 15_000 })
      .toMatchObject({ image: 'https://doc.example/i.png', description: 'written' })
    expect(web.requests).toHaveLength(1)
  })

  test('a launch that another node has just confirmed is read again before it is refused', async () => {
    const rpc = await startRpcProxy(world.chainOf().local.rpcUrl)
    const { register, rowCounts } = await startRegistering(world, {
      config: { rpcUrls: { 'chain-mainnet': [rpc.url], 'chain-devnet': [] } },
    })
    const reads = (address: string) =>
      rpc.calls.filter(({ params }) => JSON.stringify(params).includes(address)).length
    const agent = world.agent('patchbot')
    const serializer = getGenesisAccountV2AccountDataSerializer()
    type Genesis = ReturnType<typeof serializer.deserialize>[0]
    const unlike: [string, (data: Uint8Array) => void, ErrorCode][] = [
      ['Unseen', data => data.fill(0), 'GENESIS_NOT_FOUND'],
      ['Unfinished', edit({ finalized: false }), 'LAUNCH_NOT_FINALIZED'],
      ['Unlinked', edit({ authority: UNUSED_ADDRESS as Genesis['authority'] }), 'LAUNCH_MISMATCH'],
    ]
    function edit(change: Partial<Genesis>) {
      return (data: Uint8Array) =>
        data.set(serializer.serialize({ ...serializer.deserialize(data)[0], ...change }))
    }
    const results = unlike.map(async ([name, before, code]) => {
      const made = makeLaunch(world, { name, authority: agent.wallet })
      const body = { ...made.body, agent: { mint: agent.address } }
      let last = new Uint8Array()
      made.change(made.addresses.genesis, data => {
        last = Uint8Array.from(data)
        before(data)
      })
      expect(await register(body)).toEqual(refusal(code))
      const readsBefore = reads(made.addresses.genesis)
      const answer = register(body)
      await expect.poll(() => reads(made.addresses.genesis), { interval: 10 }).toBeGreaterThan(readsBefore)
      made.change(made.addresses.genesis, data => data.set(last))
      expect(await answer).toMatchObject({ status: 200, body: { existing: false } })
    })
    await Promise.all(results)
    expect(await rowCounts()).toMatchObject({ launches: 3 })
  })

  test('the buckets are stored with the wallet that they pay', async () => {
    const { register, connection } = registering()
    const { genesisAddress, addresses, plan } = demoLaunch(world, 'harbour-cat')
    await register(registrationOf(world, 'harbour-cat'))
    const { rows } = await runSql(connection, 'SELECT * FROM buckets ORDER BY kind')
    const common = {
      network: 'chain-mainnet',
      genesis_address: genesisAddress,
      creator_fee_wallet: plan.creatorWallet,
      slot: expect.stringMatching(/^\d+$/),
    }
    expect(rows).toMatchObject([
      { ...common, address: addresses.primary, kind: 'bondingCurveV2' },
      { ...common, address: addresses.amm, kind: 'raydiumCpmmV2' },
    ])
  })

  test('devnet works under both of its names, with the page of the deployment', async () => {
    const config = { launchPage: 'https://site.example/{network}/{genesisAddress}' }
    const { register, shown } = await startRegistering(world, { config })
    const address = demoLaunch(world, 'mudlark', 'chain-devnet').genesisAddress
    const body = registrationOf(world, 'mudlark', { network: 'chain-devnet' })
    const { status, body: answer } = await register({ ...body, network: 'solana-devnet' })
    expect(status).toBe(200)
    expect(answer.launch.link).toBe(`https://site.example/chain-devnet/${address}`)
    const { launch } = await shown(address, 'chain-devnet')
    expect(launch.launchPage).toBe(answer.launch.link)
    expect((await register({ ...body, network: '' })).body.error).toBe('Genesis account not found')
  })

  test('name and symbol are compared as the chain has them, and shown clean', async () => {
    const { register, shown } = registering()
    const { body } = makeLaunch(world, { name: 'Ze\u200bro\u202e' })
    expect(await register({ ...body, launch: { ...body.launch, name: 'Zero' } })).toEqual(
      refusal('LAUNCH_MISMATCH'),
    )
    expect((await register(body)).status).toBe(200)
    expect((await shown(body.genesisAccount)).baseToken.name).toBe('Zero')
  })

  test('a launch by an agent’s wallet is among its tokens', async () => {
    const { register, getJson } = registering()
    const agent = world.agent('patchbot')
    const linked = [
      registrationOf(world, 'patchbot'),
      makeLaunch(world, { name: 'By its wallet', authority: agent.wallet }).body,
    ]
    for (const body of linked)
      expect((await register({ ...body, agent: { mint: agent.address, setToken: true } })).status).toBe(200)
    await register(registrationOf(world, 'dovetail'))
    const tokensOf = async () => (await getJson(`/v1/agents/${agent.address}`)).tokens
    await expect
      .poll(async () => (await tokensOf()).map(({ name }: { name: string }) => name), { timeout: 15_000 })
      .toEqual(['By its wallet', 'Patchbot'])
  })
})

test('what another launch of a token says stays with that launch, even if it is registered first', async () => {
  const { register, shown, getJson } = registering()
  const maker = makeLaunch(world, { name: 'Whole' })
  const again = makeLaunch(world, { name: 'Again' })
  again.change(again.body.genesisAccount, data => {
    const serializer = getGenesisAccountV2AccountDataSerializer()
    const [value] = serializer.deserialize(data)
    data.set(serializer.serialize({ ...value, baseMint: maker.mint as never, fundingMode: 1 }))
  })
  const saidOf = (body: typeof maker.body, words: string) => ({
    ...body,
    launch: {
      ...body.launch,
      name: 'Whole',
      description: words,
      image: `https://${words}.example/picture.png`,
      externalLinks: { website: `https://${words}.example` },
    },
  })
  expect((await register(saidOf(again.body, 'stranger'))).status).toBe(200)
  expect(await shown(again.body.genesisAccount)).toMatchObject({
    existingToken: true,
    website: 'https://stranger.example',
    baseToken: { name: 'Whole', image: '', description: '' },
  })
  const token = async () => (await getJson(`/v1/tokens/${maker.mint}`)).data
  expect(await token()).toMatchObject({ website: '', socials: {} })

  expect((await register(saidOf(maker.body, 'maker'))).status).toBe(200)
  const baseToken = { image: 'https://maker.example/picture.png', description: 'maker' }
  expect(await shown(maker.body.genesisAccount)).toMatchObject({ baseToken })
  await expect.poll(token).toMatchObject({ website: 'https://maker.example', baseToken })
  await expect
    .poll(() => shown(again.body.genesisAccount))
    .toMatchObject({ website: 'https://stranger.example', baseToken })
})

describe('the first registration wins', () => {
  test('a later call with other data changes nothing and gets the same ids', async () => {
    const { register, shown } = registering()
    const body = registrationOf(world, 'patchbot')
    const first = (await register(body)).body
    const before = await shown(body.genesisAccount)
    const again = await register({
      ...body,
      launch: { ...body.launch, image: '', externalLinks: { website: 'https://evil.example' }, heroUrl: 'x' },
      agent: { mint: world.agent('patchbot').address },
      creatorWallet: UNUSED_ADDRESS,
    })
    expect(again).toEqual({ status: 200, body: { ...first, existing: true } })
    expect(await shown(body.genesisAccount)).toEqual(before)
  })

  test('a second call is checked like the first', async () => {
    const { register } = registering()
    const body = registrationOf(world, 'patchbot')
    await register(body)
    expect(await register({ ...body, launch: { ...body.launch, name: 'x' } })).toEqual(
      refusal('LAUNCH_MISMATCH'),
    )
    expect(await register({ ...body, agent: { mint: UNUSED_ADDRESS } })).toEqual(refusal('LAUNCH_MISMATCH'))
    expect(await register({ ...body, socialVerificationToken: 'junk' })).toEqual(
      refusal('INVALID_SOCIAL_TOKEN'),
    )
    expect(await register({ ...body, launch: { ...body.launch, image: 7 } })).toEqual(
      refusal('INVALID_INPUT'),
    )
  })
})
