import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readlinkSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import * as t from './testing/helpers.ts'

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

/** Programs and data in a folder that only root can enter. */
function privateSetup() {
  const folder = t.temporary(0o700)
  return {
    dataDir: t.dataDirIn(folder),
    places: { native: t.copyOfBinaries(folder), systemFolder: join(folder, 'none') },
  }
}

/** A PATH on which these programs exist and are refused, as in a container. */
function pathWithout(...names: string[]) {
  const folder = t.temporary()
  for (const name of names) {
    writeFileSync(join(folder, name), '#!/bin/sh\necho "Operation not permitted" >&2\nexit 1\n')
    chmodSync(join(folder, name), 0o755)
  }
  return { PATH: `${folder}:${process.env.PATH}` }
}

const runsAs = ({ logs }: t.Instance) => logs.find(({ message }) => message === 'PostgreSQL started')?.runsAs
const ownerOf = (dataDir: string) => statSync(join(dataDir, 'db')).uid

describe.skipIf(!t.isRoot)('root', () => {
  test('in a reachable folder runs the server as another user', async () => {
    const dataDir = t.dataDirIn()
    const instance = await t.startInstance({ dataDir, places: { native: t.copyOfBinaries(t.temporary()) } })
    expect(runsAs(instance)).toBe(`user ${ownerOf(dataDir)}`)
    expect(ownerOf(dataDir)).not.toBe(0)
    expect(await instance.query('SELECT 1 AS n')).toEqual([{ n: 1 }])
  })

  test('in the folder of an ordinary user runs the server as that user, who can go on alone', async () => {
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

  test.skipIf(!hasNamespaces)('in a private folder runs it in a user namespace', async () => {
    const instance = await t.startInstance(privateSetup())
    expect(runsAs(instance)).toBe('user namespace')
    expect(await instance.query('SELECT 1 AS n')).toEqual([{ n: 1 }])
  })

  test('in a private folder without user namespaces lends it access to private folders', async () => {
    const setup = privateSetup()
    const instance = await t.startInstance({ ...setup, env: pathWithout('unshare') })
    expect(runsAs(instance)).toContain('with access to private folders')
    await instance.query('CREATE TABLE kept AS SELECT 7 AS n')
    await instance.kill()
    const next = await t.startInstance({ ...setup, env: pathWithout('unshare') })
    expect(await next.query('SELECT n FROM kept')).toEqual([{ n: 7 }])
  })

  test('may run one database in a different way at each start', async () => {
    const setup = privateSetup()
    const folder = join(setup.dataDir, '..')
    const owners: number[] = []
    const go = async (env: Record<string, string>) => {
      const instance = await t.startInstance({ ...setup, env })
      await instance.query('CREATE TABLE IF NOT EXISTS kept (n int); INSERT INTO kept VALUES (1)')
      const rows = await instance.query('SELECT count(*)::int AS n FROM kept')
      await instance.stop()
      owners.push(ownerOf(setup.dataDir))
      return rows
    }
    chmodSync(folder, 0o755)
    await go({})
    chmodSync(folder, 0o700)
    await go(hasNamespaces ? {} : pathWithout('unshare'))
    expect(await go(pathWithout('unshare'))).toEqual([{ n: 3 }])
    if (hasNamespaces) expect([owners[0] !== 0, owners[1] === 0, owners[2] !== 0]).toEqual([true, true, true])
  })

  test('gives away no file of its own that somebody linked into the database', async () => {
    const dataDir = await t.madeDataDir()
    const secret = join(dataDir, '../secret')
    writeFileSync(secret, 'for root alone', { mode: 0o600 })
    execFileSync('chown', ['-R', '12345', join(dataDir, 'db')])
    linkSync(secret, join(dataDir, 'db', 'linked'))
    await expect(t.open({ dataDir })).rejects.toThrow('linked has a second name')
    expect(statSync(secret).uid).toBe(0)
  })

  test('with no other way keeps programs and data in the system folder, with a link', async () => {
    const setup = privateSetup()
    const systemFolder = join(t.temporary(), 'lib')
    const places = { ...setup.places, systemFolder }
    const env = pathWithout('unshare', 'setpriv')
    const first = await t.startInstance({ ...setup, places, env })
    await first.query('CREATE TABLE kept AS SELECT 7 AS n')
    expect(lstatSync(join(setup.dataDir, 'db')).isSymbolicLink()).toBe(true)
    await first.stop()
    const second = await t.startInstance({ ...setup, places, env })
    expect(await second.query('SELECT n FROM kept')).toEqual([{ n: 7 }])
    await second.stop()
    // Killed before the link was made: the database is found again, not made anew.
    const db = readlinkSync(join(setup.dataDir, 'db'))
    unlinkSync(join(setup.dataDir, 'db'))
    const third = await t.startInstance({ ...setup, places, env })
    expect(await third.query('SELECT n FROM kept')).toEqual([{ n: 7 }])
    await third.stop()
    // A container whose system folder is gone: never an empty database in place of the lost one.
    rmSync(db, { recursive: true })
    await expect(t.startInstance({ ...setup, places, env })).rejects.toThrow('that folder is gone')
  })

  test('that can do nothing gets one clear line', async () => {
    const setup = privateSetup()
    const places = { ...setup.places, systemFolder: '/dev/null' }
    const failure = t.startInstance({ ...setup, places, env: pathWithout('unshare', 'setpriv') })
    await expect(failure).rejects.toThrow(/DATA_DIR .* cannot be used by root: .* set DATABASE_URL/)
  })
})

describe.skipIf(!nobodyRunsNode)('an ordinary user', () => {
  test('runs the server as itself', async () => {
    const dataDir = t.dataDirIn()
    mkdirSync(dataDir)
    execFileSync('chown', ['65534:65534', dataDir])
    const instance = await t.startInstance({ dataDir, as: t.nobody })
    expect(runsAs(instance)).toBe('this user')
    expect(await instance.query('SELECT 1 AS n')).toEqual([{ n: 1 }])
    await instance.stop()
  })

  test('is told of a DATA_DIR it cannot write', async () => {
    const failure = t.startInstance({ dataDir: t.dataDirIn(), as: t.nobody })
    await expect(failure).rejects.toThrow(/DATA_DIR .* is not accessible to this user/)
  })

  test('is told of a database that root made for another user', async () => {
    const dataDir = t.dataDirIn()
    mkdirSync(join(dataDir, 'db'), { recursive: true, mode: 0o700 })
    execFileSync('chown', ['-R', '12345', join(dataDir, 'db')])
    chmodSync(dataDir, 0o777)
    const failure = t.startInstance({ dataDir, as: t.nobody })
    await expect(failure).rejects.toThrow('has a database owned by another user (id 12345)')
  })

  test.skipIf(!hasNamespaces)('without a passwd entry still gets a database', async () => {
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
