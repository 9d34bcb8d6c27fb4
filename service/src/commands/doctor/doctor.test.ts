import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { TRANSACTION_VERSIONS } from '@slipway/launch-model/history/transaction'
import { expect, onTestFinished, test, vi } from 'vitest'
import { RPC_LIMITS } from '../../chain/rpc/limits.ts'
import { startRpcProxy } from '../../testing/rpc-proxy.ts'
import { runCommand } from '../../testing/run-command.ts'
import { freeChainPort, freePort } from '../../testing/run-slipway.ts'
import { useServedDemo } from '../../testing/served-demo.ts'
import { createTestConnection, toDatabaseUrl } from '../../testing/test-database.ts'
import type { Check } from './check.ts'
import { checkOpenFiles } from './check-machine.ts'

const demo = useServedDemo()

/** On a busy machine, whatever is checked may be slow. */
const WAIT = { timeout: 90_000, interval: 500 }

/** Asks until only these checks fail. */
async function diagnoseUntil(env: Record<string, string>, failed: readonly (readonly [string, string])[]) {
  return vi.waitFor(async () => {
    const diagnosis = await diagnose(env)
    expect(diagnosis.failed).toEqual(failed)
    return diagnosis
  }, WAIT)
}

async function diagnose(env: Record<string, string>) {
  const { code, stdout } = await runCommand(['doctor', '--json'], env)
  const { checks } = JSON.parse(stdout) as { checks: Check[] }
  return {
    code,
    checks,
    failed: checks
      .filter(({ status }) => status === 'failed')
      .map(({ name, problem }) => [name, problem] as const),
    find: (name: string) => checks.filter(each => each.name === name),
  }
}

/** A node on the demo's database whose mainnet is this list of endpoints. */
const withEndpoints = (...urls: string[]) => ({
  ...demo.env,
  LOCAL_CHAIN: 'off',
  RPC_URL_MAINNET: urls.join(','),
  RPC_WS_URL_MAINNET: demo.readDemoFile().networks['chain-mainnet'].wsUrl,
  SOCIAL_API_URL: demo.readDemoFile().social.url,
  SOCIAL_TOKEN_SECRET: 'a secret that only the tests know',
})

const mainnet = () => demo.readDemoFile().networks['chain-mainnet'].rpcUrl as string

test('while the service runs, every part is checked and its own ports are fine', async () => {
  await vi.waitFor(async () => {
    const { code, stdout, stderr } = await demo.run('doctor')
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(/^ok +configuration +valid; set: .*DATABASE_URL.*; embedded: chains$/m)
    expect(stdout).toMatch(/^ok +database +PostgreSQL 1\d.*\(DATABASE_URL\), 1 running service\(s\) use it$/m)
    expect(stdout).toMatch(/^ok +database migrations +none pending$/m)
    expect(stdout).toMatch(/^ok +database clock +this machine is \d\.\d s /m)
    for (const network of ['chain-mainnet', 'chain-devnet']) {
      expect(stdout).toMatch(
        new RegExp(`^ok +rpc ${network} embedded +private cluster, genesis hash \\w+, slot`, 'm'),
      )
      expect(stdout).toMatch(
        new RegExp(
          `^ok +rpc ${network} embedded methods +allows getProgramAccounts, getSignaturesForAddress, getTransaction, getTokenLargestAccounts$`,
          'm',
        ),
      )
      expect(stdout).toMatch(
        new RegExp(`^ok +subscriptions ${network} +127.0.0.1:\\d+ allows programSubscribe$`, 'm'),
      )
    }
    expect(stdout).toMatch(
      new RegExp(`^ok +port ${demo.env.PORT} +used by the running service \\(PORT\\)$`, 'm'),
    )
    expect(stdout.match(/used by the running service \(LOCAL_CHAIN_PORT\)$/gm)).toHaveLength(5)
    expect(stdout).not.toContain('FAILED')
  }, WAIT)
})

