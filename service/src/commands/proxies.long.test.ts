import { spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { launchRows } from '../testing/launch-rows.ts'
import { rawRequest } from '../testing/raw-request.ts'
import { canReplicate, startReplicatedPostgres } from '../testing/replicated-postgres.ts'
import { freePort } from '../testing/run-slipway.ts'
import { startTestService } from '../testing/test-service.ts'

const readText = (path: string) =>
  readFileSync(fileURLToPath(new URL(`../../../${path}`, import.meta.url)), 'utf8')
const WAIT = { timeout: 60_000 }
/** Longer than a proxy of the examples takes to notice that a node fails. */
const DOWN_MS = 6_000

/** Each with the example of the documentation, for nodes at other addresses. */
const PROXIES: Record<
  string,
  (port: string, nodes: readonly string[]) => { config: string; args(path: string): string[] }
> = {
  haproxy(port, [first = '', second = '']) {
    const example = /^```\n(backend slipway\n[^`]+)^```$/m.exec(readText('docs/operating.md'))?.[1] ?? ''
    const backend = example.replace('10.0.0.1:8080', first).replace('10.0.0.2:8080', second)
    const defaults =
      'defaults\n  mode http\n  retries 0\n  timeout connect 2s\n  timeout client 30s\n  timeout server 30s\n'
    const config = `${defaults}frontend public\n  bind 127.0.0.1:${port}\n  default_backend slipway\n${backend}`
    return { config, args: path => ['-db', '-f', path] }
  },
  caddy(port, [first = '', second = '']) {
    const example = readText('deploy/Caddyfile').replace('{$DOMAIN}', `http://127.0.0.1:${port}`)
    const config = `{\n\tadmin off\n}\n${example.replace('node-1:8080', first).replace('node-2:8080', second)}`
    return { config, args: path => ['run', '--adapter', 'caddyfile', '--config', path] }
  },
}

for (const [name, example] of Object.entries(PROXIES)) {
  const isInstalled = spawnSync(name, [name === 'caddy' ? 'version' : '-v']).status === 0
  if (!isInstalled) console.log(`${name} is not installed: its example is not tested`)
  test.skipIf(!isInstalled || !canReplicate)(
    `behind ${name} as documented, no read fails while the database restarts`,
    async () => {
      const [server] = await startReplicatedPostgres()
      const { connection } = server
      const nodes = [
        await startTestService({ connection, launches: [launchRows('there')] }),
        await startTestService({ connection }),
      ]
      const port = await freePort()
      const { config, args } = example(
        port,
        nodes.map(({ url }) => new URL(url).host),
      )
      const folder = await mkdtemp(join(tmpdir(), 'slipway-proxy-'))
      onTestFinished(() => rm(folder, { recursive: true, force: true }))
      await writeFile(join(folder, 'config'), config)
      const proxy = spawn(name, args(join(folder, 'config')), {
        stdio: 'ignore',
        env: { ...process.env, HOME: folder },
      })
      onTestFinished(() => void proxy.kill('SIGKILL'))
      const read = () =>
        rawRequest(`http://127.0.0.1:${port}`, '/v1/launches').then(
          ({ status }) => status,
          () => 0,
        )
      await expect.poll(read, WAIT).toBe(200)
      const statuses: number[] = []
      let isStopped = false
      const reads = (async () => {
        for (; !isStopped; await sleep(20)) statuses.push(await read())
      })()
      await server.stop('SIGINT')
      await sleep(DOWN_MS)
      // A proxy that asks for the readiness of everything would have no node left.
      for (const { url } of nodes) expect((await rawRequest(url, '/readyz')).status).toBe(503)
      await server.start()
      for (const { url } of nodes)
        await expect
          .poll(async () => (await rawRequest(url, '/readyz')).text, WAIT)
          .toMatch(/^store: ok(.*\n)*listings: ok/m)
      isStopped = true
      await reads
      expect(statuses.length).toBeGreaterThan(100)
      expect(statuses.filter(status => status !== 200)).toEqual([])
    },
  )
}
