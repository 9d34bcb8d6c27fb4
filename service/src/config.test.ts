import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { readConfig } from './config.ts'
import { OperatorError } from './operator-error.ts'

test('nothing has to be set', () => {
  expect(readConfig({})).toEqual({
    port: 8080,
    host: '127.0.0.1',
    publicUrl: 'http://localhost:8080',
    dataDir: resolve('data'),
    databaseUrl: undefined,
    rateLimits: { reads: 600, writes: 60 },
    trustedProxies: [],
    logLevel: 'info',
  })
})

test('an empty variable counts as absent', () => {
  expect(readConfig({ PORT: '', DATABASE_URL: ' ' })).toEqual(readConfig({}))
})

test('the public URL follows the port, and loses its trailing slash', () => {
  expect(readConfig({ PORT: '9000' }).publicUrl).toBe('http://localhost:9000')
  expect(readConfig({ PUBLIC_URL: 'https://api.example/base/' }).publicUrl).toBe('https://api.example/base')
})

test.each([
  ['PORT', 'http'],
  ['PORT', '0'],
  ['PORT', '65536'],
  ['PORT', '80.5'],
  ['PORT', '-1'],
  ['HOST', 'a b'],
  ['PUBLIC_URL', 'slipway.example'],
  ['PUBLIC_URL', 'ftp://slipway.example'],
  ['PUBLIC_URL', 'https://slipway.example/?a=1'],
  ['DATABASE_URL', 'mysql://user:hunter2@host/db'],
  ['DATABASE_URL', 'hunter2'],
  ['RATE_LIMIT_READS', 'many'],
  ['RATE_LIMIT_WRITES', '-5'],
  ['TRUST_PROXY', 'everyone'],
  ['TRUST_PROXY', '10.0.0.0/99'],
  ['LOG_LEVEL', 'loud'],
])(
  '%s=%s is refused in one line that names it, says what it expects and keeps the value to itself',
  (name, value) => {
    const read = () => readConfig({ [name]: value })
    expect(read).toThrow(OperatorError)
    expect(read).toThrow(new RegExp(`^${name} must be .+$`))
    expect(read).not.toThrow(/\n|hunter2/)
  },
)

test('proxies are named by address, range or kind', () => {
  expect(readConfig({ TRUST_PROXY: 'loopback, 10.0.0.0/8' }).trustedProxies).toEqual([
    'loopback',
    '10.0.0.0/8',
  ])
  expect(readConfig({ TRUST_PROXY: 'off' }).trustedProxies).toEqual([])
})
