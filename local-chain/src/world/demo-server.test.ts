import { once } from 'node:events'
import { get } from 'node:http'
import { createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { startDemo } from '../start-demo.ts'
import { temporaryFolder } from '../testing/start-chain.ts'
import { startDemoServer } from './demo-server.ts'

async function startServer() {
  const server = await startDemoServer({ port: 0 })
  onTestFinished(() => server.close())
  return server
}

test('a registration document can be rich, missing, invalid, huge or an array', async () => {
  const { url } = await startServer()
  const at = (slug: string) => fetch(`${url}/registrations/${slug}.json`)
  expect(await (await at('patchbot')).json()).toMatchObject({
    name: 'Patchbot',
    services: [{ name: 'A2A' }, { name: 'MCP' }],
  })
  expect((await at('ghostwriter')).status).toBe(404)
  await expect(at('scrambled').then(answer => answer.json())).rejects.toThrow()
  expect((await (await at('leviathan')).text()).length).toBeGreaterThan(1_000_000)
  expect(await (await at('shopping-list')).json()).toBeInstanceOf(Array)
})

test('malformed paths get 404, and the server keeps running', async () => {
  const { url } = await startServer()
  const { port } = new URL(url)
  const status = (path: string) =>
    new Promise<number>((resolve, reject) => {
      get({ port, path }, response => {
        response.resume()
        resolve(response.statusCode ?? 0)
      }).on('error', reject)
    })
  for (const path of ['//', '//[', '///2/users/me', '/2/', '/2//', '/%', '/%zz?//']) {
    expect([path, await status(path)]).toEqual([path, 404])
  }
  expect(await status('/2/users/me?user.fields=//')).toBe(401)
  expect(await status('/images/crew.svg?a=b')).toBe(200)
})

test('the social network accepts demo tokens and enforces its rate limit', async () => {
  const { url } = await startServer()
  const me = (token?: string) =>
    fetch(`${url}/2/users/me`, token ? { headers: { authorization: `Bearer ${token}` } } : {})
  const good = await me('demo-token-alice_1')
  expect(await good.json()).toEqual({
    data: { id: expect.stringMatching(/^\d{19}$/), name: 'alice_1', username: 'alice_1' },
  })
  expect(good.headers.get('x-rate-limit-limit')).toBe('75')
  for (const token of [
    undefined,
    'other',
    'demo-token-',
    'demo-token-not a name',
    'demo-token-thisnameismuchtoolong',
  ]) {
    const bad = await me(token)
    expect([bad.status, await bad.json()]).toEqual([
      401,
      { title: 'Unauthorized', type: 'about:blank', status: 401, detail: 'Unauthorized' },
    ])
  }
  for (let n = 0; n < 75; n++) await (await me('demo-token-busy')).arrayBuffer()
  const late = await me('demo-token-busy')
  expect(late.status).toBe(429)
  expect(Number(late.headers.get('x-rate-limit-reset')) * 1000).toBeGreaterThan(Date.now())
  expect((await fetch(`${url}/2/users/me`, { headers: { origin: 'https://evil.example' } })).status).toBe(403)
})

test('documents keep their URLs when LOCAL_CHAIN_PORT changes', async () => {
  const dataDir = temporaryFolder()
  const [port, other] = [await freePorts(), await freePorts()]
  const start = (at: number) =>
    startDemo({ dataDir, port: at, activity: false, log: { info: () => {}, error: () => {} } })
  const first = await start(port)
  expect(first.documentsHost).toBe(`127.0.0.1:${port + 10}`)
  await first.close()
  const second = await start(other)
  expect(second.networks[0]?.local.rpcUrl).toBe(`http://127.0.0.1:${other}`)
  expect(second.documentsHost).toBe(first.documentsHost)
  const image = second.networks[0]?.world.launches[0]?.image as string
  expect((await fetch(image)).status).toBe(200)
  await second.close()

  const blocker = createServer().listen(port + 10, '127.0.0.1')
  onTestFinished(() => void blocker.close())
  await once(blocker, 'listening')
  await expect(start(other)).rejects.toThrow(
    `Port ${port + 10} is in use. Stop the process that listens there, or use another DATA_DIR`,
  )
})

/** A port from which all ports that the demo needs are free. */
async function freePorts(): Promise<number> {
  for (;;) {
    // Below the range from which systems assign ports.
    const port = 10_000 + Math.floor(Math.random() * 20_000)
    const servers = [0, 1, 10, 100, 101].map(offset => createServer().listen(port + offset, '127.0.0.1'))
    const free = await Promise.all(
      servers.map(server =>
        once(server, 'listening').then(
          () => true,
          () => false,
        ),
      ),
    )
    await Promise.all(servers.map(server => new Promise(resolve => server.close(resolve))))
    if (free.every(Boolean)) return port
  }
}
