import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { copyDemoWorld } from '../../service/src/testing/demo-copy.ts'

/** `npm run endurance` runs the attacks at full length. */
const isEndurance = process.env.ENDURANCE === '1'
const root = fileURLToPath(new URL('../..', import.meta.url))

// The attacks come from many loopback addresses.
test.runIf(process.platform === 'linux')(
  'under each attack, every figure stays within its limit',
  { timeout: isEndurance ? 3_600_000 : 600_000 },
  async () => {
    const world = await mkdtemp(join(tmpdir(), 'slipway-abuse-world-'))
    onTestFinished(() => rm(world, { recursive: true, force: true }))
    await copyDemoWorld(world)
    const length = isEndurance ? [] : ['--short']
    const { output, code } = await run(['scripts/build.js', 'abuse', '--world', world, ...length])
    expect(output).toContain('every figure is within its limit')
    expect(code).toBe(0)
  },
)

function run(args: string[]): Promise<{ output: string; code: number | null }> {
  return new Promise(resolve => {
    const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', chunk => {
        output += chunk
      })
    child.on('exit', code => resolve({ output, code }))
  })
}
