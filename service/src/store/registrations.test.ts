import { expect, test } from 'vitest'
import { addressOf, launchRows } from '../testing/launch-rows.ts'
import { createTestDatabase, runSql } from '../testing/test-database.ts'
import { insertLaunches } from './launches.ts'
import { findLaunch } from './read-launches.ts'
import { type SocialProof, saveProof, saveRegistration } from './registrations.ts'

const socials = { x: 'https://x.com/Name' }
const rows = launchRows('one', { socials })
const { genesisAddress } = rows.launch
const here = { network: 'chain-mainnet', genesisAddress } as const
const there = { network: 'chain-devnet', genesisAddress } as const

/** The same launch on both networks: anyone with the mint's key can create it. */
async function withLaunches() {
  const { database } = await createTestDatabase()
  await insertLaunches(database, [rows, launchRows('one', { network: there.network, socials })])
  const verified = async ({ network }: typeof here | typeof there) =>
    (await findLaunch(database, network, genesisAddress))?.verifiedSocials
  return { database, verified }
}

const proof = (id: string, link = 'https://x.com/name'): SocialProof => ({
  id,
  link,
  expiresAt: new Date(Date.now() + 600_000),
})

test('a link is marked verified once, however often it is proven', async () => {
  const { database, verified } = await withLaunches()
  for (const id of ['one', 'one', 'two']) expect(await saveProof(database, here, proof(id))).toBe(true)
  expect(await verified(here)).toEqual(['x'])
})

test('a proof is bound to the first launch that it is used for, on one network, even if it proves nothing there', async () => {
  const { database, verified } = await withLaunches()
  expect(await saveProof(database, here, proof('one', 'https://x.com/other'))).toBe(true)
  expect(await verified(here)).toEqual([])
  expect(await saveProof(database, there, proof('one'))).toBe(false)
  expect(await verified(there)).toEqual([])
  expect(await saveProof(database, there, proof('two'))).toBe(true)
  expect([await verified(here), await verified(there)]).toEqual([[], ['x']])
})

test('if registrations race, one creates the launch, and the others change nothing but can prove its link', async () => {
  const { database, connection } = await createTestDatabase()
  const bucketOf = (name: string) => ({
    network: here.network,
    address: addressOf(name),
    genesisAddress,
    kind: 'launchpoolV2' as const,
    creatorFeeWallet: null,
    slot: 1,
  })
  const save = (name: string, id?: string) =>
    saveRegistration(
      database,
      {
        launch: { ...rows.launch, website: `https://${name}.example` },
        token: { ...rows.token, description: name },
        buckets: [bucketOf(name)],
      },
      id === undefined ? undefined : proof(id),
    )
  const raced = await Promise.all([save('a'), save('b'), save('c')])
  expect(raced.filter(saved => saved?.existing === false)).toHaveLength(1)
  expect(new Set(raced.map(saved => `${saved?.launchId} ${saved?.tokenId}`)).size).toBe(1)
  const winner = ['a', 'b', 'c'][raced.findIndex(saved => saved?.existing === false)] as string
  const { rows: buckets } = await runSql(connection, 'SELECT address FROM buckets')
  expect(buckets).toEqual([{ address: addressOf(winner) }])
  expect(await save('late', 'proof')).toMatchObject({ existing: true })
  expect(await findLaunch(database, here.network, genesisAddress)).toMatchObject({
    website: `https://${winner}.example`,
    token: { description: winner },
    verifiedSocials: ['x'],
  })
})