test('an endpoint that refuses a method, one that fails, one of another cluster and a silent one are told apart, without their keys', async () => {
  const refusing = await startRpcProxy(mainnet())
  refusing.behave = method =>
    method === 'getProgramAccounts' || method === 'getTransaction'
      ? { status: 403, body: 'upgrade your plan' }
      : undefined
  const stopped = await startRpcProxy(mainnet())
  stopped.stop()
  const foreign = demo.readDemoFile().networks['chain-devnet'].rpcUrl as string
  const silent = await startRpcProxy(mainnet())
  silent.behave = () => 'hang'
  const urls = [refusing.url, `${stopped.url}?key=hunter2hunter2`, foreign, silent.url]
  const [first, second, third, fourth] = urls.map(url => new URL(url).host)
  const { code, checks, find } = await diagnoseUntil(withEndpoints(...urls), [
    [`rpc chain-mainnet ${first} methods`, 'refused'],
    [`rpc chain-mainnet ${second}`, 'unreachable'],
    [`rpc chain-mainnet ${third}`, 'wrong-cluster'],
    [`rpc chain-mainnet ${fourth}`, 'slow'],
  ])
  expect(code).toBe(1)
  expect(find(`rpc chain-mainnet ${first} methods`)).toMatchObject([
    { status: 'ok', message: 'allows getSignaturesForAddress, getTokenLargestAccounts' },
    {
      message: `getProgramAccounts failed: refused at ${first} (HTTP 403), so the chain can not be indexed`,
      remedy: 'Ask the provider to allow it, or add an endpoint that does to RPC_URL_MAINNET.',
    },
    {
      status: 'warning',
      problem: 'refused',
      message: `getTransaction failed: refused at ${first} (HTTP 403), so trades can not be read`,
    },
  ])
  expect(find(`rpc chain-mainnet ${third}`)[0]?.message).toMatch(
    /^serves genesis hash \w+, but the store belongs to/,
  )
  expect(find('social network')).toMatchObject([{ status: 'ok' }])
  expect(find('rpc chain-devnet')).toMatchObject([{ message: 'not served: RPC_URL_DEVNET is not set' }])
  expect(JSON.stringify(checks)).not.toContain('hunter2')
})

test('an endpoint that does not know the newest version of transactions is reported, and its methods are allowed', async () => {
  const old = await startRpcProxy(mainnet())
  old.behave = (method, params) => {
    const { maxSupportedTransactionVersion: asked } = { ...(params[1] as object) } as Record<string, unknown>
    return method === 'getTransaction' && asked === TRANSACTION_VERSIONS[0]
      ? { status: 200, body: { jsonrpc: '2.0', error: { code: -32602, message: 'Invalid params' } } }
      : undefined
  }
  const name = `rpc chain-mainnet ${new URL(old.url).host}`
  const { find } = await diagnoseUntil(withEndpoints(old.url), [])
  expect(find(`${name} versions`)).toMatchObject([
    {
      status: 'warning',
      problem: 'outdated',
      message: 'does not support transactions of version 1, so trades in such transactions can not be read',
    },
  ])
  expect(find(`${name} methods`)).toMatchObject([{ message: expect.stringContaining('getTransaction') }])
})

test('what this version was never run with is reported as drift, and the methods are allowed', async () => {
  const rpc = await startRpcProxy(mainnet())
  const answer = (body: object) => ({ status: 200, body: { jsonrpc: '2.0', ...body } })
  rpc.behave = method => {
    if (method === 'getVersion') return answer({ result: { 'solana-core': '9.1.0', 'feature-set': 7 } })
    if (method === 'getRecentPerformanceSamples')
      return answer({ result: [{ numSlots: 20, samplePeriodSecs: 60 }] })
    return method === 'getTransaction'
      ? answer({ error: { code: -32015, message: 'version (2)' } })
      : undefined
  }
  const name = `rpc chain-mainnet ${new URL(rpc.url).host}`
  const { find } = await diagnoseUntil(withEndpoints(rpc.url), [])
  expect(find(`${name} drift`)).toMatchObject([
    { status: 'warning', message: expect.stringContaining('runs version 9.1.0 (feature set 7)') },
    { status: 'warning', message: expect.stringContaining('slots take 3000 ms') },
    { status: 'warning', message: expect.stringContaining('transactions of a version above 1') },
  ])
  expect(find(`${name} methods`)).toMatchObject([{ message: expect.stringContaining('getTransaction') }])
})

test('the lag of an endpoint is limited in seconds, not slots, and the time until transactions expire is shown', async () => {
  const [late, newest] = [await startRpcProxy(mainnet()), await startRpcProxy(mainnet())]
  const [lateName, newestName] = [late, newest].map(({ url }) => `rpc chain-mainnet ${new URL(url).host}`)
  const answer = (result: unknown) => ({ status: 200, body: { jsonrpc: '2.0', result } })
  const diagnoseAt = async (slotMs: number) => {
    for (const proxy of [late, newest])
      proxy.behave = method => {
        if (method === 'getRecentPerformanceSamples')
          return answer([{ numSlots: 60_000 / slotMs, samplePeriodSecs: 60 }])
        return method === 'getSlot' ? answer(proxy === late ? 999_940 : 1_000_000) : undefined
      }
    const { find } = await diagnose(withEndpoints(late.url, newest.url))
    return { lag: find(`${lateName} lag`), expiry: find(newestName as string) }
  }
  const [short, long] = [await diagnoseAt(100), await diagnoseAt(1_000)]
  expect(short.lag).toMatchObject([{ status: 'ok', message: '60 slots (6.0 s) behind the newest endpoint' }])
  expect(long.lag).toMatchObject([{ status: 'failed', problem: 'behind' }])
  expect(short.expiry).toMatchObject([{ message: expect.stringContaining('150 blocks (about 15 s now)') }])
  expect(long.expiry).toMatchObject([{ message: expect.stringContaining('150 blocks (about 150 s now)') }])
})

