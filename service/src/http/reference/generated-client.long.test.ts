import { execFile } from 'node:child_process'
import { copyFileSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { EXAMPLE_ADDRESSES } from '@slipway/schema/example-addresses'
import { expect, onTestFinished, test } from 'vitest'
import { launchRows } from '../../testing/launch-rows.ts'
import { startTestService } from '../../testing/test-service.ts'

const root = fileURLToPath(new URL('../../../..', import.meta.url))
/** Has a TypeScript of its own: the generator needs version 5. */
const fixture = join(root, 'fixtures/openapi-client')
const OPTIONS = [
  '--module',
  'nodenext',
  '--target',
  'es2022',
  '--strict',
  '--skipLibCheck',
  '--types',
  'node',
]

test('a client that openapi-typescript generates compiles and can be called', async () => {
  const { url } = await startTestService({ launches: [launchRows('shown', { spotlight: true })] })
  const folder = mkdtempSync(join(tmpdir(), 'slipway-openapi-client-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}')
  writeFileSync(join(folder, 'openapi.json'), await (await fetch(`${url}/openapi.json`)).text())
  copyFileSync(join(fixture, 'call-service.ts'), join(folder, 'call-service.ts'))
  const run = async (...args: string[]) => {
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder }).catch(failed => {
      throw new Error(`${failed.stdout}${failed.stderr}`)
    })
    return stdout
  }
  const tool = (path: string) => join(fixture, 'node_modules', path)
  await run(tool('openapi-typescript/bin/cli.js'), 'openapi.json', '--output', 'openapi.d.ts')
  await run(tool('typescript/bin/tsc'), ...OPTIONS, 'call-service.ts')
  const printed = await run('call-service.js', url, EXAMPLE_ADDRESSES.agent)
  expect(JSON.parse(printed)).toEqual({
    names: ['shown'],
    error: 'Agent not found',
    message: '✖ Invalid wallet address',
    size: 5,
    services: 2,
  })
})
