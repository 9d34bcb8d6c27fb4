import { expect, test } from 'vitest'
import { createSocial } from '../../social/social.ts'
import { useDemo } from '../../testing/demo.ts'
import { registrationOf } from '../../testing/demo-launches.ts'
import { refusal, startRegistering } from '../../testing/registering.ts'
import { TEST_SOCIAL } from '../../testing/test-service.ts'

const world = useDemo()
const { tokens } = createSocial(TEST_SOCIAL, { onAnswer: () => {}, onNotAsked: () => {} })

test('concurrent equal calls on two nodes create one launch, and all get the same ids', async () => {
  const first = await startRegistering(world)
  const second = await startRegistering(world, { connection: first.connection })
  const body = registrationOf(world, 'harbour-cat', {
    socialVerificationToken: await tokens.issue('harbourcat'),
  })
  // As many as the nodes have database connections.
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, at) => (at % 2 === 0 ? first : second).register(body)),
  )
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  const created = answers.filter(({ body: { existing } }) => !existing)
  expect(created).toHaveLength(1)
  const ids = answers.map(({ body: { launch, token } }) => JSON.stringify([launch, token]))
  expect(new Set(ids).size).toBe(1)
  expect(await first.rowCounts()).toEqual({ launches: 1, tokens: 1, buckets: 2, used_verifications: 1 })
  for (const node of [first, second])
    expect((await node.shown(body.genesisAccount)).verifiedSocials).toEqual(['x'])
})

test('a token used for many launches at once counts for one of them; the others store nothing', async () => {
  const first = await startRegistering(world)
  const second = await startRegistering(world, { connection: first.connection })
  const socialVerificationToken = await tokens.issue('tidewater')
  const slugs = ['kettle', 'gravel', 'ravelin', 'moss', 'tinder-box', 'saltbox', 'almanac', 'kiln']
  const answers = await Promise.all(
    slugs.map((slug, at) =>
      (at % 2 === 0 ? first : second).register(registrationOf(world, slug, { socialVerificationToken })),
    ),
  )
  const refused = answers.filter(({ status }) => status !== 200)
  expect(refused).toEqual(Array(slugs.length - 1).fill(refusal('INVALID_SOCIAL_TOKEN')))
  expect(await first.rowCounts()).toMatchObject({ launches: 1, tokens: 1, used_verifications: 1 })
})
