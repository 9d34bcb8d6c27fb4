// @module-tag timing
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { createSocial } from '../social/social.ts'
import { type Reply, sendJson, sendText, sendUser, startUpstream } from '../social/test-upstream.ts'
import { copyDemoWorld } from '../testing/demo-copy.ts'
import { rawRequest } from '../testing/raw-request.ts'
import { freePort, runSlipway } from '../testing/run-slipway.ts'
import { createTestDatabase } from '../testing/test-database.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

async function makeEnv() {
  const dataDir = await mkdtemp(join(tmpdir(), 'slipway-social-'))
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
  const port = await freePort()
  return { url: `http://127.0.0.1:${port}`, env: { DATA_DIR: dataDir, PORT: port } }
}

test('the commands that the service proposes verify an account and register a launch', async () => {
  const { url, env } = await makeEnv()
  const service = runSlipway(['serve'], {
    ...env,
    LOCAL_CHAIN_PORT: await copyDemoWorld(env.DATA_DIR),
    // Neither the market nor the indexer adds the launch to the listings.
    LOCAL_CHAIN_ACTIVITY: 'on',
  })
  const { commands = [] } = await service.serving()
  const paste = (command: RegExp) =>
    execFileSync('sh', ['-c', commands.find(each => command.test(each)) as string], {
      encoding: 'utf8',
      cwd: ROOT,
      stdio: 'pipe',
    })
  const answer = JSON.parse(paste(/curl \S+\/v1\/social\/verify .+/)) as { token: string }
  expect(answer).toEqual({ success: true, username: 'harbourmaster', token: expect.any(String) })
  const tokenSecret = readFileSync(join(env.DATA_DIR, 'social-token-secret'), 'utf8').trim()
  const { tokens } = createSocial(
    { apiUrl: 'http://127.0.0.1:9', tokenSecret, tokenSecretPrevious: undefined },
    { onAnswer: () => {}, onNotAsked: () => {} },
  )
  expect(await tokens.verify(answer.token)).toMatchObject({ username: 'harbourmaster' })

  const { registrations } = JSON.parse(readFileSync(join(env.DATA_DIR, 'demo.json'), 'utf8'))
  const [{ genesisAccount, launch }] = registrations
  const listed = async () => (await rawRequest(url, '/v1/launches')).text.includes(genesisAccount)
  const indexed = async () => (await rawRequest(url, '/metrics')).text
  await expect
    .poll(indexed, { timeout: 20_000 })
    .toMatch(/slipway_index_changes_total\{network="chain-mainnet",kind="launches"\} [1-9]/)
  expect(await listed()).toBe(false)

  const printed = (outcome: string) =>
    [
      `${genesisAccount} (${launch.name})`,
      'verified   @glasshouse',
      `${outcome} http://localhost:${env.PORT}/launches/${genesisAccount}`,
      expect.stringMatching(/^listed {5}[1-9]\d* of 39$/),
      'proven     https://x.com/glasshouse',
      '',
    ] as string[]
  const register = () => paste(/DATA_DIR=\S+ SLIPWAY_URL=\S+ node examples\/register\.js/).split('\n')
  expect(register()).toEqual(printed('registered'))
  expect(await listed()).toBe(true)
  expect(register()).toEqual(printed('existing  '))
  service.child.kill('SIGTERM')
  expect((await service.finished).code).toBe(0)
}, 120_000)

test('an access token never appears in a log line, a metric or an error', async () => {
  const replies: Record<string, Reply> = {
    user: sendUser('harbourmaster'),
    rejected: (response, { headers }) => response.writeHead(401).end(headers.authorization),
    spent: sendJson(429, {}, { 'x-rate-limit-reset': '9999999999' }),
    down: (response, { headers }) => response.writeHead(503).end(headers.authorization),
    echo: (response, { headers }) => response.end(headers.authorization),
    name: (response, { headers }) => sendUser(headers.authorization)(response, undefined as never),
    away: (response, { headers }) =>
      sendText(302, '', { location: `/2/users/me?${headers.authorization?.slice(7)}` })(
        response,
        undefined as never,
      ),
    broken: response => response.socket?.destroy(),
    nonsense: (response, { headers }) => response.socket?.end(`${headers.authorization}\r\n\r\n`),
    never: () => {},
  }
  const upstream = await startUpstream((response, request) => {
    const kind = /-(\w+)$/.exec(request.headers.authorization ?? '')?.[1] ?? ''
    return replies[kind]?.(response, request)
  })
  const { url, env } = await makeEnv()
  const { host, port, user, database } = (await createTestDatabase()).connection
  const service = runSlipway(['serve'], {
    ...env,
    DATABASE_URL: `postgres:///${database}?host=${encodeURIComponent(host)}&port=${port}&user=${user}`,
    RPC_URL_MAINNET: 'http://127.0.0.1:9',
    SOCIAL_API_URL: upstream.url,
    SOCIAL_TOKEN_SECRET: 'h1dden: a secret that only the tests know',
    LOG_LEVEL: 'trace',
  })
  await service.serving()

  const post = (body: string, query = '') =>
    rawRequest(url, `/v1/social/verify${query}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-length': `${Buffer.byteLength(body)}` },
      body,
    })
  const statuses: Record<string, number> = {}
  const answers: string[] = []
  for (const kind of [...Object.keys(replies), 'spent']) {
    const answer = await post(JSON.stringify({ accessToken: `s3cret-${kind}` }))
    statuses[kind] = answer.status
    answers.push(answer.text)
  }
  expect(statuses).toEqual({
    user: 200,
    rejected: 401,
    spent: 502,
    down: 502,
    echo: 502,
    name: 502,
    away: 502,
    broken: 502,
    nonsense: 502,
    never: 502,
  })
  for (const body of [
    '{"accessToken":"s3cret',
    '"s3cret"',
    '{"s3cret":"s3cret"}',
    '{"accessToken":"s3cret-user\\n"}',
    `{"accessToken":"${'s3cret'.repeat(1_000)}"}`,
    `{"accessToken":"${'s3cret'.repeat(20_000)}"}`,
  ])
    answers.push((await post(body, '?accessToken=s3cret')).text)
  const metrics = (await rawRequest(url, '/metrics')).text
  service.child.kill('SIGTERM')
  const { stdout, stderr } = await service.finished

  // The logs and metrics did cover those requests.
  expect(stdout.split('"msg":"request"').length).toBeGreaterThan(15)
  for (const words of ['status 503', 'no JSON', 'status 302', 'no username', 'no answer in time'])
    expect(stdout).toContain(`social network: ${words}`)
  expect(metrics).toContain('slipway_social_request_duration_seconds_count{outcome="timeout"} 1')
  for (const text of [stdout, stderr, metrics, ...answers]) expect(text).not.toMatch(/s3cret|h1dden/)
}, 60_000)
