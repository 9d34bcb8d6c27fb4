import { readFileSync } from 'node:fs'
import pg from 'pg'
import { afterEach, expect, test, vi } from 'vitest'

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
const linesOf = (path: string) => read(path).split('\n').filter(Boolean)

afterEach(() => void vi.unstubAllEnvs())

test('all workspaces, the lock file, the changelog and the security policy have one version', () => {
  const { version, workspaces } = JSON.parse(read('package.json')) as {
    version: string
    workspaces: string[]
  }
  const versions = Object.fromEntries(
    workspaces.map(folder => [folder, JSON.parse(read(`${folder}/package.json`)).version]),
  )
  expect(versions).toEqual(Object.fromEntries(workspaces.map(folder => [folder, version])))
  const { packages } = JSON.parse(read('package-lock.json'))
  for (const folder of ['', ...workspaces])
    expect([folder, packages[folder].version]).toEqual([folder, version])
  expect(/^## \[(\d+\.\d+\.\d+)\]/m.exec(read('CHANGELOG.md'))?.[1]).toBe(version)
  expect(read('SECURITY.md')).toContain(`| ${version.replace(/\.\d+$/, '.x')} | yes |`)
})

const text = read('package-lock.json')
const { packages } = JSON.parse(text) as {
  packages: Record<string, { optionalDependencies?: Record<string, string>; engines?: { node?: string } }>
}

test('the lockfile has the binaries of every platform: npm ci fails where one is missing', () => {
  const missing = Object.entries(packages).flatMap(([holder, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter(
      name => !packages[`node_modules/${name}`] && !packages[`${holder}/node_modules/${name}`],
    ),
  )
  expect(missing).toEqual([])
})

test('the lockfile contains no registry host', () => {
  expect(text.match(/"resolved": "https?:[^"]*"/g) ?? []).toEqual([])
})

test('the nodes of compose.yaml reach PostgreSQL with any password', () => {
  const password = 'a/b#c?d@e:f%g'
  const settings = new Map<string, string>()
  for (const [, name = '', value = ''] of read('deploy/compose.yaml').matchAll(/^ {4}(\w+): (.+)$/gm))
    settings.set(name, value.replace(/\$\{POSTGRES_PASSWORD:\?\}/, password))
  vi.stubEnv('PGPASSWORD', settings.get('PGPASSWORD'))
  const client = new pg.Client({ connectionString: settings.get('DATABASE_URL') })
  expect(client).toMatchObject({ host: 'database', user: 'slipway', database: 'slipway', password })
})

test('an image is built from what git keeps, and from nothing else', () => {
  const ignored = linesOf('.gitignore').map(line => line.replace(/\/$/, ''))
  const expected = ignored.map(line => (line.includes('/') ? line : `**/${line}`))
  expect(linesOf('.dockerignore')).toEqual(['.git', ...expected])
})
