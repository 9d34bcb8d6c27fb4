import { expect, test } from 'vitest'
import { createTestDatabase, runSql } from '../testing/test-database.ts'
import { findSiteFile, offerSiteFiles, sweepSiteFiles } from './site-files.ts'

const fileOf = (name: string, content = name) => ({
  name,
  type: 'text/javascript',
  identity: Buffer.from(content),
  br: Buffer.from('br'),
})

async function openStore() {
  const { database, connection } = await createTestDatabase()
  return {
    database,
    offer: (...names: string[]) =>
      offerSiteFiles(
        database,
        names.map(name => fileOf(name)),
      ),
    age: (name: string, interval: string) =>
      runSql(
        connection,
        `UPDATE site_files SET offered_at = now() - interval '${interval}' WHERE name = '${name}'`,
      ),
    async listKept(...names: string[]) {
      const found = await Promise.all(names.map(name => findSiteFile(database, name)))
      return found.flatMap(file => file?.name ?? [])
    },
  }
}

test('the files of a build are kept for a day after some node has last offered them', async () => {
  const { database, offer, age, listKept } = await openStore()
  await offer('old-1.js', 'shared-1.js', 'gone-1.js')
  await age('old-1.js', '23 hours')
  await age('shared-1.js', '25 hours')
  await age('gone-1.js', '25 hours')
  await offer('shared-1.js', 'new-1.js')
  await sweepSiteFiles(database, ['shared-1.js', 'new-1.js'])
  expect(await listKept('old-1.js', 'shared-1.js', 'gone-1.js', 'new-1.js')).toEqual([
    'old-1.js',
    'shared-1.js',
    'new-1.js',
  ])
  expect(await findSiteFile(database, 'new-1.js')).toMatchObject({
    type: 'text/javascript',
    identity: Buffer.from('new-1.js'),
    br: Buffer.from('br'),
    gzip: undefined,
  })
})

test('when there are too many files, the oldest are deleted, but never those of the node itself', async () => {
  const { database, offer, age, listKept } = await openStore()
  await offer('a-1.js', 'b-1.js', 'c-1.js')
  await age('a-1.js', '3 hours')
  await age('b-1.js', '2 hours')
  await sweepSiteFiles(database, ['a-1.js'], { bytesMax: 10 })
  expect(await listKept('a-1.js', 'b-1.js', 'c-1.js')).toEqual(['a-1.js', 'c-1.js'])
})

test('nodes that store the same build at the same time do not get in each other’s way', async () => {
  const { offer, listKept } = await openStore()
  await Promise.all([offer('a-1.js', 'b-1.js'), offer('a-1.js', 'b-1.js'), offer('b-1.js', 'a-1.js')])
  expect(await listKept('a-1.js', 'b-1.js')).toEqual(['a-1.js', 'b-1.js'])
})
