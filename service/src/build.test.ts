// @module-tag timing
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { runSlipway } from './testing/run-slipway.ts'

test('what one user built, every other can run', async () => {
  expect(await runSlipway(['help'], {}).finished).toMatchObject({ code: 0, stderr: '' })
  const dist = fileURLToPath(new URL('../dist', import.meta.url))
  const builds = readdirSync(dist)
    .filter(name => name.startsWith('service-'))
    .map(name => statSync(join(dist, name)))
  const [newest] = builds.sort((a, b) => b.mtimeMs - a.mtimeMs)
  expect((newest?.mode ?? 0) & 0o777).toBe(0o755)
})
