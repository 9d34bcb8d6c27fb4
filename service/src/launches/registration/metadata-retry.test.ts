import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { createSafeFetch } from '../../metadata/fetch/safe-fetch.ts'
import { sendJson, startWeb } from '../../metadata/fetch/test-web.ts'
import { createFetchedDocuments } from '../../metadata/fetched-documents.ts'
import { insertLaunches } from '../../store/launches.ts'
import { findLaunch } from '../../store/read-launches.ts'
import { launchRows } from '../../testing/launch-rows.ts'
import { createTestDatabase } from '../../testing/test-database.ts'
import { createMetadataRetry } from './metadata-retry.ts'

const GATEWAYS = { ipfsGateway: 'https://ipfs.example', arweaveGateway: 'https://ar.example' }
const rows = launchRows('late', {}, { description: 'as registered' })
const { network, mint } = rows.token
const IMAGE = { image: 'https://doc.example/i.png' }

/** A token whose document is on a host that fails this many times first. */
async function start(failures: number, { delaysMs = [0, 20, 40], mayAnswer = Promise.resolve() } = {}) {
  const { database } = await createTestDatabase()
  await insertLaunches(database, [rows])
  const web = await startWeb(async (request, response) => {
    await mayAnswer
    if (web.requests.length <= failures) response.writeHead(503).end()
    // An empty description counts as missing.
    else sendJson({ ...IMAGE, description: '' })(request, response)
  })
  const { fetch, close } = createSafeFetch({ allowHosts: [`127.0.0.1:${web.port}`] })
  onTestFinished(() => close())
  const faults: unknown[] = []
  const retry = createMetadataRetry({
    database,
    documents: createFetchedDocuments({ ...GATEWAYS, fetch }),
    gateways: GATEWAYS,
    onFault: error => faults.push(error),
    delaysMs,
  })
  onTestFinished(() => retry.close())
  const token = async () => (await findLaunch(database, network, rows.launch.genesisAddress))?.token
  const uri = `http://127.0.0.1:${web.port}/late.json`
  return { retry, web, uri, token, faults, database }
}

test('a failed fetch is retried; fields that the document lacks keep their value', async () => {
  const { retry, web, uri, token, faults } = await start(2)
  const before = await token()
  retry.add({ network, mint, uri })
  await expect.poll(token, { timeout: 30_000 }).toEqual({ ...before, ...IMAGE })
  expect([web.requests.length, faults]).toEqual([3, []])
})

test('retries end after the last delay', async () => {
  const { retry, web, uri, token } = await start(99)
  const before = await token()
  retry.add({ network, mint, uri })
  await expect.poll(() => web.requests.length, { timeout: 30_000 }).toBe(3)
  await sleep(200)
  expect(web.requests.length).toBe(3)
  expect(await token()).toEqual(before)
})

test('nothing is fetched or written after close', async () => {
  const { retry, web, uri } = await start(1, { delaysMs: [0, 300] })
  retry.add({ network, mint, uri })
  await expect.poll(() => web.requests.length, { timeout: 30_000 }).toBe(1)
  retry.close()
  await sleep(500)
  expect(web.requests.length).toBe(1)

  let answer = () => {}
  const late = await start(0, {
    mayAnswer: new Promise(resolve => {
      answer = resolve
    }),
  })
  const before = await late.token()
  late.retry.add({ network, mint, uri: late.uri })
  await expect.poll(() => late.web.requests.length, { timeout: 30_000 }).toBe(1)
  late.retry.close()
  answer()
  await sleep(300)
  expect(await late.token()).toEqual(before)
})
