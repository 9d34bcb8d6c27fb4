import { once } from 'node:events'
import { connect } from 'node:net'
import { ERRORS, type ErrorCode } from '@slipway/schema/errors'
import { expect, test } from 'vitest'
import { addressOf } from '../testing/launch-rows.ts'
import { startProbeServer } from '../testing/probe-server.ts'
import { rawRequest } from '../testing/raw-request.ts'

const AGENTS_PROBE = `/v1/agents/${addressOf('agent')}/probe`
const post = (body: string, type = 'application/json') => ({
  method: 'POST',
  headers: { 'content-type': type },
  body,
})

function codeOf({ status, headers }: Awaited<ReturnType<typeof rawRequest>>) {
  const code = headers['slipway-error'] as ErrorCode
  expect(ERRORS[code]?.status).toBe(status)
  // Otherwise, scripts from other origins could not read it.
  expect(headers['access-control-expose-headers']).toContain('Slipway-Error')
  return code
}

/** Sends bytes as they are, and returns everything received until the connection is closed. */
async function sendBytes(url: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname, () => socket.write(bytes))
  let received = ''
  socket.on('data', chunk => {
    received += chunk
  })
  await once(socket, 'close')
  return received
}

const CASES: [ErrorCode, string, Parameters<typeof rawRequest>[2]][] = [
  ['NOT_FOUND', '/nowhere', {}],
  ['NOT_FOUND', '/v1/agents/%', {}],
  ['NOT_FOUND', `/v1/tokens/${'x'.repeat(401)}`, {}],
  ['NOT_FOUND', '/nowhere', { method: 'OPTIONS' }],
  ['AGENT_NOT_FOUND', '/v1/agents/x', {}],
  ['AGENT_NOT_FOUND', '/v1/agents/x', { method: 'HEAD' }],
  ['METHOD_NOT_ALLOWED', '/v1/launches', { method: 'DELETE' }],
  ['INVALID_NETWORK', '/v1/launches?network=x', {}],
  ['INVALID_INPUT', AGENTS_PROBE, post('{}')],
  ['INVALID_INPUT', '/readyz?for=writes', {}],
  ['BODY_TOO_LARGE', AGENTS_PROBE, post(`"${'x'.repeat(70_000)}"`)],
  ['UNSUPPORTED_MEDIA_TYPE', AGENTS_PROBE, post('x', 'text/plain')],
  ['INTERNAL', AGENTS_PROBE, post('{"word":"explode"}')],
]

test('every error carries its code, which scripts from other origins can read', async () => {
  const { url } = await startProbeServer()
  for (const [code, path, options] of CASES)
    expect([path, codeOf(await rawRequest(url, path, options))]).toEqual([path, code])
})

test('a success carries no code', async () => {
  const { url } = await startProbeServer()
  for (const path of ['/v1/launches', '/healthz', '/openapi.json'])
    expect((await rawRequest(url, path)).headers).not.toHaveProperty('slipway-error')
})

test('refusals before routing carry their codes', async () => {
  const limited = await startProbeServer({ limits: { reads: 1, writes: 1 } })
  await rawRequest(limited.url, '/v1/launches')
  expect(codeOf(await rawRequest(limited.url, '/v1/launches'))).toBe('TOO_MANY_REQUESTS')

  const starting = await startProbeServer({ isStarting: true })
  expect(codeOf(await rawRequest(starting.url, '/v1/launches'))).toBe('SERVICE_UNAVAILABLE')
  const failing = await startProbeServer({
    readiness: [{ name: 'store', check: () => Promise.reject(new Error('down')) }],
  })
  expect(codeOf(await rawRequest(failing.url, '/readyz'))).toBe('SERVICE_UNAVAILABLE')
})

test.each([
  ['BAD_REQUEST', 'HELLO\r\n\r\n'],
  ['BAD_REQUEST', 'GET /v1/launches HTTP/1.1\r\nConnection: close\r\n\r\n'],
  ['BAD_REQUEST', 'CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n'],
  ['HEADERS_TOO_LARGE', `GET / HTTP/1.1\r\nHost: a\r\nx: ${'a'.repeat(20_000)}\r\n\r\n`],
])('a malformed request is answered with the code %s', async (code, bytes) => {
  const { url } = await startProbeServer()
  const answer = await sendBytes(url, bytes)
  expect(answer).toMatch(new RegExp(`^slipway-error: ${code}\r$`, 'im'))
  expect(answer).toMatch(/^access-control-expose-headers: .*slipway-error/im)
})
