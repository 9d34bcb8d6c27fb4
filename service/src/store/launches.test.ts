import { expect, test } from 'vitest'
import { addressOf, launchRows } from '../testing/launch-rows.ts'
import { createTestDatabase } from '../testing/test-database.ts'
import type { Database } from './database.ts'
import { findLaunch, insertLaunches, readAllLaunches, readLaunches, setHidden } from './launches.ts'

async function namesOfAll(database: Database): Promise<string[]> {
  const names: string[] = []
  for await (const records of readAllLaunches(database)) names.push(...records.map(({ token }) => token.name))
  return names.sort()
}

test('a hidden launch is left out of every listing query and stays registered', async () => {
  const { database } = await createTestDatabase()
  await insertLaunches(database, [launchRows('shown'), launchRows('hidden')])
  const address = addressOf('launch hidden')
  const readOne = async () => (await readLaunches(database, 'chain-mainnet', [address])).length
  expect(await setHidden(database, 'chain-mainnet', address, true)).toBe('changed')
  expect(await setHidden(database, 'chain-mainnet', address, true)).toBe('unchanged')
  expect([await namesOfAll(database), await readOne()]).toEqual([['shown'], 0])
  expect(await findLaunch(database, 'chain-mainnet', address)).toMatchObject({ hidden: true })
  expect(await setHidden(database, 'chain-devnet', address, false)).toBe('missing')
  expect(await setHidden(database, 'chain-mainnet', address, false)).toBe('changed')
  expect([await namesOfAll(database), await readOne()]).toEqual([['hidden', 'shown'], 1])
})

test('a launch has the same fields whether it is read alone or with all others', async () => {
  const { database } = await createTestDatabase()
  const whole = {
    graduatedAt: new Date('2026-03-01T00:00:00.001Z'),
    heroUrl: 'https://images.example/hero.png',
    website: 'https://example.com',
    socials: { x: 'handle' },
    agent: addressOf('agent'),
    verifiedSocials: ['x' as const],
    slot: 2 ** 40,
  }
  await insertLaunches(database, [launchRows('plain'), launchRows('whole', whole)])
  const all = []
  for await (const records of readAllLaunches(database)) all.push(...records)
  const alone = await readLaunches(
    database,
    'chain-mainnet',
    all.map(({ genesisAddress }) => genesisAddress),
  )
  expect(all).toHaveLength(2)
  expect(all).toEqual(expect.arrayContaining(alone))
  expect(alone).toContainEqual(expect.objectContaining(whole))
})

test('every launch is read exactly once, however many there are', async () => {
  const { database } = await createTestDatabase()
  expect(await namesOfAll(database)).toEqual([])
  const names = Array.from({ length: 2_100 }, (_, at) => `launch ${at}`)
  await insertLaunches(
    database,
    names.map(name => launchRows(name)),
  )
  expect(await namesOfAll(database)).toEqual(names.sort())
})
