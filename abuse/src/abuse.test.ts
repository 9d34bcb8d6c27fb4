import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

/** `npm run endurance` runs the attacks at full length. */
const isEndurance = process.env.ENDURANCE === '1'
const root = fileURLToPath(new URL('../..', import.meta.url))

// The attacks come from many loopback addresses and read /proc.
test.runIf(process.platform === 'linux')(
  'under each attack, every figure stays within its limit',
  { timeout: isEndurance ? 3_600_000 : 600_000 },
  async () => {
    const { output, code } = await run(['scripts/build.js', 'abuse', ...(isEndurance ? [] : ['--short'])])
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
