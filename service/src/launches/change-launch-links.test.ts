import { assetSignerAddress } from '@slipway/launch-model/addresses'
import { createKeypair } from '@slipway/local-chain/ledger/keypair'
import type { Address } from '@slipway/schema/address'
import { ERRORS, type ErrorCode } from '@slipway/schema/errors'
import { describe, expect, test } from 'vitest'
import { setHidden } from '../store/launches.ts'
import { useDemo } from '../testing/demo.ts'
import { makeLaunch } from '../testing/demo-launches.ts'
import { type ChangeWords, makeAgent, sendJson, signChange } from '../testing/owner-changes.ts'
import { registeringOn } from '../testing/registering.ts'
import { runSql } from '../testing/test-database.ts'
import { useTestService } from '../testing/test-service.ts'

const world = useDemo()
const options = () => ({ config: world.config(), social: { apiUrl: world.demo.socialUrl } })
const shared = useTestService(options)
/** Another node with the same store. */
const second = useTestService(() => ({ ...options(), connection: shared().connection }))
const links = {
  website: 'https://tide.example/',
  social: '@tide_watch',
  telegram: 'tidewatch',
  discord: 'https://discord.gg/tide',
}
const SHOWN = {
  website: 'https://tide.example',
  socials: {
    x: 'https://x.com/tide_watch',
    telegram: 'https://t.me/tidewatch',
    discord: 'https://discord.gg/tide',
  },
}
const OK = { status: 200, body: { success: true } }
const refused = (code: ErrorCode) => ({
  status: ERRORS[code].status,
  body: { success: false, error: ERRORS[code].text },
})
const ago = (ms: number) => new Date(Date.now() - ms).toISOString()

/** A launch that a stranger has registered with links of their own. */
async function prepare(
  said: object = { website: 'https://phishing.example' },
  { authority, ...registered }: { authority?: Address; agent?: object } = {},
) {
  const service = registeringOn(shared())
  const { maker, mint, body } = makeLaunch(world, { name: 'Made', ...(authority && { authority }) })
  await service.register({ ...body, launch: { ...body.launch, externalLinks: said }, ...registered })
  const address = body.genesisAccount
  await service.shown(address)
  const change = (
    {
      by = maker,
      url = service.url,
      value = links as object,
      ...words
    }: Partial<ChangeWords> & { by?: typeof maker; url?: string; value?: object } = {},
    sent: { agent?: unknown; [field: string]: unknown } = {},
  ) =>
    sendJson('PUT', `${url}/v1/launches/${address}/links`, {
      externalLinks: value,
      ...signChange(by, {
        purpose: 'change launch links',
        address,
        value: 'agent' in sent ? { agent: sent.agent, externalLinks: value } : value,
        ...words,
      }),
      ...sent,
    })
  const shown = async (url = service.url) => {
    const { data } = (await (await fetch(`${url}/v1/launches/${address}`)).json()) as {
      data: { website: string; socials: object; verifiedSocials: string[] }
    }
    return { website: data.website, socials: data.socials, verified: data.verifiedSocials }
  }
  const agentShown = async () => (await service.getJson(`/v1/launches/${address}`)).data.agent
  return { ...service, address, mint, body, maker, change, shown, agentShown }
}

test('the authority corrects the links that a stranger registered, on every node', async () => {
  const { change, shown, register, body } = await prepare()
  const other = second()
  expect(await shown()).toMatchObject({ website: 'https://phishing.example', socials: {} })
  expect(await change({ url: other.url, issuedAt: ago(1_000) })).toEqual(OK)
  for (const url of [undefined, other.url])
    await expect.poll(() => shown(url)).toEqual({ ...SHOWN, verified: [] })
  // The stranger tries again.
  await register({ ...body, launch: { ...body.launch, externalLinks: { website: 'https://evil.example' } } })
  expect(await shown()).toMatchObject(SHOWN)
  // Links that are left out are removed.
  expect(await change({ value: {} })).toEqual(OK)
  await expect.poll(shown).toEqual({ website: '', socials: {}, verified: [] })
})

