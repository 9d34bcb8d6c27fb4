import { ErrorBody } from '@slipway/schema/errors'
import { RegisteredLaunch } from '@slipway/schema/registration'
import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { useDemo } from '../../testing/demo.ts'
import { makeLaunch, registrationOf } from '../../testing/demo-launches.ts'
import { rawRequest } from '../../testing/raw-request.ts'
import { startRegistering, UNUSED_ADDRESS } from '../../testing/registering.ts'

const world = useDemo()

const nasty = fc.oneof(
  fc.jsonValue(),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom(
    ...['', ' ', '\u0000', '\ud800', '\u202e', '..', '//', '@x', 'x', 'https://', 'https://a', 'data:image/'],
    ...[
      'data:image/png,x',
      'ipfs://',
      'javascript:1',
      'constructor',
      '__proto__',
      'solana-devnet',
      UNUSED_ADDRESS,
    ],
    'https://x.com/\ud83d',
    'x'.repeat(3_000),
    Number.MAX_VALUE,
  ),
)

/** A valid body in which a few fields, at any level, are missing or hold arbitrary values. */
const spoilt = fc
  .array(
    fc.tuple(
      fc.constantFrom(
        ...['genesisAccount', 'network', 'launch', 'creatorWallet', 'agent', 'agent.mint'],
        ...['socialVerificationToken', 'twitterVerificationToken', '__proto__', 'launch.__proto__'],
        ...['launch.name', 'launch.symbol', 'launch.image', 'launch.type'],
        ...['launch.description', 'launch.description', 'launch.description'],
        ...['launch.heroUrl', 'launch.externalLinks', 'launch.externalLinks.website'],
        ...['launch.externalLinks.social', 'launch.externalLinks.twitter'],
        ...['launch.externalLinks.telegram', 'launch.externalLinks.discord'],
      ),
      fc.option(nasty, { nil: undefined }),
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map(changes => changes as [string, unknown][])

function spoil(body: Record<string, unknown>, changes: [string, unknown][]): string {
  const copy = structuredClone(body)
  for (const [path, value] of changes) {
    const names = path.split('.')
    const last = names.pop() as string
    let place: Record<string, unknown> | undefined = copy
    for (const name of names) place = isObject(place?.[name]) ? place[name] : undefined
    if (place)
      Object.defineProperty(place, last, { value, enumerable: true, configurable: true, writable: true })
  }
  return JSON.stringify(copy)
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

test("no body causes a 5xx or a response that breaks the contract's shape", async () => {
  const { url, database } = await startRegistering(world)
  // The token has no document, so the values of the body are stored.
  const bodies = [
    makeLaunch(world, { name: 'Fuzzed' }).body,
    makeLaunch(world, { name: 'Fuzzed curve', mechanic: 'bondingCurveV2' }).body,
    registrationOf(world, 'patchbot', { agent: { mint: world.agent('patchbot').address } }),
    registrationOf(world, 'moss'),
  ]
  const body = fc.oneof(
    { weight: 1, arbitrary: fc.json() },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 100 }) },
    {
      weight: 8,
      arbitrary: fc
        .tuple(fc.constantFrom(...bodies), spoilt)
        .map(([right, changes]) => spoil(right, changes)),
    },
  )
  const statuses = new Set<number>()
  await fc.assert(
    fc.asyncProperty(body, async text => {
      const answer = await rawRequest(url, '/v1/launches/register', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: Buffer.from(text),
      })
      statuses.add(answer.status)
      expect([200, 400]).toContain(answer.status)
      const shape = answer.status === 200 ? RegisteredLaunch : ErrorBody.agents
      expect(() => shape.strict().parse(answer.json())).not.toThrow()
      // Every run must be the first registration.
      if (answer.status === 200)
        await database.run('forget', db => db.execute(sql`TRUNCATE launches, tokens`))
    }),
    { numRuns: 50 },
  )
  // The bodies must include both valid and invalid ones.
  expect([...statuses].sort()).toEqual([200, 400])
})
