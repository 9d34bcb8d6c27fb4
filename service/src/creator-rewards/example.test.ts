import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { useDemo } from '../testing/demo.ts'
import { startTestService } from '../testing/test-service.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const EXAMPLE = join(root, 'examples/claim.js')
const world = useDemo()

test('examples/claim.js claims everything, and reports when nothing is left', async () => {
  const { url } = await startTestService({ config: world.config() })
  const run = async () => {
    const env = { ...process.env, DATA_DIR: dirname(world.demo.demoFile), SLIPWAY_URL: url }
    return (await promisify(execFile)(process.execPath, [EXAMPLE, '5'], { env })).stdout
  }
  const first = await run()
  expect(first).toContain('to claim   3.06 SOL\n')
  expect(first.match(/^confirmed {2}\w{80,}$/gm)).toHaveLength(5)
  expect(first).toContain('left       0 SOL\n')
  expect(await run()).toContain('There is nothing to claim.')
})

test('the programs of the guide "Sign and submit" withdraw and claim', async () => {
  const { url } = await startTestService({ config: world.config() })
  const guide = readFileSync(join(root, 'docs/guides/sign-and-submit.md'), 'utf8')
  const folder = mkdtempSync(join(tmpdir(), 'slipway-guide-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  for (const [, name, code] of guide.matchAll(/^```js (\S+)\n(.*?)^```/gms))
    writeFileSync(join(folder, name as string), code as string)
  expect(readdirSync(folder).sort()).toEqual([
    'claim.mjs',
    'demo.mjs',
    'node_modules',
    'withdraw.mjs',
    'without-client.mjs',
  ])
  const run = async (file: string) => {
    const options = { cwd: folder, env: { ...process.env, SLIPWAY_URL: url } }
    const { stdout } = await promisify(execFile)(process.execPath, [file, world.demo.demoFile], options)
    return stdout.replace(/confirmed \w{86,88}$/gm, 'confirmed').replace(/^\w{32,44} can/gm, 'wallet can')
  }
  expect(await run('withdraw.mjs')).toBe('Patchbot has 4.2 SOL\nconfirmed\nPatchbot has 4.19 SOL\n')
  expect(await run('without-client.mjs')).toBe('confirmed\n')
  expect(await run('claim.mjs')).toBe(
    'wallet can claim 1.64 SOL\nconfirmed\nconfirmed\nwallet can claim 0 SOL\n',
  )
}, 60_000)
