import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { rawRequest } from '../testing/raw-request.ts'
import { freePort } from '../testing/run-slipway.ts'
import { useServedDemo } from '../testing/served-demo.ts'

const hasPrometheus = spawnSync('prometheus', ['--version']).status === 0
const demo = useServedDemo()
const deployed = (name: string) => join(demo.root, 'deploy', name)

/** A Prometheus that reads this node every second, with the alerts that we recommend. Returns a function that queries it. */
async function startPrometheus() {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-prometheus-'))
  const config = join(folder, 'prometheus.yml')
  writeFileSync(
    config,
    JSON.stringify({
      global: { scrape_interval: '1s', evaluation_interval: '1s' },
      rule_files: [deployed('alerts.yaml')],
      scrape_configs: [
        { job_name: 'slipway', static_configs: [{ targets: [`127.0.0.1:${demo.env.PORT}`] }] },
      ],
    }),
  )
  const port = await freePort()
  const child = spawn(
    'prometheus',
    [
      `--config.file=${config}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { stdio: 'ignore' },
  )
  const ended = new Promise(resolve => child.once('exit', resolve))
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
    rmSync(folder, { recursive: true, force: true })
  })
  return async (query: string): Promise<{ metric: Record<string, string> }[]> => {
    const { text } = await rawRequest(
      `http://127.0.0.1:${port}`,
      `/api/v1/query?query=${encodeURIComponent(query)}`,
    )
    const { status, data, error } = JSON.parse(text)
    if (status !== 'success') throw new Error(`${query}: ${error}`)
    return data.result
  }
}

interface Dashboard {
  panels: { targets?: { expr: string }[] }[]
}

test.skipIf(!hasPrometheus)(
  'every query of the dashboard has an answer, and no alert fires on a healthy node',
  async () => {
    execFileSync('promtool', ['check', 'rules', deployed('alerts.yaml')])
    const query = await startPrometheus()
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
