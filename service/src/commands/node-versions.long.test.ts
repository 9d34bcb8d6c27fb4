import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, onTestFinished, test, vi } from 'vitest'
import { copyDemoWorld } from '../testing/demo-copy.ts'
import { freePort, runSlipway } from '../testing/run-slipway.ts'
import { copyEmbeddedDatabase } from '../testing/test-database.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

/** The running one, or the one that CONTRIBUTING.md says how to install. */
function findNode(version: string): string | undefined {
  if (process.versions.node.startsWith(`${version}.`)) return process.execPath
  const installed = join(ROOT, '.nodes', version, 'node_modules/node/bin/node')
  if (existsSync(installed)) return installed
  console.log(`Node ${version} is not installed in .nodes: the service is not tested on it`)
  return undefined
}

const NODES = ['20', '22', '24'].map(version => ({ version, node: findNode(version) }))

for (const { version, node } of NODES)
  test.skipIf(node === undefined)(
    `on Node ${version}, the service starts and a withdrawal is confirmed`,
    async () => {
      const dataDir = mkdtempSync(join(tmpdir(), 'slipway-node-'))
      onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
      copyEmbeddedDatabase(dataDir)
      const env = {
        DATA_DIR: dataDir,
        PORT: await freePort(),
        LOCAL_CHAIN_PORT: await copyDemoWorld(dataDir),
      }
      const service = runSlipway(['serve'], env, { node: node as string })
      await service.serving()
      const withdraw = () =>
        promisify(execFile)(node as string, [join(ROOT, 'examples/withdraw.js'), '0.02'], {
          env: { ...process.env, DATA_DIR: dataDir, SLIPWAY_URL: `http://localhost:${env.PORT}` },
        })
      // On a busy machine, the chain may not answer in time just after the start.
      const { stdout } = await vi.waitFor(withdraw, { timeout: 120_000, interval: 1_000 })
      expect(stdout).toMatch(/^confirmed {2}\w+$/m)
      service.child.kill('SIGTERM')
      expect((await service.finished).code).toBe(0)
      expect(service.log()).not.toMatch(/"level":"(?:error|fatal)"/)
    },
    240_000,
  )
