import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type Reply, sendJson, sendText, sendUser, startUpstream } from '../social/test-upstream.ts'
import { rawRequest } from '../testing/raw-request.ts'
import { freePort, runSlipway } from '../testing/run-slipway.ts'
import { createTestDatabase, toDatabaseUrl } from '../testing/test-database.ts'

async function makeEnv() {
  const dataDir = await mkdtemp(join(tmpdir(), 'slipway-social-'))
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
  const port = await freePort()
  return { url: `http://127.0.0.1:${port}`, env: { DATA_DIR: dataDir, PORT: port } }
}

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
  const { connection } = await createTestDatabase()
  const service = runSlipway(['serve'], {
    ...env,
    DATABASE_URL: toDatabaseUrl(connection),
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
  const verify = async (kind: string) => {
    const answer = await post(JSON.stringify({ accessToken: `s3cret-${kind}` }))
    statuses[kind] = answer.status
    answers.push(answer.text)
  }
  // This one takes as long as the service waits.
  const waiting = verify('never')
  for (const kind of [...Object.keys(replies).filter(name => name !== 'never'), 'spent']) await verify(kind)
  for (const body of [
    '{"accessToken":"s3cret',
    '"s3cret"',
    '{"s3cret":"s3cret"}',
    '{"accessToken":"s3cret-user\\n"}',
    `{"accessToken":"${'s3cret'.repeat(1_000)}"}`,
    `{"accessToken":"${'s3cret'.repeat(20_000)}"}`,
  ])
    answers.push((await post(body, '?accessToken=s3cret')).text)
  await waiting
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
  const metrics = (await rawRequest(url, '/metrics')).text
  service.child.kill('SIGTERM')
  const { stdout, stderr } = await service.finished

  // The logs and metrics did cover those requests.
  expect(stdout.split('"msg":"request"').length).toBeGreaterThan(15)
  for (const words of ['status 503', 'no JSON', 'status 302', 'no username', 'no answer in time'])
    expect(stdout).toContain(`social network: ${words}`)
  expect(metrics).toContain('slipway_social_request_duration_seconds_count{outcome="timeout"} 1')
  for (const text of [stdout, stderr, metrics, ...answers]) expect(text).not.toMatch(/s3cret|h1dden/)
})
