import { type CreateLaunchInput, isGenesisApiError, registerLaunch } from '@metaplex-foundation/genesis'
import { generateSigner, signerIdentity } from '@metaplex-foundation/umi'
import { createUmi } from '@metaplex-foundation/umi-bundle-defaults'
import { expect, test } from 'vitest'
import { createSocial } from '../../social/social.ts'
import { useDemo } from '../../testing/demo.ts'
import { demoLaunch } from '../../testing/demo-launches.ts'
import { useRegistering } from '../../testing/registering.ts'
import { TEST_SOCIAL } from '../../testing/test-service.ts'

const world = useDemo()
const registering = useRegistering(world)
const { tokens } = createSocial(TEST_SOCIAL, { onAnswer: () => {}, onNotAsked: () => {} })

const umi = createUmi('http://127.0.0.1:9')
umi.use(signerIdentity(generateSigner(umi)))

/** The input that a user of the official SDK created the launch with. */
function createdWithSdk(slug: string, agent?: string): CreateLaunchInput {
  const { entry, image } = demoLaunch(world, slug)
  const common = {
    wallet: umi.identity.publicKey,
    token: {
      name: entry.name,
      symbol: entry.symbol,
      image,
      description: entry.description,
      externalLinks: {
        website: `https://${slug}.example/`,
        twitter: `@${slug.replaceAll('-', '_')}`,
        telegram: `@${slug.replaceAll('-', '_')}`,
      },
    },
    ...(agent && { agent: { mint: agent as never, setToken: true } }),
  }
  if (entry.mechanic === 'bondingCurveV2')
    return { ...common, launchType: 'bondingCurve', launch: { firstBuyAmount: 0.1 } }
  return {
    ...common,
    launchType: 'launchpool',
    launch: {
      launchpool: {
        tokenAllocation: 500_000_000,
        depositStartTime: new Date('2026-03-01T00:00:00Z'),
        raiseGoal: 250,
        raydiumLiquidityBps: 5_000,
        fundsRecipient: umi.identity.publicKey,
      },
      lockedAllocations: [
        {
          name: 'Team',
          recipient: umi.identity.publicKey,
          tokenAmount: 100_000_000,
          vestingStartTime: new Date('2026-04-01T00:00:00Z'),
          vestingDuration: { value: 1, unit: 'YEAR' },
          unlockSchedule: 'MONTH',
        },
      ],
    },
  }
}

test.each([
  ['quiet-engine', 'launchpoolV2'],
  ['night-heron', 'bondingCurveV2'],
])("the official SDK registers %s, which is then among its agent's tokens", async (slug, mechanic) => {
  const { url, shown, getJson } = registering()
  const { genesisAddress, mint } = demoLaunch(world, slug)
  const agent = world.agent(slug).address
  const username = slug.replaceAll('-', '_')
  const input = {
    genesisAccount: genesisAddress as string,
    createLaunchInput: createdWithSdk(slug, agent),
    twitterVerificationToken: await tokens.issue(username),
  }
  const registered = await registerLaunch(umi, { baseUrl: url }, input)
  expect(registered).toEqual({
    existing: false,
    launch: { id: expect.any(String), link: `https://slipway.example/launches/${genesisAddress}` },
    token: { id: expect.any(String), mintAddress: mint },
  })
  expect(await shown(genesisAddress)).toMatchObject({
    launch: { mechanic },
    website: `https://${slug}.example`,
    socials: { x: `https://x.com/${username}`, telegram: `https://t.me/${username}` },
    verifiedSocials: ['x'],
  })
  await expect
    .poll(async () => (await getJson(`/v1/agents/${agent}`)).tokens, { timeout: 15_000 })
    .toMatchObject([{ address: mint }])
  const again = await registerLaunch(umi, { baseUrl: url }, input)
  expect(again).toEqual({ ...registered, existing: true })
})

test('the official SDK reports why a launch was refused', async () => {
  const { url } = registering()
  const { genesisAddress } = demoLaunch(world, 'quiet-engine')
  const createLaunchInput = createdWithSdk('quiet-engine', world.agent('quiet-engine').address)
  const fault = (change: object) =>
    registerLaunch(
      umi,
      { baseUrl: url },
      { genesisAccount: genesisAddress as string, createLaunchInput, ...change },
    ).then(
      () => 'registered',
      error => isGenesisApiError(error) && [error.statusCode, error.message],
    )
  expect(await fault({ genesisAccount: umi.identity.publicKey })).toEqual([400, 'Genesis account not found'])
  expect(await fault({ twitterVerificationToken: 'junk' })).toEqual([
    400,
    'Invalid social verification token',
  ])
  expect(await fault({})).toBe('registered')
})
