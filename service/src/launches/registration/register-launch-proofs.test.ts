import { describe, expect, test } from 'vitest'
import { createSocial } from '../../social/social.ts'
import { useDemo } from '../../testing/demo.ts'
import { makeLaunch, postJson, registrationOf } from '../../testing/demo-launches.ts'
import { refusal, useRegistering } from '../../testing/registering.ts'
import { runSql } from '../../testing/test-database.ts'
import { TEST_SOCIAL } from '../../testing/test-service.ts'

const world = useDemo()
const registering = useRegistering(world)
const { tokens } = createSocial(TEST_SOCIAL, { onAnswer: () => {}, onNotAsked: () => {} })

describe('a verified link', () => {
  test('a new user verifies, registers with the token, sees the link listed as verified, and registers again', async () => {
    const { url, register, shown, getJson } = registering()
    const { body: proof } = await postJson(`${url}/v1/social/verify`, { accessToken: 'demo-token-Tidewater' })
    expect(proof).toEqual({ success: true, username: 'Tidewater', token: expect.any(String) })
    const body = registrationOf(world, 'tidewater', { socialVerificationToken: proof.token })
    const first = await register(body)
    expect(first).toMatchObject({ status: 200, body: { existing: false } })
    expect(await shown(body.genesisAccount)).toMatchObject({
      socials: { x: 'https://x.com/tidewater' },
      verifiedSocials: ['x'],
    })
    const { data } = await getJson('/v1/launches')
    expect(data.map((entry: object) => Object.keys(entry))).toEqual([
      ['launch', 'baseToken', 'website', 'socials'],
    ])
    expect(await register(body)).toEqual({ status: 200, body: { ...first.body, existing: true } })
    expect((await shown(body.genesisAccount)).verifiedSocials).toEqual(['x'])
  })

  const withLinks = (name: string, externalLinks: object, socialVerificationToken: string) => {
    const { body } = makeLaunch(world, { name })
    return { ...body, launch: { ...body.launch, externalLinks }, socialVerificationToken }
  }

  test('every spelling of a handle is proven, in upper or lower case', async () => {
    const { register, shown } = registering()
    for (const social of [
      '@TideWater',
      'tidewater',
      'https://x.com/tidewater',
      'https://twitter.com/Tidewater/',
      'http://www.twitter.com/tidewater?s=20',
      'https://mobile.twitter.com/tidewater#top',
      'x.com/@tidewater',
    ]) {
      const body = withLinks('Notation', { social }, await tokens.issue('tIdewater'))
      expect((await register(body)).status).toBe(200)
      const { socials, verifiedSocials } = await shown(body.genesisAccount)
      expect(socials.x).toMatch(/^https:\/\/x\.com\/tidewater$/i)
      expect([social, verifiedSocials]).toEqual([social, ['x']])
    }
  })

  test('a token proves nothing if the link is another handle, missing, or not a profile', async () => {
    const { register, shown } = registering()
    for (const links of [
      { social: '@somebody' },
      { website: 'https://x.com/tidewater' },
      { social: 'https://x.com/tidewater/status/1' },
      { social: 'https://evil.example/x.com/tidewater' },
    ]) {
      const body = withLinks('Unproven', links, await tokens.issue('tidewater'))
      expect((await register(body)).status).toBe(200)
      expect([links, (await shown(body.genesisAccount)).verifiedSocials]).toEqual([links, []])
    }
  })

  test('the documented field names win over the synonyms of existing SDK clients', async () => {
    const { register, shown } = registering()
    const links = { social: '@tidewater', twitter: '@another' }
    const body = withLinks('Twice', links, await tokens.issue('tidewater'))
    expect((await register({ ...body, twitterVerificationToken: 'junk' })).status).toBe(200)
    expect(await shown(body.genesisAccount)).toMatchObject({
      socials: { x: 'https://x.com/tidewater' },
      verifiedSocials: ['x'],
    })
    const empty = withLinks('Empty', { social: '', twitter: '@another' }, '')
    const twitterVerificationToken = await tokens.issue('another')
    expect((await register({ ...empty, twitterVerificationToken })).status).toBe(200)
    expect((await shown(empty.genesisAccount)).verifiedSocials).toEqual(['x'])
  })

  test('a later call can prove the stored handle, and no other', async () => {
    const { register, shown } = registering()
    const body = registrationOf(world, 'tidewater')
    await register(body)
    const forged = { ...body, launch: { ...body.launch, externalLinks: { social: '@stranger' } } }
    const stranger = await register({ ...forged, socialVerificationToken: await tokens.issue('stranger') })
    expect(stranger.body.existing).toBe(true)
    expect(await shown(body.genesisAccount)).toMatchObject({
      socials: { x: 'https://x.com/tidewater' },
      verifiedSocials: [],
    })
    // Under the synonym of existing SDK clients.
    await register({ ...body, twitterVerificationToken: await tokens.issue('tidewater') })
    await expect
      .poll(async () => (await shown(body.genesisAccount)).verifiedSocials, { timeout: 30_000 })
      .toEqual(['x'])
  })

  test('a token counts only for the first launch that it was used for, on any network', async () => {
    const { register, rowCounts, connection } = registering()
    const socialVerificationToken = await tokens.issue('tidewater')
    const first = registrationOf(world, 'tidewater', { socialVerificationToken })
    const second = registrationOf(world, 'saltbox', { socialVerificationToken })
    const elsewhere = registrationOf(world, 'tidewater', { network: 'chain-devnet', socialVerificationToken })
    expect((await register(first)).status).toBe(200)
    const before = await rowCounts()
    expect(await register(second)).toEqual(refusal('INVALID_SOCIAL_TOKEN'))
    expect(await register(elsewhere)).toEqual(refusal('INVALID_SOCIAL_TOKEN'))
    // The refused registration stored nothing.
    expect(await rowCounts()).toEqual(before)
    await register(registrationOf(world, 'saltbox'))
    expect(await register(second)).toEqual(refusal('INVALID_SOCIAL_TOKEN'))
    expect((await register(first)).body.existing).toBe(true)

    // Expired uses are deleted when the next token is used.
    await runSql(connection, "UPDATE used_verifications SET expires_at = now() - interval '2 hours'")
    await register(registrationOf(world, 'kiln', { socialVerificationToken: await tokens.issue('kiln') }))
    expect((await rowCounts()).used_verifications).toBe(1)
  })
})
