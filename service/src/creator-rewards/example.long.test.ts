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

test('an example that fails prints one line that says why or what to do, and exits with 1', async () => {
  const { url } = await startTestService({ config: world.config() })
  const run = (env: Record<string, string>, name: string, ...args: string[]) =>
    promisify(execFile)(process.execPath, [join(root, 'examples', name), ...args], {
      env: { ...process.env, SLIPWAY_URL: url, DATA_DIR: dirname(world.demo.demoFile), ...env },
    }).catch(({ code, stderr }) => [code, stderr])
  const nowhere = 'http://127.0.0.1:1'
  expect(
    await Promise.all([
      run({ SLIPWAY_URL: nowhere }, 'find.js'),
      run({ DATA_DIR: '/nowhere' }, 'withdraw.js'),
      run({}, 'fund.js', 'junk'),
      run({}, 'withdraw.js', 'much'),
      run({}, 'claim.js', '99'),
    ]),
  ).toEqual([
    [1, expect.stringMatching(`^Could not reach ${nowhere}: .*Start the service with \`npm start\`, .*\n$`)],
    [
      1,
      expect.stringMatching(/^The demo's keys cannot be read from \/nowhere\/demo\.json \(ENOENT\)\. .*\n$/),
    ],
    [1, 'The service answered 404: Agent not found\n'],
    [1, expect.stringMatching(/^The service answered 400: .*\n$/)],
    [1, 'No demo wallet has 99 buckets.\n'],
  ])
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
})