test('a proof of the social handle stays with the handle, and not with another one', async () => {
  const { change, shown, register, body } = await prepare({ social: 'Tide_Watch' })
  const verify = await sendJson('POST', `${shared().url}/v1/social/verify`, {
    accessToken: 'demo-token-tide_watch',
  })
  expect(verify.status).toBe(200)
  await register({ ...body, socialVerificationToken: verify.body.token })
  await expect.poll(async () => (await shown()).verified).toEqual(['x'])
  expect(await change({ issuedAt: ago(2_000) })).toEqual(OK)
  await expect.poll(shown).toEqual({ ...SHOWN, verified: ['x'] })
  expect(await change({ value: { ...links, twitter: 'x', social: 'someone_else' } })).toEqual(OK)
  await expect.poll(shown).toMatchObject({ socials: { x: 'https://x.com/someone_else' }, verified: [] })
})

test('a change is refused unless it is signed for exactly this change', async () => {
  const { change, shown } = await prepare()
  const before = await shown()
  const cases: [string, Parameters<typeof change>[0], Parameters<typeof change>[1]?][] = [
    ['for another launch', { address: createKeypair().address }],
    ['for a card', { purpose: 'replace agent card' }],
    ['for other links', {}, { externalLinks: { ...links, website: 'https://evil.example' } }],
    [
      'for other links that mean the same',
      {},
      { externalLinks: { ...links, website: 'https://tide.example' } },
    ],
    ['for fewer fields', {}, { externalLinks: { ...links, ignored: 1 } }],
  ]
  for (const [what, said, sent] of cases)
    expect({ what, ...(await change(said, sent)) }).toMatchObject({ what, ...refused('INVALID_SIGNATURE') })
  expect(await change({ by: createKeypair() })).toEqual(refused('NOT_AUTHORIZED'))
  expect(await shown()).toEqual(before)
})

describe('the owner of an agent that created the launch', () => {
  const walletOf = (address: string) => assetSignerAddress(address as Address)

  test('names the agent and corrects the links, until the agent is transferred', async () => {
    const { address: agent, owner, transfer } = await makeAgent(world)
    const { connection, change, shown } = await prepare(undefined, { authority: walletOf(agent) })
    const other = await makeAgent(world)
    expect(await change({ by: owner })).toEqual(refused('NOT_AUTHORIZED'))
    expect(await change({ by: other.owner }, { agent })).toEqual(refused('NOT_AUTHORIZED'))
    expect(await change({ by: other.owner }, { agent: other.address })).toEqual(refused('NOT_AUTHORIZED'))
    expect(await shown()).toMatchObject({ website: 'https://phishing.example' })
    expect(await change({ by: owner, issuedAt: ago(2_000) }, { agent })).toEqual(OK)
    await expect.poll(shown).toMatchObject(SHOWN)

    const buyer = createKeypair()
    await transfer(owner, buyer)
    expect(await change({ by: owner }, { agent })).toEqual(refused('NOT_AUTHORIZED'))
    expect(await change({ by: buyer, issuedAt: ago(1_000) }, { agent })).toEqual(OK)
    // The index has seen another transfer, which this endpoint has not.
    await runSql(
      connection,
      `INSERT INTO agents (network, address, owner, name, uri, identity_version, slot)
       VALUES ('chain-mainnet', '${agent}', '${other.owner.address}', 'Made', '', 2, 1000000000000)`,
    )
    expect(await change({ by: buyer }, { agent })).toEqual(refused('NOT_AUTHORIZED'))
    await runSql(connection, `UPDATE agents SET slot = 1 WHERE address = '${agent}'`)
    expect(await change({ by: buyer }, { agent })).toEqual(OK)
  })

  test('need not name the agent if the launch was registered with it', async () => {
    const { address: mint, owner } = await makeAgent(world)
    const { change } = await prepare(undefined, { authority: walletOf(mint), agent: { mint } })
    expect(await change({ by: owner })).toEqual(OK)
  })

  test('is refused if the agent is burnt, and asked to try again if the endpoint lacks it', async () => {
    const { address: burnt, owner } = world.agent('ashes')
    const missing = createKeypair().address
    for (const [agent, code] of [
      [burnt, 'NOT_AUTHORIZED'],
      [missing, 'SERVICE_UNAVAILABLE'],
    ] as const) {
      const { change } = await prepare(undefined, { authority: walletOf(agent) })
      expect(await change({ by: owner }, { agent })).toEqual(refused(code))
    }
  })
})

