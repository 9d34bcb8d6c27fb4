import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../config.ts'
import { OperatorError } from '../operator-error.ts'
import { keepSocialSecret } from './social-secret.ts'
import { openSocialSettings, requireSocialSecret } from './social-settings.ts'

async function makeDataDir(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'slipway-secret-'))
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
  return dataDir
}

const SECRET = 'configured, and of 32 bytes or more'

test('the secret is made once, is 32 random bytes, and is for its owner alone', async () => {
  const [dataDir, another] = [await makeDataDir(), await makeDataDir()]
  const secret = await keepSocialSecret(dataDir)
  expect(Buffer.from(secret, 'base64url').length).toBe(32)
  expect(await keepSocialSecret(dataDir)).toBe(secret)
  expect(await keepSocialSecret(another)).not.toBe(secret)
  expect(readdirSync(dataDir)).toEqual(['social-token-secret'])
  expect(readFileSync(join(dataDir, 'social-token-secret'), 'utf8')).toBe(`${secret}\n`)
  expect(statSync(join(dataDir, 'social-token-secret')).mode & 0o777).toBe(0o600)
})

test('starts that happen at once agree', async () => {
  for (let round = 0; round < 20; round += 1) {
    const dataDir = await makeDataDir()
    const secrets = await Promise.all(Array.from({ length: 8 }, () => keepSocialSecret(dataDir)))
    expect(new Set(secrets).size).toBe(1)
    expect(readdirSync(dataDir)).toEqual(['social-token-secret'])
  }
})

test('a file that holds no secret, or a folder that cannot be used, is told in one line', async () => {
  const dataDir = await makeDataDir()
  writeFileSync(join(dataDir, 'social-token-secret'), 'short\n')
  await expect(keepSocialSecret(dataDir)).rejects.toThrow(/social-token-secret holds no secret.*: delete it$/)
  await expect(keepSocialSecret(dataDir)).rejects.toThrow(OperatorError)
  const missing = join(dataDir, 'nowhere')
  await expect(keepSocialSecret(missing)).rejects.toThrow(`DATA_DIR ${missing} cannot be used: ENOENT`)
  await expect(keepSocialSecret(missing)).rejects.toThrow(OperatorError)
})

test('what is configured counts; embedded chains fill the gaps; else it is the real network', async () => {
  const dataDir = await makeDataDir()
  const settings = (env: Record<string, string>, socialUrl?: string) =>
    openSocialSettings(readConfig({ DATA_DIR: dataDir, ...env }), socialUrl ? { socialUrl } : undefined)
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
    tokenSecret: await keepSocialSecret(dataDir),
    tokenSecretPrevious: undefined,
  })
})

test('where the chain is real, the secret must be set', () => {
  expect(() => requireSocialSecret(readConfig({}))).toThrow(OperatorError)
  expect(() => requireSocialSecret(readConfig({}))).toThrow(/^SOCIAL_TOKEN_SECRET must be set[^\n]+$/)
  expect(() => requireSocialSecret(readConfig({ SOCIAL_TOKEN_SECRET: SECRET }))).not.toThrow()
})