test('one slow answer is no failure, but an endpoint that is always slow is', async () => {
  const rpc = await startRpcProxy(mainnet())
  let [asked, slowMax] = [0, 1]
  rpc.behave = method =>
    method === 'getGenesisHash' && ++asked <= slowMax
      ? sleep(RPC_LIMITS.attemptMs + 100).then(() => undefined)
      : undefined
  await vi.waitFor(async () => {
    asked = 0
    expect((await diagnose(withEndpoints(rpc.url))).failed).toEqual([])
  }, WAIT)
  slowMax = Number.POSITIVE_INFINITY
  const { find } = await diagnoseUntil(withEndpoints(rpc.url), [
    [`rpc chain-mainnet ${new URL(rpc.url).host}`, 'slow'],
  ])
  expect(find(`rpc chain-mainnet ${new URL(rpc.url).host}`)[0]?.remedy).toBe(
    'Choose a faster endpoint: the service waits 1.2 s for an answer.',
  )
})

test('an embedded chain that no longer answers is reported without advice about providers', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-doctor-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  // Without the service's demo.json, its chains are expected at this port.
  const env = { ...demo.env, DATA_DIR: folder, LOCAL_CHAIN_PORT: await freeChainPort() }
  const { find } = await diagnose(env)
  for (const network of ['chain-mainnet', 'chain-devnet'])
    expect(find(`rpc ${network} embedded`)).toMatchObject([
      { problem: 'unreachable', remedy: expect.stringMatching(/^This chain runs in the service: /) },
    ])
})

test('before the first start, nothing is created and the embedded parts are named', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-doctor-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const env = {
    DATA_DIR: join(folder, 'data'),
    PORT: await freePort(),
    LOCAL_CHAIN_PORT: await freeChainPort(),
  }
  const { code, checks, find } = await diagnose(env)
  expect([code, checks.filter(({ status }) => status === 'failed')]).toEqual([0, []])
  expect(find('configuration')[0]?.message).toMatch(/embedded: PostgreSQL, chains$/)
  expect(find('database')[0]?.message).toMatch(/^no embedded store in .* yet: the first start creates it$/)
  expect(find('rpc chain-mainnet')).toMatchObject([
    { message: 'embedded chain, not running: it starts with the service' },
  ])
  expect(find(`port ${env.PORT}`)).toMatchObject([{ message: 'free (PORT)' }])
  expect(readdirSync(folder)).toEqual([])
})

test('an empty database, a wrong one and a port of another program are named', async () => {
  const empty = await createTestConnection()
  const other = createServer((_, response) => response.end('ok, but not Slipway'))
  await new Promise<void>(resolve => other.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void other.close())
  const { port } = other.address() as { port: number }
  const env = { ...withEndpoints(mainnet()), PORT: `${port}`, DATABASE_URL: toDatabaseUrl(empty) }
  const onEmpty = await diagnoseUntil({ ...env, WORKERS: '64' }, [[`port ${port}`, 'in-use']])
  expect(onEmpty.find('database migrations')[0]?.message).toMatch(/^\d+ pending: the next start applies them/)
  expect(onEmpty.find('database connections')).toMatchObject([{ status: 'warning', problem: 'full' }])
  for (const [url, problem] of [
    [toDatabaseUrl({ ...empty, database: 'missing' }), 'bad-input'],
    ['postgres://user:hunter2@127.0.0.1:1/x', 'unreachable'],
  ] as const) {
    const elsewhere = { ...env, PORT: await freePort(), DATABASE_URL: url }
    const { code, checks } = await diagnoseUntil(elsewhere, [['database', problem]])
    expect(code).toBe(1)
    expect(JSON.stringify(checks)).not.toContain('hunter2')
  }
})

test.each([
  [{ PORT: 'abc' }, 'PORT must be a port number'],
  [{ LOCAL_CHAIN: 'off' }, 'no chain is configured'],
  [{ RPC_URL_MAINNET: 'https://rpc.example' }, 'SOCIAL_TOKEN_SECRET must be set'],
])('%j is reported as bad input', async (env, text) => {
  const { code, stdout, stderr } = await runCommand(['doctor'], { DATA_DIR: '/nowhere', ...env })
  expect(code).toBe(1)
  expect(stdout).toMatch(new RegExp(`^FAILED +configuration +bad-input: .*${text}`, 'm'))
  expect(stderr).toBe('slipway: 1 of 2 checks failed: configuration.\n')
})

test('a low limit for open files is a warning', () => {
  const limits = (count: string) =>
    `Max open files            ${count}                 524288               files\n`
  expect(checkOpenFiles(limits('1024'))).toMatchObject({
    status: 'warning',
    remedy: expect.stringContaining('65536'),
  })
  expect(checkOpenFiles(limits('65536')).status).toBe('ok')
})
