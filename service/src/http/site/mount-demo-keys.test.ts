import { connect } from 'node:net'
import Fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { rawRequest } from '../../testing/raw-request.ts'
import { mountDemoKeys } from './mount-demo-keys.ts'

const SECRET_KEY = 'AAAA'

test('a request that a proxy has forwarded gets no keys, whatever its Host', async () => {
  const app = Fastify()
  onTestFinished(() => app.close())
  mountDemoKeys(app, {
    accounts: [{ network: 'chain-mainnet', address: 'a', secretKey: SECRET_KEY, label: 'Visitor' }],
  })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const ask = (headers: Record<string, string>) =>
    rawRequest(url, '/demo/keys', { headers: { 'sec-fetch-site': 'same-origin', ...headers } })
  expect((await ask({})).text).toContain(SECRET_KEY)
  expect((await ask({ referer: `${url}/agents` })).text).toContain(SECRET_KEY)
  for (const headers of [
    { Forwarded: 'for=192.0.2.7' },
    { 'X-Forwarded-For': '192.0.2.7' },
    { 'X-Forwarded-Host': 'slipway.example' },
    { 'x-forwarded-proto': '' },
    { Via: '1.1 proxy' },
    { referer: 'https://slipway.example/agents' },
    { referer: 'nonsense' },
    { 'X-Forwarded-Prefix': '/base', host: 'localhost' },
  ])
    expect((await ask(headers as Record<string, string>)).text, JSON.stringify(headers)).not.toContain(
      SECRET_KEY,
    )

  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname).setEncoding('utf8')
  socket.write('GET /demo/keys HTTP/1.0\r\nHost: localhost\r\nSec-Fetch-Site: same-origin\r\n\r\n')
  let text = ''
  for await (const chunk of socket) text += chunk
  expect(text).toMatch(/^HTTP\/1\.1 [45]/)
})
