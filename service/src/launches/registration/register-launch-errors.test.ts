import {
  getGenesisAccountV2AccountDataSerializer,
  getLaunchPoolBucketV2AccountDataSerializer,
} from '@metaplex-foundation/genesis'
import type { ErrorCode } from '@slipway/schema/errors'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openTestRpc } from '../../indexer/testing/test-rpc.ts'
import { type Deadline, DeadlineExceeded } from '../../lib/deadline.ts'
import { createSocial } from '../../social/social.ts'
import { useDemo } from '../../testing/demo.ts'
import { demoLaunch, makeLaunch, registrationOf } from '../../testing/demo-launches.ts'
import { refusalOf } from '../../testing/described-endpoints.ts'
import {
  NO_ROWS,
  refusal,
  startRegistering,
  UNUSED_ADDRESS,
  useRegistering,
} from '../../testing/registering.ts'
import { startRpcProxy } from '../../testing/rpc-proxy.ts'
import { createTestDatabase, runSql } from '../../testing/test-database.ts'
import { TEST_SOCIAL } from '../../testing/test-service.ts'
import { createRegistration } from './register-launch.ts'

const world = useDemo()
const registering = useRegistering(world)
const { tokens } = createSocial(TEST_SOCIAL, { onAnswer: () => {}, onNotAsked: () => {} })

