import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { parseConfig } from '../config.ts'
import { OperatorError } from '../operator-error.ts'
import { assertSocialSecret, readOrCreateSecret, readSocialSettings } from './social-settings.ts'

async function makeDataDir(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'slipway-secret-'))
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
  return dataDir
}

const SECRET = 'configured, with 32 bytes or more'

test('the secret is created once, has 32 random bytes, and only its owner can read the file', async () => {
  const [dataDir, another] = [await makeDataDir(), await makeDataDir()]
  const secret = await readOrCreateSecret(dataDir)
  expect(Buffer.from(secret, 'base64url').length).toBe(32)
  expect(await readOrCreateSecret(dataDir)).toBe(secret)
  expect(await readOrCreateSecret(another)).not.toBe(secret)
  expect(readdirSync(dataDir)).toEqual(['social-token-secret'])
  expect(readFileSync(join(dataDir, 'social-token-secret'), 'utf8')).toBe(`${secret}\n`)
  expect(statSync(join(dataDir, 'social-token-secret')).mode & 0o777).toBe(0o600)
})

test('processes that start at the same time get the same secret', async () => {
  for (let round = 0; round < 20; round += 1) {
    const dataDir = await makeDataDir()
    const secrets = await Promise.all(Array.from({ length: 8 }, () => readOrCreateSecret(dataDir)))
    expect(new Set(secrets).size).toBe(1)
    expect(readdirSync(dataDir)).toEqual(['social-token-secret'])
  }
})

test('a secret that is too short and an unusable folder are operator errors', async () => {
  const dataDir = await makeDataDir()
  writeFileSync(join(dataDir, 'social-token-secret'), 'short\n')
  await expect(readOrCreateSecret(dataDir)).rejects.toThrow(
    /social-token-secret is shorter than 32 bytes\. Delete it/,
  )
  await expect(readOrCreateSecret(dataDir)).rejects.toThrow(OperatorError)
  const missing = join(dataDir, 'nowhere')
  await expect(readOrCreateSecret(missing)).rejects.toThrow(`DATA_DIR ${missing} cannot be used: ENOENT`)
  await expect(readOrCreateSecret(missing)).rejects.toThrow(OperatorError)
})

test('configured settings come first; the gaps are filled by embedded chains, or else by the real network', async () => {
  const dataDir = await makeDataDir()
  const settings = (env: Record<string, string>, socialUrl?: string) =>
    readSocialSettings(parseConfig({ DATA_DIR: dataDir, ...env }), socialUrl ? { socialUrl } : undefined)
  const given = { SOCIAL_TOKEN_SECRET: SECRET, SOCIAL_TOKEN_SECRET_PREVIOUS: `${SECRET} before` }
  expect(await settings({ ...given, SOCIAL_API_URL: 'https://social.example/' }, 'http://stand-in')).toEqual({
    apiUrl: 'https://social.example',
    tokenSecret: SECRET,
    tokenSecretPrevious: `${SECRET} before`,
  })
  expect((await settings(given)).apiUrl).toBe('https://api.x.com')
  expect(readdirSync(dataDir)).toEqual([])
  expect(await settings({}, 'http://stand-in')).toEqual({
    apiUrl: 'http://stand-in',
    tokenSecret: await readOrCreateSecret(dataDir),
    tokenSecretPrevious: undefined,
  })
})

test('without embedded chains, the secret must be set', () => {
  expect(() => assertSocialSecret(parseConfig({}))).toThrow(OperatorError)
  expect(() => assertSocialSecret(parseConfig({}))).toThrow(/^SOCIAL_TOKEN_SECRET must be set[^\n]+$/)
  expect(() => assertSocialSecret(parseConfig({ SOCIAL_TOKEN_SECRET: SECRET }))).not.toThrow()
})
