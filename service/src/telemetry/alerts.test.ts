import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')

test('the documentation says what to do for each alert, and names no others', () => {
  const alerts = [...read('deploy/alerts.yaml').matchAll(/- alert: (\w+)/g)].map(([, name]) => name)
  const rows = [...read('docs/operating.md').matchAll(/^\| `(Slipway\w+)` \| .{10,} \| .{10,} \|$/gm)]
  expect(alerts.length).toBeGreaterThan(10)
  expect(rows.map(([, name]) => name)).toEqual(alerts)
})
