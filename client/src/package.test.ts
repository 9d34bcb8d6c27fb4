import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { launchRows } from '@slipway/service/testing/launch-rows'
import { startTestService } from '@slipway/service/testing/test-service'
import { chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { startTestServer } from './testing/test-server.ts'

const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/google-chrome'].find(existsSync)
const root = fileURLToPath(new URL('../..', import.meta.url))
const run = promisify(execFile)

describe('the packed package in an empty project', () => {
  let project: string
  const installed = () => join(project, 'node_modules/@slipway/client')

  beforeAll(async () => {
    project = mkdtempSync(join(tmpdir(), 'slipway-client-'))
    await run('npm', ['pack', '--pack-destination', project], { cwd: join(root, 'client') })
    const tarball = readdirSync(project).find(name => name.endsWith('.tgz')) as string
    writeFileSync(join(project, 'package.json'), '{"private": true, "type": "module"}')
    await run('npm', ['install', '--offline', '--no-audit', '--no-fund', join(project, tarball)], {
      cwd: project,
    })
  })
  afterAll(() => rmSync(project, { recursive: true, force: true }))

  test('it has no dependencies, and every file that its exports name exists', () => {
    const { exports, ...manifest } = JSON.parse(readFileSync(join(installed(), 'package.json'), 'utf8'))
    expect(manifest.dependencies).toBeUndefined()
    expect(readdirSync(join(project, 'node_modules')).filter(name => !name.startsWith('.'))).toEqual([
      '@slipway',
    ])
    const files = Object.values(exports).flatMap(entry =>
      typeof entry === 'string' ? entry : Object.values(entry as object),
    )
    expect(files.filter(file => !existsSync(join(installed(), file)))).toEqual([])
    const names = readdirSync(installed(), { recursive: true, encoding: 'utf8' })
    expect(names.filter(name => /\.test\.|testing|\.half|\.version/.test(name))).toEqual([])
    const declarations = names.filter(name => name.endsWith('.d.ts'))
    const imported = declarations.flatMap(name => [
      ...readFileSync(join(installed(), name), 'utf8').matchAll(/(?:from |import\()['"]([^'"]+)/g),
    ])
    expect(
      [...new Set(imported.map(([, target]) => target))]
        .filter(target => !/^\.\.?\/.*\.js$/.test(target ?? ''))
        .sort(),
    ).toEqual(['@metaplex-foundation/umi', '@solana/kit', '@solana/web3.js'])
  })

  test('Node reads launches with it', async () => {
    const { url } = await startTestService({ launches: [launchRows('packed')] })
    writeFileSync(
      join(project, 'use.js'),
      `import { createSlipway } from '@slipway/client'
const slipway = createSlipway({ url: '${url}' })
await slipway.launches.list()
const [{ baseToken }] = await slipway.launches.list()
const { code } = await slipway.tokens.get('junk').catch(error => error)
const { code: missing } = await import('@slipway/client/kit').catch(error => error)
console.log(baseToken.name, code, missing)`,
    )
    const { stdout } = await run(process.execPath, ['use.js'], { cwd: project })
    expect(stdout).toBe('packed TOKEN_NOT_FOUND ERR_MODULE_NOT_FOUND\n')
  })

  test('its declarations need no other package, and reject what the API would', async () => {
    cpSync(join(root, 'client/src/testing/consumer.ts.txt'), join(project, 'consumer.ts'))
    const compilerOptions = {
      strict: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
      module: 'NodeNext',
      target: 'ES2022',
      lib: ['ES2022', 'DOM', 'DOM.AsyncIterable'],
      types: [],
    }
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['consumer.ts'] }))
    const tsc = join(root, 'node_modules/typescript/bin/tsc')
    const { stdout } = await run(process.execPath, [tsc, '-p', project]).catch(error => error)
    expect(stdout).toBe('')
  })

  test.skipIf(!CHROMIUM)('a page in a browser uses it across origins, the feed too', async () => {
    const { url } = await startTestService({ launches: [launchRows('in a browser')] })
    const data = { network: 'chain-mainnet', address: 'a', at: '2026-11-16T12:00:00.000Z' }
    const feed = await startTestServer((request, response, count) => {
      const headers = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' }
      if (request.method === 'OPTIONS') return response.writeHead(204, headers).end()
      response.writeHead(200, { ...headers, 'content-type': 'text/event-stream' })
      const text = `retry: 10\nevent: agent.changed\nid: ${count}\ndata: ${JSON.stringify(data)}\n\n`
      return count === 1 ? response.end(text) : response.write(text)
    })
    const page = await openPage(installed())
    // As text, because vitest would rewrite the import.
    const seen = await page.evaluate(`(async () => {
      const { createSlipway } = await import('/main.js')
      const slipway = createSlipway({ url: '${url}' })
      const [{ baseToken }] = await slipway.launches.list()
      const { code, requestId } = await slipway.agents.get('junk').catch(error => error)
      const ids = []
      for await (const { id } of createSlipway({ url: '${feed.url}' }).events()) if (ids.push(id) === 2) break
      const unreachable = createSlipway({ url: 'http://127.0.0.1:1', retries: 0 })
      const { code: network } = await unreachable.launches.list().catch(error => error)
      return { name: baseToken.name, code, hasRequestId: Boolean(requestId), ids: ids.length, network }
    })()`)
    expect(seen).toEqual({
      name: 'in a browser',
      code: 'AGENT_NOT_FOUND',
      hasRequestId: true,
      ids: 2,
      network: 'NETWORK_ERROR',
    })
    expect(feed.requests.findLast(({ method }) => method === 'GET')?.headers['last-event-id']).toBe('1')
  })
})

/** An empty page on a server that has the built files. */
async function openPage(installed: string) {
  const server = createServer((request, response) => {
    const file = join(installed, 'dist', request.url ?? '')
    if (request.url === '/') response.setHeader('content-type', 'text/html').end('<!doctype html>')
    else if (existsSync(file)) response.setHeader('content-type', 'text/javascript').end(readFileSync(file))
    else response.writeHead(404).end()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const browser = await chromium.launch({
    executablePath: CHROMIUM as string,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run'],
  })
  onTestFinished(async () => {
    await browser.close()
    server.close()
  })
  const page = await browser.newPage()
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  return page
}
