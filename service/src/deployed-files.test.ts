import { readFileSync } from 'node:fs'
import pg from 'pg'
import { afterEach, expect, test, vi } from 'vitest'

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
const linesOf = (path: string) => read(path).split('\n').filter(Boolean)

afterEach(() => void vi.unstubAllEnvs())

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
