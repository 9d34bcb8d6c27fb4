import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')

test('the documentation says what causes each alert and what to do, and names no others', () => {
  const alerts = [...read('deploy/alerts.yaml').matchAll(/- alert: (\w+)/g)].map(([, name]) => name)
  const rows = [...read('docs/operating.md').matchAll(/^\| `(Slipway\w+)` \| .{10,} \| .{10,} \|$/gm)]
  expect(alerts.length).toBeGreaterThan(10)
  expect(rows.map(([, name]) => name)).toEqual(alerts)
  const [, faults = ''] = read('docs/operating.md').split('| when | Prometheus raises |')
  const caused = [...(faults.split('\n\n')[0] ?? '').matchAll(/`(Slipway\w+)`/g)].map(([, name]) => name)
  expect(new Set(caused)).toEqual(new Set(alerts))
})
