import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { parseConfig } from '../config.ts'
import { createSigningKeyText } from '../lib/signing-key.ts'
import { withCardKey } from './card-key.ts'

async function makeDataDir(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'slipway-card-key-'))
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
  return dataDir
}

test('a key is generated once and kept in a private file; a configured one comes first', async () => {
  const dataDir = await makeDataDir()
  const kidOf = async (env: Record<string, string> = {}) =>
    (await withCardKey(parseConfig({ DATA_DIR: dataDir, ...env }))).cardSigning.key?.publicJwk.kid
  const kids = await Promise.all(Array.from({ length: 8 }, () => kidOf()))
  expect(new Set(kids).size).toBe(1)
  const path = join(dataDir, 'card-signing-key.json')
  expect(statSync(path).mode & 0o777).toBe(0o600)
  const kept = readFileSync(path, 'utf8')
  const own = createSigningKeyText()
  expect(await kidOf({ CARD_SIGNING_KEY: own })).not.toBe(kids[0])
  expect(await kidOf()).toBe(kids[0])
  expect(readFileSync(path, 'utf8')).toBe(kept)
})

test('an invalid file is an operator error that does not repeat its content', async () => {
  const dataDir = await makeDataDir()
  writeFileSync(join(dataDir, 'card-signing-key.json'), 'hunter2')
  await expect(withCardKey(parseConfig({ DATA_DIR: dataDir }))).rejects.toThrow(
    /^(?!.*hunter2).*card-signing-key\.json is not a private JWK\. Delete it/,
  )
})
