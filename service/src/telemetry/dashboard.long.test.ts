import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { hasPrometheus, startPrometheus } from '../testing/prometheus.ts'
import { rawRequest } from '../testing/raw-request.ts'
import { useServedDemo } from '../testing/served-demo.ts'

const demo = useServedDemo()
const deployed = (name: string) => join(demo.root, 'deploy', name)

interface Dashboard {
  panels: { targets?: { expr: string }[] }[]
}

test.skipIf(!hasPrometheus)(
  'every query of the dashboard has an answer, and no alert fires on a healthy node',
  async () => {
    execFileSync('promtool', ['check', 'rules', deployed('alerts.yaml')])
    const query = await startPrometheus(demo.url, readFileSync(deployed('alerts.yaml'), 'utf8'))
    const { panels }: Dashboard = JSON.parse(readFileSync(deployed('grafana.json'), 'utf8'))
    const expressions = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
    expect(expressions.length).toBeGreaterThan(20)
    await rawRequest(demo.url, '/v1/launches')
    for (const expression of expressions)
      await expect
        .poll(() => query(expression.replaceAll('$__rate_interval', '1m')).catch(() => []), {
          timeout: 60_000,
          message: expression,
        })
        .not.toEqual([])
    expect(await query('ALERTS{alertstate="firing"}')).toEqual([])
  },
)