describe('the agent behind a launch', () => {
  test('is one that its authority names and whose identity names the token; no registration replaces it', async () => {
    const { change, register, body, agentShown } = await prepare()
    const { address: agent, setToken } = await makeAgent(world)
    expect(await change({}, { agent })).toMatchObject({ status: 400, body: { details: [{ path: 'agent' }] } })
    await setToken(body.genesisAccount as Address)

    // The agent's word alone is worth nothing, whoever owns it.
    expect(await register({ ...body, agent: { mint: agent } })).toEqual(refused('LAUNCH_MISMATCH'))
    expect(await agentShown()).toBeUndefined()
    expect(await change({}, { agent, externalLinks: {} })).toEqual(refused('INVALID_SIGNATURE'))
    expect(await change({ value: {} }, { agent })).toEqual(OK)
    await expect.poll(agentShown).toBe(agent)
    expect((await register({ ...body, agent: { mint: agent } })).status).toBe(200)

    // Without `agent`, it stays; `null` removes it, and then its word alone is worth nothing again.
    expect(await change()).toEqual(OK)
    expect(await agentShown()).toBe(agent)
    expect(await change({}, { agent: null })).toEqual(OK)
    await expect.poll(agentShown).toBeUndefined()
    expect(await register({ ...body, agent: { mint: agent } })).toEqual(refused('LAUNCH_MISMATCH'))
  })

  test('cannot be set with a signature over the links alone', async () => {
    const { change, address, maker } = await prepare()
    const { address: agent } = await makeAgent(world)
    const signed = signChange(maker, { purpose: 'change launch links', address, value: links })
    expect(await change({}, { ...signed, agent })).toEqual(refused('INVALID_SIGNATURE'))
  })

  test('the links cannot be removed with a signature over agent and links', async () => {
    const { change, shown, address, maker } = await prepare()
    const both = { agent: null, externalLinks: links }
    const signed = signChange(maker, { purpose: 'change launch links', address, value: both })
    const before = await shown()
    expect(await change({ value: both }, signed)).toMatchObject({
      status: 400,
      body: { details: [{ path: 'externalLinks' }] },
    })
    expect(await shown()).toEqual(before)
  })
})

test('invalid fields are listed, and a launch that is unknown or hidden is 404', async () => {
  const { url, address, database, change } = await prepare()
  const { status, body } = await change({ value: { ...links, website: 'javascript:1', telegram: 7 } })
  expect({ status, body }).toEqual({
    status: 400,
    body: {
      success: false,
      error: 'Invalid input data',
      details: [
        { path: 'externalLinks.website', message: 'must be an http(s) URL' },
        { path: 'externalLinks.telegram', message: 'must be a string' },
      ],
    },
  })
  expect((await change({ value: { twitter: 'not a handle' } })).body.details).toEqual([
    { path: 'externalLinks.twitter', message: 'must be a handle (`@name`, `name`) or a profile URL' },
  ])
  expect((await change({}, { agent: 'junk' })).body.details).toMatchObject([{ path: 'agent' }])
  for (const externalLinks of [null, [], 'https://tide.example', undefined])
    expect(await change({}, { externalLinks })).toMatchObject({
      status: 400,
      body: { details: [{ path: 'externalLinks' }] },
    })
  const wallet = createKeypair()
  for (const unknown of [wallet.address, 'junk', 'register']) {
    const signed = signChange(wallet, { purpose: 'change launch links', address: unknown, value: links })
    expect(
      await sendJson('PUT', `${url}/v1/launches/${unknown}/links`, { externalLinks: links, ...signed }),
    ).toEqual(refused('LAUNCH_NOT_FOUND'))
  }
  await setHidden(database, 'chain-mainnet', address as never, true)
  expect(await change()).toEqual(refused('LAUNCH_NOT_FOUND'))
})
