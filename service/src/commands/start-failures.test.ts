import { readdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PORT_OFFSETS } from '@slipway/local-chain/ports'
import { expect, onTestFinished, test } from 'vitest'
import { runCommand } from '../testing/run-command.ts'
import { freeChainPort, freePort, runSlipway } from '../testing/run-slipway.ts'

const SOCIAL_TOKEN_SECRET = 'a secret that only the tests know'

async function makeEnv() {
  const dataDir = await mkdtemp(join(tmpdir(), 'slipway-failure-'))
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
  return {
    DATA_DIR: dataDir,
    PORT: await freePort(),
    LOCAL_CHAIN_PORT: await freeChainPort(),
    SITE: 'off',
    // Progress, which a slow start logs, goes to the output of this process.
    LOG_LEVEL: 'error',
  }
}

async function occupy(port: string | number) {
  const occupant = createServer()
  onTestFinished(() => void occupant.close())
  await new Promise<void>(resolve => occupant.listen(Number(port), '127.0.0.1', resolve))
}

/** The message of the only line on standard output. */
function messageOf({ code, stdout, stderr }: { code: number | null; stdout: string; stderr: string }) {
  expect([code, stderr]).toEqual([1, ''])
  const lines = stdout
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line))
  expect(lines).toEqual([{ level: 'fatal', time: expect.any(String), msg: expect.any(String) }])
  return lines[0].msg as string
}

const failToStart = async (env: Record<string, string>) => messageOf(await runCommand(['serve'], env))

test('a process that cannot start exits with 1 after one line of JSON, also when its port was open already', async () => {
  const env = { ...(await makeEnv()), METRICS_PORT: await freePort() }
  await occupy(env.METRICS_PORT)
  expect(messageOf(await runSlipway(['serve'], env).finished)).toBe(
    `METRICS_PORT ${env.METRICS_PORT} is in use. Stop the other process, or set METRICS_PORT to another port.`,
  )
  expect(readdirSync(env.DATA_DIR)).toEqual([])
})

test.each([
  [{ PORT: 'abc' }, 'PORT must be a port number'],
  [{ DATABASE_URL: 'postgres://user:hunter2@127.0.0.1:1/x' }, 'Set RPC_URL_MAINNET or RPC_URL_DEVNET'],
  [{ LOCAL_CHAIN: 'off' }, 'Set RPC_URL_MAINNET or RPC_URL_DEVNET'],
  [
    {
      DATABASE_URL: 'postgres://user:hunter2@127.0.0.1:1/x',
      RPC_URL_MAINNET: 'https://rpc.example',
      SOCIAL_TOKEN_SECRET,
    },
    'DATABASE_URL (postgres://127.0.0.1:1/x): The database cannot be reached',
  ],
  [{ RPC_URL_MAINNET: 'https://rpc.example' }, 'SOCIAL_TOKEN_SECRET must be set'],
  [{ SOCIAL_TOKEN_SECRET: 'hunter2' }, 'SOCIAL_TOKEN_SECRET must be 32 bytes or more'],
  [{ DATA_DIR: '/proc/nowhere' }, 'DATA_DIR /proc/nowhere'],
])('%j stops start-up with one line of JSON', async (wrong, text) => {
  const message = await failToStart({ ...(await makeEnv()), ...wrong })
  expect(message).toContain(text)
  expect(message).not.toContain('hunter2')
})

test('PORT in use stops start-up with one line before anything else is started', async () => {
  const env = await makeEnv()
  await occupy(env.PORT)
  expect(await failToStart(env)).toBe(
    `PORT ${env.PORT} is in use. Stop the other process, or set PORT to another port.`,
  )
  expect(readdirSync(env.DATA_DIR)).toEqual([])
})

test.each(PORT_OFFSETS)(
  'a port in use at LOCAL_CHAIN_PORT + %i stops start-up with one line that names it, before anything else is started',
  async above => {
    const env = await makeEnv()
    const port = Number(env.LOCAL_CHAIN_PORT) + above
    await occupy(port)
    expect(await failToStart(env)).toBe(
      `Port ${port} is in use. Stop the process that listens there, or set LOCAL_CHAIN_PORT to another port n, where n, n+1, n+10, n+100 and n+101 are free.`,
    )
    expect(readdirSync(env.DATA_DIR)).toEqual([])
  },
)

test('a PORT of the embedded chains stops start-up with one line', async () => {
  const env = await makeEnv()
  const PORT = `${Number(env.LOCAL_CHAIN_PORT) + 101}`
  expect(await failToStart({ ...env, PORT })).toContain(`PORT ${PORT} is also a port of the embedded chains`)
})

test('a service that could not start no longer listens for signals', async () => {
  const counts = () => ['SIGINT', 'SIGTERM', 'SIGHUP'].map(name => process.listenerCount(name))
  const before = counts()
  const env = await makeEnv()
  await occupy(env.PORT)
  await failToStart(env)
  expect(counts()).toEqual(before)
})