describe('errors that store nothing', () => {
  const whole = () => registrationOf(world, 'orchard-ledger')
  const launchWith = (change: object) => ({ ...whole(), launch: { ...whole().launch, ...change } })
  const linked = (externalLinks: unknown) => launchWith({ externalLinks })

  test('400 Invalid input data', async () => {
    const { register, rowCounts } = registering()
    const { genesisAccount, launch } = whole()
    const { name, symbol, image, type } = launch
    const bodies: unknown[] = [
      null,
      [],
      'x',
      {},
      { genesisAccount },
      { launch },
      { ...whole(), genesisAccount: 'junk' },
      { ...whole(), genesisAccount: 7 },
      { ...whole(), launch: null },
      { ...whole(), launch: [] },
      { ...whole(), launch: { symbol, image, type } },
      { ...whole(), launch: { name, image, type } },
      { ...whole(), launch: { name, symbol, type } },
      { ...whole(), launch: { name, symbol, image } },
      launchWith({ name: '' }),
      launchWith({ symbol: 7 }),
      launchWith({ description: {} }),
      launchWith({ image: 'javascript:alert(1)' }),
      launchWith({ image: 'https://a.example/\u202e.png' }),
      launchWith({ heroUrl: '../secrets' }),
      launchWith({ heroUrl: '/absolute' }),
      launchWith({ heroUrl: '//host/path' }),
      launchWith({ heroUrl: 'a//b' }),
      launchWith({ heroUrl: 'https://a.example/x' }),
      launchWith({ heroUrl: 'a\\b' }),
      launchWith({ heroUrl: 'a/%2e%2e/b' }),
      linked('https://a.example'),
      linked([]),
      linked({ website: 'javascript:alert(1)' }),
      linked({ website: 'ftp://a.example' }),
      linked({ website: 'a.example' }),
      linked({ website: 'https://bank.example@evil.example' }),
      linked({ website: 'https://a.example/\n' }),
      linked({ website: `https://a.example/${'x'.repeat(2_048)}` }),
      linked({ website: 7 }),
      linked({ social: 'data:text/html,x' }),
      linked({ social: 'two words' }),
      linked({ social: 'na\u202eme' }),
      linked({ social: 'x'.repeat(65) }),
      linked({ twitter: 'javascript:alert(1)' }),
      linked({ twitter: 7 }),
      linked({ telegram: 'tg://resolve?domain=x' }),
      linked({ discord: 'discord://x' }),
      { ...whole(), network: 'moonnet' },
      { ...whole(), network: 7 },
      { ...whole(), creatorWallet: 'junk' },
      { ...whole(), agent: {} },
      { ...whole(), agent: { mint: 'junk' } },
      { ...whole(), agent: UNUSED_ADDRESS },
      { ...whole(), socialVerificationToken: 7 },
    ]
    const refuses = refusalOf('registerLaunch')
    for (const body of bodies) expect([body, refuses({ body })?.code]).toEqual([body, 'INVALID_INPUT'])
    for (const change of [{ network: 'moonnet' }, { twitterVerificationToken: {} }])
      expect(await register({ ...whole(), ...change })).toEqual(refusal('INVALID_INPUT'))
    expect(await rowCounts()).toEqual(NO_ROWS)
  })

  test('400 Invalid input data for a network that this deployment does not serve', async () => {
    const rpcUrls = { 'chain-mainnet': [], 'chain-devnet': [world.chainOf('chain-devnet').local.rpcUrl] }
    const { register } = await startRegistering(world, { config: { rpcUrls } })
    expect(await register(whole())).toEqual(refusal('INVALID_INPUT'))
  })

  test('400 Genesis account not found: no account, on another network, or another kind of account', async () => {
    const { register, rowCounts } = registering()
    const { addresses, mint, creator } = demoLaunch(world, 'orchard-ledger')
    const elsewhere = [UNUSED_ADDRESS, addresses.primary, mint, creator.address].map(genesisAccount => ({
      genesisAccount,
    }))
    const answers = await Promise.all(
      [...elsewhere, { network: 'chain-devnet' }].map(change => register({ ...whole(), ...change })),
    )
    expect(answers).toEqual(Array(5).fill(refusal('GENESIS_NOT_FOUND')))
    expect(await rowCounts()).toEqual(NO_ROWS)
  })

  test('400 Launch is not finalized', async () => {
    const { register, rowCounts } = registering()
    const made = makeLaunch(world, { name: 'Unfinished' })
    made.change(made.addresses.genesis, data => {
      const serializer = getGenesisAccountV2AccountDataSerializer()
      const [value] = serializer.deserialize(data)
      data.set(serializer.serialize({ ...value, finalized: false }))
    })
    expect(await register(made.body)).toEqual(refusal('LAUNCH_NOT_FINALIZED'))
    expect(await rowCounts()).toEqual(NO_ROWS)
  })

  test('400 Launch does not match the chain: wrong name, symbol or agent', async () => {
    const { register, rowCounts } = registering()
    const patchbot = registrationOf(world, 'patchbot')
    const mismatches = [
      launchWith({ name: 'Orchard ledger' }),
      launchWith({ symbol: 'orch' }),
      launchWith({ name: ' Orchard Ledger' }),
      { ...whole(), agent: { mint: world.agent('patchbot').address } },
      { ...patchbot, agent: { mint: world.agent('tidewatch').address } },
      { ...patchbot, agent: { mint: world.agent('patchbot').wallet } },
      { ...patchbot, agent: { mint: patchbot.genesisAccount } },
      { ...patchbot, agent: { mint: UNUSED_ADDRESS } },
    ]
    const answers = await Promise.all(mismatches.map(async body => [body, await register(body)]))
    expect(answers).toEqual(mismatches.map(body => [body, refusal('LAUNCH_MISMATCH')]))
    expect(await rowCounts()).toEqual(NO_ROWS)
  })

  test('a wrong name is refused after one read', async () => {
    const proxy = await startRpcProxy(world.chainOf().local.rpcUrl)
    const rpcUrls = { 'chain-mainnet': [proxy.url], 'chain-devnet': [] }
    const { register } = await startRegistering(world, { config: { rpcUrls } })
    expect(await register(launchWith({ name: 'x' }))).toEqual(refusal('LAUNCH_MISMATCH'))
    expect(proxy.count('getMultipleAccounts')).toBe(2)
  })

  test('a bucket of another launch does not count', async () => {
    const { register } = registering()
    const made = makeLaunch(world, { name: 'Borrowed' })
    const serializer = getLaunchPoolBucketV2AccountDataSerializer()
    made.change(made.addresses.primary, data => {
      const [value, end] = serializer.deserialize(data)
      const bucket = { ...value.bucket, genesis: UNUSED_ADDRESS as never }
      data.subarray(0, end).set(serializer.serialize({ ...value, bucket }))
    })
    expect(await register(made.body)).toEqual(refusal('LAUNCH_MISMATCH'))
  })

  test('a launch that only pays its fees to an agent’s wallet is refused: anyone can name any wallet', async () => {
    const { register, rowCounts } = registering()
    const { wallet, address } = world.agent('patchbot')
    const { body } = makeLaunch(world, { name: 'Paid', mechanic: 'bondingCurveV2', creatorWallet: wallet })
    expect(await register({ ...body, agent: { mint: address } })).toEqual(refusal('LAUNCH_MISMATCH'))
    expect(await rowCounts()).toEqual(NO_ROWS)
  })

  test('an asset that is not a registered agent is refused, even if its wallet created the launch', async () => {
    const { register } = registering()
    const { wallet, address } = world.agent('unregistered')
    const { body } = makeLaunch(world, { name: 'Unregistered', authority: wallet })
    expect(await register({ ...body, agent: { mint: address } })).toEqual(refusal('LAUNCH_MISMATCH'))
  })

  test('400 Invalid social verification token: of another secret, or none at all', async () => {
    const { register, rowCounts } = registering()
    const stranger = createSocial(
      { ...TEST_SOCIAL, tokenSecret: 'a secret that this service does not know' },
      { onAnswer: () => {}, onNotAsked: () => {} },
    )
    for (const socialVerificationToken of ['junk', ' ', await stranger.tokens.issue('orchardledger')])
      expect([socialVerificationToken, await register({ ...whole(), socialVerificationToken })]).toEqual([
        socialVerificationToken,
        refusal('INVALID_SOCIAL_TOKEN'),
      ])
    expect(await rowCounts()).toEqual(NO_ROWS)
    const socialVerificationToken = await tokens.issue('orchardledger')
    expect((await register({ ...whole(), socialVerificationToken })).status).toBe(200)
  })

  test('the first error wins, in this order: input, launch, finalized, names, agent, token', async () => {
    const { register } = registering()
    const body = registrationOf(world, 'patchbot', {
      genesisAccount: UNUSED_ADDRESS,
      network: 'chain-mainnet',
      agent: { mint: UNUSED_ADDRESS },
      socialVerificationToken: 'junk',
    })
    const wrongName = { ...body, launch: { ...body.launch, name: 'x' } }
    const steps: [object, ErrorCode][] = [
      [{ ...wrongName, launch: { ...wrongName.launch, image: 7 } }, 'INVALID_INPUT'],
      [wrongName, 'GENESIS_NOT_FOUND'],
      [{ ...wrongName, genesisAccount: demoLaunch(world, 'patchbot').genesisAddress }, 'LAUNCH_MISMATCH'],
      [{ ...body, genesisAccount: demoLaunch(world, 'patchbot').genesisAddress }, 'LAUNCH_MISMATCH'],
      [
        {
          ...body,
          genesisAccount: demoLaunch(world, 'patchbot').genesisAddress,
          agent: { mint: world.agent('patchbot').address },
        },
        'INVALID_SOCIAL_TOKEN',
      ],
    ]
    for (const [sent, code] of steps) expect([sent, await register(sent)]).toEqual([sent, refusal(code)])
  })

  test('500 if the store rejects the query', async () => {
    const storeless = await startRegistering(world)
    await runSql(storeless.connection, 'ALTER TABLE tokens RENAME TO gone')
    expect(await storeless.register(whole())).toEqual({
      status: 500,
      body: { success: false, error: 'Internal server error' },
    })
  })
})

