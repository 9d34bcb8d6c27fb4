import { expect, test } from 'vitest'
import { launchRows } from '../testing/launch-rows.ts'
import { createTestDatabase } from '../testing/test-database.ts'
import { findLaunch, insertLaunches } from './launches.ts'
import { type SocialProof, saveProof } from './registrations.ts'

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
