#!/usr/bin/env node
// Runs the tests that have a long form at full length, and all property tests with many runs.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const LONG_FORMS = /\bisEndurance\b|\bsimulateDay\b|full-disk|small-disk|mint-flood/
const PROPERTIES = /from 'fast-check'/

const isLong = file => {
  const text = readFileSync(join(root, file), 'utf8')
  return PROPERTIES.test(text) || LONG_FORMS.test(text) || LONG_FORMS.test(file)
}
const given = process.argv.slice(2)
const files = [
  'schema',
  'launch-model',
  'client',
  'site',
  'service',
  'embedded-postgres',
  'local-chain',
  'abuse',
]
  .flatMap(workspace =>
    readdirSync(join(root, workspace), { recursive: true })
      .filter(path => /^(src|tests)\/.*\.test\.ts$/.test(path))
      .map(path => `${workspace}/${path}`),
  )
  .filter(isLong)
const { status } = spawnSync('npx', ['vitest', 'run', ...(given.length > 0 ? given : files)], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, ENDURANCE: '1' },
})
process.exitCode = status ?? 1
