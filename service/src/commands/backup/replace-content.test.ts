import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import fs from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { runCommand } from '../../testing/run-command.ts'
import {
  buildingPrefix,
  type Files,
  isRestoreUnsettled,
  replaceContent,
  settleRestore,
} from './replace-content.ts'

const OLD = { 'chain/1.journal': 'old', 'db/PG_VERSION': 'old', 'demo.json': 'old', 'old-only': 'old' }
const NEW = { 'chain/1.journal': 'new', 'db/PG_VERSION': 'new', 'demo.json': 'new', 'new-only': 'new' }

function makeDataDir(): string {
  const dataDir = mkdtempSync(join(tmpdir(), 'slipway-replace-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  return dataDir
}

function fill(folder: string, content: Record<string, string>) {
  for (const [path, text] of Object.entries(content)) {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}

/** A DATA_DIR with the old content, and a complete folder in it with the new content. */
function prepare(earlier: Record<string, string> = OLD) {
  const dataDir = makeDataDir()
  const restored = join(dataDir, `${buildingPrefix()}abc`)
  mkdirSync(restored)
  fill(dataDir, earlier)
  fill(restored, NEW)
  return { dataDir, restored }
}

/** What the service would see, and the names of everything else. */
function look(dataDir: string) {
  const content: Record<string, string> = {}
  const others: string[] = []
  for (const top of readdirSync(dataDir, { withFileTypes: true })) {
    const path = join(dataDir, top.name)
    if (/^(\.|replaced-)/.test(top.name)) others.push(top.name)
    else if (top.isFile()) content[top.name] = readFileSync(path, 'utf8')
    else
      for (const name of readdirSync(path))
        content[`${top.name}/${name}`] = readFileSync(join(path, name), 'utf8')
  }
  return { content, others }
}

/** Files on which the call with this number, and every later one, never happens: as if the process had been killed before it. */
function killBefore(call: number) {
  let calls = 0
  let onKilled = () => {}
  const killed = new Promise<'killed'>(resolve => {
    onKilled = () => resolve('killed')
  })
  const files = new Proxy(fs, {
    get: (target, name: keyof Files) =>
      calls++ < call
        ? target[name]
        : () => {
            onKilled()
            return new Promise(() => {})
          },
  }) as Files
  return { files, killed }
}

/** Throws unless DATA_DIR has exactly the old or the new content, as the message says. */
function assertSettled(dataDir: string, message: string | undefined): 'old' | 'new' {
  const { content, others } = look(dataDir)
  if (message?.includes('is now complete')) {
    expect(content).toEqual(NEW)
    expect(others).toEqual([expect.stringMatching(/^replaced-\d+$/)])
    expect(message).toContain(others[0])
    expect(look(join(dataDir, others[0] as string)).content).toEqual(OLD)
    return 'new'
  }
  expect(message).toContain('before it changed anything')
  expect({ content, others }).toEqual({ content: OLD, others: [] })
  return 'old'
}

test('wherever a restore and the starts after it are killed, the next start has the old or the new content and says which', async () => {
  const outcomes: string[] = []
  for (let call = 0; ; call += 1) {
    const { dataDir: killedDir, restored } = prepare()
    const { files, killed } = killBefore(call)
    const outcome = await Promise.race([replaceContent(killedDir, restored, files), killed])
    if (outcome !== 'killed') break
    for (let later = 0; ; later += 1) {
      const dataDir = makeDataDir()
      cpSync(killedDir, dataDir, { recursive: true })
      const again = killBefore(later)
      const settled = await Promise.race([settleRestore(dataDir, again.files), again.killed])
      const message = settled === 'killed' ? await settleRestore(dataDir) : settled
      // The start was killed after its last change.
      if (message === undefined) expect([OLD, NEW]).toContainEqual(look(dataDir).content)
      else outcomes.push(assertSettled(dataDir, message))
      expect(await settleRestore(dataDir)).toBeUndefined()
      if (settled !== 'killed') break
    }
  }
  expect(new Set(outcomes)).toEqual(new Set(['old', 'new']))
  // One for each of the eight moves, two for the restored folder, and two for the folder of the earlier content and its own removal.
  expect(outcomes.length).toBeGreaterThan(12)
})

test('an empty DATA_DIR gets all of the content or none', async () => {
  for (let call = 0; ; call += 1) {
    const { dataDir, restored } = prepare({})
    const { files, killed } = killBefore(call)
    if ((await Promise.race([replaceContent(dataDir, restored, files), killed])) !== 'killed') break
    const message = await settleRestore(dataDir)
    expect(look(dataDir)).toEqual({ content: message?.includes('complete') ? NEW : {}, others: [] })
  }
})

test('if the earlier content cannot be moved, it is back', async () => {
  const { dataDir, restored } = prepare()
  const rename = (from: string, to: string) =>
    from.endsWith('/old-only') ? Promise.reject(new Error('disk error')) : fs.rename(from, to)
  await expect(replaceContent(dataDir, restored, { ...fs, rename } as Files)).rejects.toThrow(
    `DATA_DIR ${dataDir} cannot be replaced: disk error`,
  )
  expect(look(dataDir)).toEqual({ content: OLD, others: [] })
})

/** A restore that was killed while it moved the new content in, by a process that may still run. */
async function killWhileMovingIn(pid = process.pid, time = Date.now()) {
  const { dataDir, restored } = prepare()
  const { files, killed } = killBefore(9)
  await Promise.race([replaceContent(dataDir, restored, files), killed])
  const [name = ''] = readdirSync(dataDir).filter(each => each.startsWith('.moving-in-'))
  const earlier = /\d+/.exec(name)?.[0]
  renameSync(join(dataDir, name), join(dataDir, `.moving-in-${time}-${pid}`))
  renameSync(join(dataDir, `replaced-${earlier}`), join(dataDir, `replaced-${time}`))
  return dataDir
}

test('a restore that still runs is left alone, unless it began too long ago for that', async () => {
  const running = await killWhileMovingIn(process.ppid)
  await expect(settleRestore(running)).rejects.toThrow(`is about to finish (process ${process.ppid})`)
  const old = await killWhileMovingIn(process.ppid, Date.now() - 120_000)
  const building = join(old, `.restoring-${process.ppid}-abc`)
  mkdirSync(building)
  expect(await settleRestore(old)).toContain('is now complete')
  expect(existsSync(building)).toBe(true)
})

test('what can not be settled stays as it is, and the error says so', async () => {
  const dataDir = await killWhileMovingIn()
  const before = look(dataDir)
  const refusing = { ...fs, rename: () => Promise.reject(new Error('EACCES')) }
  await expect(settleRestore(dataDir, refusing)).rejects.toThrow("can't be completed: EACCES. ")
  expect(look(dataDir)).toEqual(before)
  expect(await settleRestore(dataDir)).toContain('is now complete')
})

test('doctor reports it and changes nothing, and any other command settles it first', async () => {
  const dataDir = await killWhileMovingIn()
  const { stdout } = await runCommand(['doctor'], { DATA_DIR: dataDir })
  expect(stdout).toMatch(
    /^FAILED +database +in-use: a restore into DATA_DIR .* has not finished\. If it was/m,
  )
  expect(await isRestoreUnsettled(dataDir)).toBe(true)
  const { stderr } = await runCommand(['backup', join(dataDir, 'backup')], { DATA_DIR: dataDir })
  expect(stderr).toMatch(/^before +A restore was interrupted and is now complete: /)
  expect(look(dataDir).content['db/PG_VERSION']).toBe('new')
})