describe('a registration whose time is up', () => {
  /** Registers with parts of which one takes too long: the time is up when it ends. */
  async function registerLate(slow: 'verifying the token' | 'fetching the document', isKnown = false) {
    const { database, connection } = await createTestDatabase()
    const state = { isLate: false, claims: 0 }
    const end = (part: typeof slow) => {
      if (part === slow) state.isLate = !isKnown || state.claims > 0
    }
    const registration = createRegistration({
      database,
      gateways: { ipfsGateway: 'https://ipfs.example', arweaveGateway: 'https://ar.example' },
      chainOf: () => openTestRpc(world.chainOf().local.rpcUrl),
      documents: {
        async get() {
          end('fetching the document')
          return { ok: true, value: {} } as never
        },
        refresh: async () => ({}) as never,
      },
      async verifyToken(token) {
        end('verifying the token')
        return { username: 'orchardledger', id: token, expiresAt: new Date(Date.now() + 60_000) }
      },
      async claimDocument() {
        state.claims += 1
      },
      onFault(error) {
        throw error
      },
    })
    onTestFinished(() => registration.close())
    const deadline: Deadline = {
      remainingMs: () => 3_000,
      assertInTime() {
        if (state.isLate) throw new DeadlineExceeded('the time is up')
      },
      extendIf() {},
    }
    const register = () =>
      registration.register(
        {
          ...registrationOf(world, 'orchard-ledger'),
          network: 'chain-mainnet',
          socialVerificationToken: 'token',
        } as never,
        deadline,
      )
    const counts = async () => {
      const { rows } = await runSql(
        connection,
        `SELECT (SELECT count(*)::int FROM launches) AS launches,
                (SELECT count(*)::int FROM used_verifications) AS proofs`,
      )
      return { ...rows[0], claims: state.claims }
    }
    return { register, counts, state, connection }
  }

  test('stores nothing and claims no document, if the time is up before the first write', async () => {
    const { register, counts } = await registerLate('verifying the token')
    await expect(register()).rejects.toBeInstanceOf(DeadlineExceeded)
    expect(await counts()).toEqual({ launches: 0, proofs: 0, claims: 0 })
  })

  test('adds no proof to a launch that is already registered', async () => {
    const { register, counts, connection } = await registerLate('verifying the token', true)
    await register()
    await runSql(connection, 'DELETE FROM used_verifications')
    await expect(register()).rejects.toBeInstanceOf(DeadlineExceeded)
    expect(await counts()).toEqual({ launches: 1, proofs: 0, claims: 1 })
  })

  test("stores nothing, if the time is up while the token's document is fetched", async () => {
    const { register, counts, state } = await registerLate('fetching the document')
    await expect(register()).rejects.toBeInstanceOf(DeadlineExceeded)
    expect(await counts()).toMatchObject({ launches: 0, proofs: 0 })
    expect(state.isLate).toBe(true)
  })
})
