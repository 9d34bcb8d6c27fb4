import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { parseConfig } from '../config.ts'
import { OperatorError } from '../operator-error.ts'
import { runCommand } from '../testing/run-command.ts'
import { createTestConnection } from '../testing/test-database.ts'
import type { CommandContext } from './command-context.ts'
import { COMMANDS } from './definitions.ts'
import { assertChangeMeant, assertStoreChosen, warnOfConnections } from './open-store.ts'
import { exampleOf } from './program.ts'

test('a node with more workers than the database has connections for says so once, at the start', async () => {
  const connection = await createTestConnection()
  const warnings: unknown[][] = []
  const warn = (...warning: unknown[]) => void warnings.push(warning)
  await warnOfConnections(connection, 1, { warn })
  expect(warnings).toEqual([])
  await warnOfConnections(connection, 1_000, { warn })
  expect(warnings).toEqual([
    [{ workers: 1_000, needed: 6_006, allowed: expect.any(Number) }, expect.stringMatching(/^this node may/)],
  ])
  // A database that can't be asked is no reason not to start.
  await warnOfConnections({ ...connection, database: 'missing' }, 1_000, { warn })
  expect(warnings).toHaveLength(1)
})

const DATABASE_URL = 'postgres://user:hunter2@db.example/slipway'

let dataDir = ''
let stated: object[] = []
beforeEach(async () => {
  stated = []
  dataDir = await mkdtemp(join(tmpdir(), 'slipway-embedded-'))
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
})

/** What PostgreSQL leaves in every database folder. */
async function leaveDatabase() {
  await mkdir(join(dataDir, 'db'))
  await writeFile(join(dataDir, 'db', 'PG_VERSION'), '18\n')
}

function contextOf({
  env = {},
  flags = [],
  typed,
}: {
  env?: Record<string, string>
  flags?: string[]
  typed?: string
}): CommandContext {
  const isTTY = typed !== undefined
  const stream = { isTTY, write: () => {} }
  return {
    config: parseConfig({ DATA_DIR: dataDir, ...env }),
    flags: new Set(flags),
    networks: { network: 'chain-mainnet' },
    output: { facts: (facts: object) => stated.push(facts) },
    host: {
      env,
      stdin: Object.assign(Readable.from(typed === undefined ? [] : [typed]), { isTTY }),
      stdout: stream,
      stderr: stream,
    },
  } as unknown as CommandContext
}

const choose = (access: 'read' | 'change', ...options: Parameters<typeof contextOf>) =>
  assertStoreChosen(contextOf(...options), access)

const NEED_NONE = ['serve', 'mcp', 'doctor', 'restore', 'version', 'card verify']

describe('without DATABASE_URL', () => {
  const needStore = COMMANDS.filter(({ name }) => !NEED_NONE.includes(name))

  test.each(needStore.map(each => [each.name, each] as const))(
    '%s creates no store if there is none',
    async (name, definition) => {
      const file = join(dataDir, 'card.json')
      await writeFile(file, JSON.stringify((await import('../agents/examples.ts')).EXAMPLE_CARD))
      const words = exampleOf(definition).replace('npx slipway ', '').replace('card.json', file).split(' ')
      const flags = definition.isChange ? ['--embedded'] : []
      const env = { DATA_DIR: join(dataDir, 'new') }
      expect(await runCommand([...words, ...flags], env)).toEqual({
        code: 1,
        stdout: '',
        stderr: `slipway: DATABASE_URL is not set, and there is no embedded store in ${env.DATA_DIR}/db. Set DATABASE_URL or DATA_DIR to the value that the service has.\n`,
      })
      expect(existsSync(env.DATA_DIR), name).toBe(false)
    },
  )

  test.each(['RPC_URL_MAINNET', 'RPC_URL_DEVNET', 'PUBLIC_URL'])(
    'a store is named and not changed while %s is set, unless --embedded names it',
    async name => {
      await leaveDatabase()
      const env = { [name]: 'https://example.com/a-key' }
      await expect(choose('change', { env })).rejects.toThrow(
        new OperatorError(
          `${name} is set, but DATABASE_URL is not. Set DATABASE_URL to the value that the service has, or add --embedded to change the embedded store in ${dataDir}/db.`,
        ),
      )
      expect(stated).toEqual([
        { store: `embedded store in ${dataDir}/db, not changed`, network: 'chain-mainnet' },
      ])
      await choose('change', { env, flags: ['embedded'] })
      await choose('read', { env })
    },
  )

  test('an existing store can be chosen', async () => {
    await leaveDatabase()
    await choose('read', {})
    await choose('change', {})
  })
})

describe('a store that no running service uses', () => {
  test('is changed with --embedded, and otherwise only after a yes', async () => {
    await assertChangeMeant(contextOf({ flags: ['embedded'] }))
    for (const typed of ['y\n', 'Yes\n']) await assertChangeMeant(contextOf({ typed }))
    // The last one is the end of the input, without an answer.
    for (const typed of ['n\n', '\n', 'maybe\n', ''])
      await expect(assertChangeMeant(contextOf({ typed }))).rejects.toThrow('Nothing was changed.')
  })

  test('is not changed without a terminal to ask at', async () => {
    await expect(assertChangeMeant(contextOf({}))).rejects.toThrow(
      new OperatorError(
        `DATABASE_URL is not set, and no running service uses the embedded store in ${dataDir}/db. Set DATABASE_URL to the value that the service has, or add --embedded to change the embedded store.`,
      ),
    )
  })
})

test('--embedded and DATABASE_URL together are refused', async () => {
  await expect(choose('change', { env: { DATABASE_URL }, flags: ['embedded'] })).rejects.toThrow(
    '--embedded and DATABASE_URL name different stores.',
  )
  await choose('change', { env: { DATABASE_URL } })
})
