import { execFileSync } from 'node:child_process'
import { chmodSync, linkSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import * as t from './testing/helpers.ts'

t.useCleanUp()

const succeeds = (program: string, ...args: string[]) => {
  try {
    execFileSync(program, args, { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
const hasNamespaces = t.isRoot && succeeds('unshare', '-U', '--map-user=65534', 'true')
const nobodyRunsNode =
  t.isRoot && succeeds('setpriv', '--reuid=65534', '--clear-groups', process.execPath, '-e', '0')

/** Puts the programs and the data in a folder that only root can enter. */
function privateSetup() {
  const folder = t.temporaryFolder(0o700)
  return {
    dataDir: t.dataDirIn(folder),
    overrides: { binaries: t.copyInstalledBinaries(folder) },
  }
}

/** Returns a PATH on which these programs exist but fail, as they can in a container. */
function pathWithFailing(...names: string[]) {
  const folder = t.temporaryFolder()
  for (const name of names) {
    writeFileSync(join(folder, name), '#!/bin/sh\necho "Operation not permitted" >&2\nexit 1\n')
    chmodSync(join(folder, name), 0o755)
  }
  return { PATH: `${folder}:${process.env.PATH}` }
}

const runsAs = ({ logs }: t.Instance) => logs.find(({ message }) => message === 'PostgreSQL started')?.runsAs
const ownerOf = (dataDir: string) => statSync(join(dataDir, 'db')).uid

describe.skipIf(!t.isRoot)('started as root', () => {
  test('in a folder that others can reach, the server runs as another user', async () => {
    const dataDir = t.dataDirIn()
    const instance = await t.startInstance({
      dataDir,
      overrides: { binaries: t.copyInstalledBinaries(t.temporaryFolder()) },
    })
    expect(runsAs(instance)).toBe(`user ${ownerOf(dataDir)}`)
    expect(ownerOf(dataDir)).not.toBe(0)
    expect(await instance.query('SELECT 1 AS n')).toEqual([{ n: 1 }])
  })

  test('in the folder of an ordinary user, the server runs as that user, which can then start it without root', async () => {
    const dataDir = t.dataDirIn()
    mkdirSync(dataDir)
    execFileSync('chown', ['65534:65534', dataDir])
    const first = await t.startInstance({ dataDir })
    await first.query('CREATE TABLE kept AS SELECT 7 AS n')
    expect(runsAs(first)).toBe('user 65534')
    await first.stop()
    if (!nobodyRunsNode) return
    const second = await t.startInstance({ dataDir, as: t.nobody })
    expect(await second.query('SELECT n FROM kept')).toEqual([{ n: 7 }])
  })

  test.skipIf(!hasNamespaces)('in a private folder, the server runs in a user namespace', async () => {
    const instance = await t.startInstance(privateSetup())
    expect(runsAs(instance)).toBe('user namespace')
    expect(await instance.query('SELECT 1 AS n')).toEqual([{ n: 1 }])
  })

  test('in a private folder without user namespaces, the server gets access to private folders', async () => {
    const setup = privateSetup()
    const instance = await t.startInstance({ ...setup, env: pathWithFailing('unshare') })
    expect(runsAs(instance)).toContain('with access to private folders')
    await instance.query('CREATE TABLE kept AS SELECT 7 AS n')
    await instance.kill()
    const next = await t.startInstance({ ...setup, env: pathWithFailing('unshare') })
    expect(await next.query('SELECT n FROM kept')).toEqual([{ n: 7 }])
  })

  test('one database can run as a different user at each start', async () => {
    const setup = privateSetup()
    const folder = join(setup.dataDir, '..')
    await t.initializedDataDir(folder)
    const owners: number[] = []
    const startAndCount = async (env: Record<string, string>) => {
      const instance = await t.startInstance({ ...setup, env })
      await instance.query('CREATE TABLE IF NOT EXISTS kept (n int); INSERT INTO kept VALUES (1)')
      const rows = await instance.query('SELECT count(*)::int AS n FROM kept')
      await instance.stop()
      owners.push(ownerOf(setup.dataDir))
      return rows
    }
    chmodSync(folder, 0o755)
    await startAndCount({})
    chmodSync(folder, 0o700)
    await startAndCount(hasNamespaces ? {} : pathWithFailing('unshare'))
    expect(await startAndCount(pathWithFailing('unshare'))).toEqual([{ n: 3 }])
    if (hasNamespaces) expect([owners[0] !== 0, owners[1] === 0, owners[2] !== 0]).toEqual([true, true, true])
  })

  test('a file of root that was hard-linked into the database keeps its owner', async () => {
    const dataDir = await t.initializedDataDir()
    const secret = join(dataDir, '../secret')
    writeFileSync(secret, 'for root alone', { mode: 0o600 })
    execFileSync('chown', ['-R', '12345', join(dataDir, 'db')])
    linkSync(secret, join(dataDir, 'db', 'linked'))
    await expect(t.open({ dataDir })).rejects.toThrow('linked has a second hard link')
    expect(statSync(secret).uid).toBe(0)
  })

  test('if nothing works, the error is one line', async () => {
    const setup = privateSetup()
    const failure = t.startInstance({ ...setup, env: pathWithFailing('unshare', 'setpriv') })
    await expect(failure).rejects.toThrow(/DATA_DIR .* cannot be used by root: .* set DATABASE_URL/)
  })
})

describe.skipIf(!nobodyRunsNode)('started as an ordinary user', () => {
  test('the server runs as this user', async () => {
    const dataDir = t.dataDirIn()
    mkdirSync(dataDir)
    execFileSync('chown', ['65534:65534', dataDir])
    const instance = await t.startInstance({ dataDir, as: t.nobody })
    expect(runsAs(instance)).toBe('this user')
    expect(await instance.query('SELECT 1 AS n')).toEqual([{ n: 1 }])
    await instance.stop()
  })

  test('a DATA_DIR that is not writable is reported in one line', async () => {
    const failure = t.startInstance({ dataDir: t.dataDirIn(), as: t.nobody })
    await expect(failure).rejects.toThrow(/DATA_DIR .* is not accessible to this user/)
  })

  test('a database that belongs to another user is reported in one line', async () => {
    const dataDir = t.dataDirIn()
    mkdirSync(join(dataDir, 'db'), { recursive: true, mode: 0o700 })
    execFileSync('chown', ['-R', '12345', join(dataDir, 'db')])
    chmodSync(dataDir, 0o777)
    const failure = t.startInstance({ dataDir, as: t.nobody })
    await expect(failure).rejects.toThrow('has a database owned by another user (id 12345)')
  })

  test.skipIf(!hasNamespaces)('a user without a passwd entry gets a database', async () => {
    const dataDir = t.dataDirIn()
    mkdirSync(dataDir)
    execFileSync('chown', ['54321:54321', dataDir])
    const as = { uid: 54321, gid: 54321 }
    const first = await t.startInstance({ dataDir, as })
    expect(runsAs(first)).toBe('user namespace')
    await first.stop()
    const second = await t.startInstance({ dataDir, as })
    expect(runsAs(second)).toBe('this user')
  })
})
