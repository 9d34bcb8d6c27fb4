import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { rawRequest } from './raw-request.ts'
import { freePort } from './run-slipway.ts'

export const hasPrometheus = spawnSync('prometheus', ['--version']).status === 0

type Query = (query: string) => Promise<{ metric: Record<string, string> }[]>

/**
 * A Prometheus that reads a node every second, with these rules. Returns a function that queries it. It ends with the
 * test.
 */
export async function startPrometheus(nodeUrl: string, rules: string): Promise<Query> {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-prometheus-'))
  const [config, ruleFile] = [join(folder, 'prometheus.yml'), join(folder, 'rules.yaml')]
  writeFileSync(ruleFile, rules)
  writeFileSync(
    config,
    JSON.stringify({
      global: { scrape_interval: '1s', evaluation_interval: '1s' },
      rule_files: [ruleFile],
      scrape_configs: [{ job_name: 'slipway', static_configs: [{ targets: [new URL(nodeUrl).host] }] }],
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
  return async query => {
    const { text } = await rawRequest(
      `http://127.0.0.1:${port}`,
      `/api/v1/query?query=${encodeURIComponent(query)}`,
    )
    const { status, data, error } = JSON.parse(text)
    if (status !== 'success') throw new Error(`${query}: ${error}`)
    return data.result
  }
}
