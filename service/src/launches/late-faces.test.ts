import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { createDocuments } from '../metadata/documents.ts'
import { createSafeFetch } from '../metadata/fetch/safe-fetch.ts'
import { sendJson, startWeb } from '../metadata/fetch/test-web.ts'
import { findLaunch, insertLaunches } from '../store/launches.ts'
import { launchRows } from '../testing/launch-rows.ts'
import { createTestDatabase } from '../testing/test-database.ts'
import { createLateFaces } from './late-faces.ts'

const GATEWAYS = { ipfsGateway: 'https://ipfs.example', arweaveGateway: 'https://ar.example' }
const rows = launchRows('late', {}, { description: 'as registered' })
const { network, mint } = rows.token
const PICTURE = { image: 'https://doc.example/i.png' }

/** A token whose document is at a host that is down for its first answers. */
async function start(failures: number, { waitsMs = [0, 20, 40], answerMs = 0 } = {}) {
  const { database } = await createTestDatabase()
  await insertLaunches(database, [rows])
  const web = await startWeb(async (request, response) => {
    await sleep(answerMs)
    if (web.asked.length <= failures) response.writeHead(503).end()
    // What says nothing is as good as missing.
    else sendJson({ ...PICTURE, description: '' })(request, response)
  })
  const { fetch, close } = createSafeFetch({ allowHosts: [`127.0.0.1:${web.port}`] })
  onTestFinished(() => close())
  const faults: unknown[] = []
  const faces = createLateFaces({
    database,
    documents: createDocuments({ ...GATEWAYS, fetch }),
    gateways: GATEWAYS,
    onFault: error => faults.push(error),
    waitsMs,
  })
  onTestFinished(() => faces.close())
  const token = async () => (await findLaunch(database, network, rows.launch.genesisAddress))?.token
  const uri = `http://127.0.0.1:${web.port}/late.json`
  return { faces, web, uri, token, faults, database }
}

test('a host that was down is asked again; what its document does not say stays', async () => {
  const { faces, web, uri, token, faults } = await start(2)
  const before = await token()
  faces.add({ network, mint, uri })
  await expect.poll(token, { timeout: 5_000 }).toEqual({ ...before, ...PICTURE })
  expect([web.asked.length, faults]).toEqual([3, []])
})

test('it is not asked for ever', async () => {
  const { faces, web, uri, token } = await start(99)
  const before = await token()
  faces.add({ network, mint, uri })
  await expect.poll(() => web.asked.length, { timeout: 5_000 }).toBe(3)
  await sleep(200)
  expect(web.asked.length).toBe(3)
  expect(await token()).toEqual(before)
})

test('nothing is asked or written after the end', async () => {
  const { faces, web, uri } = await start(1, { waitsMs: [0, 100] })
  faces.add({ network, mint, uri })
  await expect.poll(() => web.asked.length, { timeout: 5_000 }).toBe(1)
  await sleep(20)
  faces.close()
  await sleep(300)
  expect(web.asked.length).toBe(1)

  const late = await start(0, { answerMs: 200 })
  const before = await late.token()
  late.faces.add({ network, mint, uri: late.uri })
  await expect.poll(() => late.web.asked.length, { timeout: 5_000 }).toBe(1)
  late.faces.close()
  await sleep(600)
  expect(await late.token()).toEqual(before)
})
