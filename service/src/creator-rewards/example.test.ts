import { execFile } from 'node:child_process'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { useDemo } from '../testing/demo.ts'
import { startTestService } from '../testing/test-service.ts'

const EXAMPLE = fileURLToPath(new URL('../../../examples/claim.js', import.meta.url))
const world = useDemo()

test('examples/claim.js claims everything, and reports when nothing is left', async () => {
  const { url } = await startTestService({ config: world.config() })
  const run = async () => {
    const env = { ...process.env, DATA_DIR: dirname(world.demo.demoFile), SLIPWAY_URL: url }
    return (await promisify(execFile)(process.execPath, [EXAMPLE, '2'], { env })).stdout
  }
  const first = await run()
  expect(first).toContain('to claim   1.64 SOL\n')
  expect(first.match(/^confirmed {2}\w{80,}$/gm)).toHaveLength(2)
  expect(first).toContain('left       0 SOL\n')
  expect(await run()).toContain('There is nothing to claim.')
})
