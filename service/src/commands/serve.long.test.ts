import { execFileSync, spawn } from 'node:child_process'
import { closeSync, constants, existsSync, openSync, writeSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { rawRequest } from '../testing/raw-request.ts'
import { runCommand } from '../testing/run-command.ts'
import { freeChainPort, freePort, runSlipway } from '../testing/run-slipway.ts'
import { sendExamples } from '../testing/send-examples.ts'
import { createTestDatabase, toDatabaseUrl } from '../testing/test-database.ts'

/** For steps that take long on a busy machine. */
const WAIT = { timeout: 60_000 }
const root = fileURLToPath(new URL('../../..', import.meta.url))

interface Listing {
  data: {
    launch: {
      genesisAddress: string
      status: string
      mechanic: string
      spotlight: boolean
      startTime: string
      graduatedAt: string | null
    }
  }[]
}

async function makeEnv() {
  const dataDir = await mkdtemp(join(tmpdir(), 'slipway-serve-'))
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
  const port = await freePort()
  const env = { DATA_DIR: dataDir, PORT: port, LOCAL_CHAIN_PORT: await freeChainPort() }
  return { url: `http://127.0.0.1:${port}`, env }
}

/**
 * Once the port is open, requests `/healthz` repeatedly, and also `/readyz` and a listing until the service is ready.
 * Stopping returns the longest wait for `/healthz`, how long it watched, and the other answers.
 */
function watchStart(url: string) {
  let isStopped = false
  let longestMs = 0
  let firstMs: number | undefined
  const steps = new Set<string>()
  let refusal: Awaited<ReturnType<typeof rawRequest>> | undefined
  const watching = (async () => {
    for (let isOpen = false; !isStopped; await sleep(50)) {
      const startMs = performance.now()
      const answer = await rawRequest(url, '/healthz').catch(error => {
        if (isOpen) throw error
      })
      if (!answer) continue
      isOpen = true
      firstMs ??= startMs
      expect(answer.status).toBe(200)
      longestMs = Math.max(longestMs, performance.now() - startMs)
      if (refusal) continue
      const { status, text } = await rawRequest(url, '/readyz')
      if (status !== 503) continue
      steps.add(text)
      if (text.includes('opening the database')) refusal = await rawRequest(url, '/v1/launches')
    }
    return { longestMs, totalMs: performance.now() - (firstMs ?? 0), steps, refusal }
  })()
  // A failed test does not wait for it.
  watching.catch(() => {})
  return {
    stop() {
      isStopped = true
      return watching
    },
  }
}

test('starts without configuration, with the port open and its progress in /readyz, serves the demo, follows the command line, logs JSON, exits with 0 and keeps its state', async () => {
  const { url, env } = await makeEnv()
  const beganMs = Date.now()
  const first = runSlipway(['serve'], env)
  const start = watchStart(url)
  const { chains, commands } = await first.serving()
  // Creating the demo takes seconds, and longer on a busy machine, but in small parts.
  const { longestMs, totalMs, steps, refusal } = await start.stop()
  expect(longestMs).toBeLessThan(totalMs / 3)
  expect([...steps]).toContain('starting: opening the database\n')
  expect([refusal?.status, refusal?.json()]).toEqual([503, { error: { message: 'Service unavailable' } }])
  expect(refusal?.headers).toHaveProperty('retry-after')
  expect(commands).toContain(`curl 'http://localhost:${env.PORT}/v1/launches?spotlight=true'`)
  expect(chains?.rpc['chain-mainnet']).toBe(`http://127.0.0.1:${env.LOCAL_CHAIN_PORT}`)

  // While the chain is being read, it may answer late.
  for (const network of ['chain-mainnet', 'chain-devnet'])
    await expect
      .poll(async () => (await rawRequest(url, '/readyz')).text, WAIT)
      .toMatch(new RegExp(`^rpc ${network}: ok, slot \\d+ .* 1 of 1 endpoints up$`, 'm'))

  const list = async (query: string) =>
    ((await rawRequest(url, `/v1/launches${query}`)).json() as Listing).data
  for (const network of ['chain-mainnet', 'chain-devnet']) {
    const launches = await list(`?network=${network}`)
    expect(new Set(launches.map(({ launch }) => launch.status))).toEqual(
      new Set(['upcoming', 'live', 'graduated']),
    )
    expect(new Set(launches.map(({ launch }) => launch.mechanic)).size).toBe(3)
    expect(launches.some(({ launch }) => launch.spotlight)).toBe(true)
    // Two minutes after the demo was created, which was some time after the start began.
    const starts = launches.map(({ launch }) => Date.parse(launch.startTime))
    const isSoon = (startMs: number) => startMs > beganMs + 90_000 && startMs < Date.now() + 150_000
    expect(starts.some(isSoon)).toBe(true)
    // A curve has no start time; one that had graduated before it was registered starts at its registration.
    const pools = launches.filter(({ launch }) => launch.mechanic !== 'bondingCurveV2')
    expect(pools.every(({ launch }) => (launch.graduatedAt ?? '9') > launch.startTime)).toBe(true)
  }

  // Wallets are shown once the chain has been indexed.
  const wallet = '/v1/wallets/So11111111111111111111111111111111111111112'
  await expect.poll(async () => (await rawRequest(url, wallet)).status, WAIT).toBe(200)
  // Every example in the reference works here, except those that need an owner's signature, a delegate, a deposit or
  // the host name of a deployment, and the one that the registry does not have.
  const examples = await sendExamples(url)
  const refusals = [...examples].filter(([, { status }]) => status !== 200)
  expect(refusals.map(([operation, { status }]) => `${status} ${operation}`)).toEqual([
    '400 POST /v1/agents/{address}/delegate',
    '400 POST /v1/agents/{address}/revoke',
    '409 POST /v1/executives/register',
    '401 PUT /v1/agents/{address}/agent-card.json',
    '401 DELETE /v1/agents/{address}/agent-card.json',
    '409 POST /v1/launches/{genesisAddress}/deposit',
    '409 POST /v1/launches/{genesisAddress}/withdraw',
    '400 POST /v1/launches/{genesisAddress}/claim',
    '409 POST /v1/launches/{genesisAddress}/graduate',
    '401 PUT /v1/launches/{genesisAddress}/links',
    '404 GET /ard/agents/{urn}',
    '501 POST /ard/explore',
  ])
  expect(examples.get('POST /v1/launches/register')?.text).toContain('"existing":true')

  // While the service runs, through the same database.
  const address = (await list('?spotlight=false'))[0]?.launch.genesisAddress as string
  const added = await runSlipway(['spotlight', 'add', address], env).finished
  expect([added.code, added.stdout]).toEqual([0, `${address} is in the spotlight of chain-mainnet\n`])
  const spotlit = async () => (await list('?spotlight=true')).map(({ launch }) => launch.genesisAddress)
  await expect.poll(spotlit, WAIT).toContain(address)
  expect((await runCommand(['spotlight', 'list'], env)).stdout).toContain(address)
  const unknown = 'So11111111111111111111111111111111111111112'
  const refused = await runCommand(['spotlight', 'add', unknown], env)
  expect([refused.code, refused.stderr]).toEqual([
    1,
    [
      `store     embedded store in ${env.DATA_DIR}/db, used by a running service`,
      'network   chain-mainnet',
      `slipway: No launch is registered on chain-mainnet at ${unknown}.\n`,
    ].join('\n'),
  ])
  const elsewhere = { ...env, RPC_URL_MAINNET: 'https://rpc.example' }
  expect(await runCommand(['spotlight', 'remove', address], elsewhere)).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(
      /^store {5}embedded store in .*, not changed\nnetwork .*\nslipway: RPC_URL_MAINNET is set, but DATABASE_URL is not\./,
    ),
  })
  expect(await spotlit()).toContain(address)
  // The index needs a moment for the figures of the launch in the examples.
  const { target = '' } = examples.get('GET /v1/launches/{genesisAddress}/activity') ?? {}
  await expect.poll(async () => (await rawRequest(url, target)).text, WAIT).toContain('"current":{"raised"')
  await rawRequest(url, '/v1/launches?token=s3cret', { headers: { authorization: 'Bearer s3cret' } })

  first.child.kill('SIGTERM')
  const { code, stdout, stderr } = await first.finished
  expect([code, stderr]).toEqual([0, ''])
  const lines = stdout.trim().split('\n')
  const messages = lines.map(line => (JSON.parse(line) as { msg: string }).msg)
  expect(messages).toEqual(expect.arrayContaining(['serving', 'request', 'stopped']))
  expect(stdout).not.toContain('s3cret')
  expect(existsSync(join(env.DATA_DIR, 'db/postmaster.pid'))).toBe(false)

  // Without a running service, the operator must name the store, and the command starts the database itself.
  const unsure = await runCommand(['spotlight', 'remove', address], env)
  expect([unsure.code, unsure.stdout]).toEqual([1, ''])
  expect(unsure.stderr).toMatch(
    /^store {5}embedded store in .*, not used by a running service\nnetwork {3}chain-mainnet\nslipway: .* add --embedded to change the embedded store\.\n$/,
  )
  const removed = await runCommand(['spotlight', 'remove', address, '--embedded'], env)
  expect([removed.code, removed.stdout]).toEqual([0, `${address} is not in the spotlight of chain-mainnet\n`])

  // Now by npm, and with the metrics on a port of their own.
  const METRICS_PORT = await freePort()
  const operations = `http://127.0.0.1:${METRICS_PORT}`
  const { PATH = '', HOME = '' } = process.env
  const npm = spawn('npm', ['start'], {
    cwd: root,
    env: { PATH, HOME, SITE: 'off', ...env, METRICS_PORT },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let printed = ''
  npm.stdout.on('data', chunk => {
    printed += chunk
  })
  const ended = new Promise<void>(resolve => npm.on('close', () => resolve()))
  onTestFinished(() => {
    npm.kill('SIGKILL')
    return ended
  })
  const readiness = () => rawRequest(operations, '/readyz').catch(() => ({ status: 0, text: '' }))
  await expect
    .poll(readiness, { timeout: 100_000, interval: 100 })
    .toMatchObject({ status: 200, text: expect.stringMatching(/^store: ok, /) })
  expect((await list('')).length).toBeGreaterThan(20)
  expect(await spotlit()).not.toContain(address)
  const endpoint = `endpoint="127.0.0.1:${env.LOCAL_CHAIN_PORT}"`
  expect((await rawRequest(operations, '/metrics')).text).toContain(endpoint)
  expect((await rawRequest(operations, '/v1/launches')).status).toBe(404)
  await expect.poll(() => rawRequest(url, '/readyz'), WAIT).toMatchObject({ status: 200, text: 'ready\n' })
  expect((await rawRequest(url, '/metrics')).status).toBe(404)
  await expect.poll(() => printed, WAIT).toContain(`"metrics":"${operations}/metrics"`)
  // Stopping npm start stops everything that it started.
  npm.kill('SIGTERM')
  await ended
  await expect(rawRequest(url, '/healthz')).rejects.toThrow()
  expect(existsSync(join(env.DATA_DIR, 'db/postmaster.pid'))).toBe(false)
})

test.skipIf(!existsSync('/dev/full')).each(['1', '2'])(
  'with its log on a full disk and WORKERS=%s, it serves, counts the lost lines and exits with 0',
  async WORKERS => {
    const { url, env } = await makeEnv()
    const { connection } = await createTestDatabase()
    const stdout = openSync('/dev/full', 'w')
    onTestFinished(() => closeSync(stdout))
    const service = runSlipway(
      ['serve'],
      {
        ...env,
        WORKERS,
        DATABASE_URL: toDatabaseUrl(connection),
        RPC_URL_DEVNET: 'https://rpc.example',
        SOCIAL_TOKEN_SECRET: 'a secret that only the tests know',
      },
      { stdout },
    )
    const dropped = async () => {
      const { text } = await rawRequest(url, '/metrics')
      return Number(/^slipway_log_lines_dropped_total (\d+)/m.exec(text)?.[1] ?? 0)
    }
    await expect.poll(() => dropped().catch(() => 0), WAIT).toBeGreaterThan(0)
    const listing = async () => (await rawRequest(url, '/v1/launches')).status
    await expect.poll(listing, WAIT).toBe(200)
    service.child.kill('SIGTERM')
    const stoppedMs = performance.now()
    const { code, stderr } = await service.finished
    expect([code, stderr]).toEqual([0, ''])
    expect(performance.now() - stoppedMs).toBeLessThan(30_000)
  },
)

test.skipIf(process.platform !== 'linux').each(['1', '2'])(
  'with its log in a pipe that nobody reads and WORKERS=%s, it serves and exits with 0',
  async WORKERS => {
    const { url, env } = await makeEnv()
    const { connection } = await createTestDatabase()
    const pipe = join(env.DATA_DIR, 'pipe')
    execFileSync('mkfifo', [pipe])
    const fd = openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK)
    onTestFinished(() => closeSync(fd))
    expect(() => {
      for (;;) writeSync(fd, '-'.repeat(1_024))
    }).toThrow('EAGAIN')
    const service = runSlipway(
      ['serve'],
      {
        ...env,
        WORKERS,
        DATABASE_URL: toDatabaseUrl(connection),
        RPC_URL_DEVNET: 'https://rpc.example',
        SOCIAL_TOKEN_SECRET: 'a secret that only the tests know',
      },
      { stdout: fd, stderr: fd },
    )
    await expect
      .poll(() => rawRequest(url, '/v1/launches').catch(() => ({ status: 0 })), WAIT)
      .toMatchObject({ status: 200 })
    service.child.kill('SIGTERM')
    const stoppedMs = performance.now()
    expect((await service.finished).code).toBe(0)
    expect(performance.now() - stoppedMs).toBeLessThan(30_000)
  },
)
