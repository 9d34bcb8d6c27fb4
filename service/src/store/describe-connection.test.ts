import { expect, test } from 'vitest'
import { describeConnection } from './describe-connection.ts'

test.each([
  ['postgres://user:hunter2@db.example/slipway', 'postgres://db.example/slipway'],
  ['postgresql://user:hunter2@db.example:6432/slipway?sslmode=disable', 'postgres://db.example:6432/slipway'],
  ['postgres://user:hunter2@[::1]/slipway', 'postgres://[::1]/slipway'],
  ['postgres://db.example/slipway?password=hunter2&user=u', 'postgres://db.example/slipway'],
  [
    'postgres://elsewhere/slipway?host=%2Frun%2Fpg&password=hunter2',
    'postgres:///slipway (socket in /run/pg)',
  ],
  ['postgres://user:hunter2@db.example/', 'postgres://db.example/user'],
])('%s is described without its password', (connectionString, text) => {
  expect(describeConnection({ connectionString })).toBe(text)
})
