import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import fs from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { runCommand } from '../../testing/run-command.ts'
import {
  type Files,
  isRestoreUnsettled,
  replaceContent,
  restoringPrefix,
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
  const restored = join(dataDir, `${restoringPrefix()}abc`)
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

/** Runs the work once for each of its calls, which is the last that doesn't happen. */
async function killAnywhere(
  prepareNext: () => string,
  work: (dataDir: string, files: Files) => Promise<unknown>,
  check: (dataDir: string) => Promise<void>,
): Promise<number> {
  for (let call = 0; ; call += 1) {
    const dataDir = prepareNext()
    const { files, killed } = killBefore(call)
    const outcome = await Promise.race([work(dataDir, files).then(() => 'finished'), killed])
    if (outcome === 'finished') return call
    await check(dataDir)
  }
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
  expect(message).toMatch(/before it changed anything|is now undone/)
  expect({ content, others }).toEqual({ content: OLD, others: [] })
  return 'old'
}

const restoredIn = (dataDir: string) => join(dataDir, `${restoringPrefix()}abc`)

test('wherever a restore is killed, the next start has the old or the new content and says which', async () => {
  const outcomes = new Set<string>()
  const calls = await killAnywhere(
    () => prepare().dataDir,
    (dataDir, files) => replaceContent(dataDir, restoredIn(dataDir), files),
    async dataDir => {
      outcomes.add(assertSettled(dataDir, await settleRestore(dataDir)))
      expect(await settleRestore(dataDir)).toBeUndefined()
    },
  )
  // Two for each marker, one for each of the eight moves, a folder, and two removals.
  expect(calls).toBe(15)
  expect(outcomes).toEqual(new Set(['old', 'new']))
})

test('the next start can be killed as well', async () => {
  for (const call of [1, 5, 8, 12, 14]) {
    const { dataDir: killedDir, restored } = prepare()
    const { files, killed } = killBefore(call)
    await Promise.race([replaceContent(killedDir, restored, files), killed])
    const calls = await killAnywhere(
      () => {
        const dataDir = makeDataDir()
        cpSync(killedDir, dataDir, { recursive: true })
        return dataDir
      },
      settleRestore,
      async dataDir => {
        const message = await settleRestore(dataDir)
        // It was killed after its last change.
        if (message !== undefined) assertSettled(dataDir, message)
        else expect([OLD, NEW]).toContainEqual(look(dataDir).content)
      },
    )
    expect(calls).toBeGreaterThan(0)
  }
})

test('if a move fails, the old content is back, even if that is interrupted', async () => {
  /** The new database can't be moved, which is the sixth move of eight. */
  const failing = (files: Files): Files =>
    new Proxy(files, {
      get: (target, name: keyof Files) => {
        const call = target[name] as (...args: unknown[]) => Promise<unknown>
        return name !== 'rename'
          ? call
          : (from: string, to: string) =>
              from.endsWith('abc/db') ? Promise.reject(new Error('disk error')) : call(from, to)
      },
    })
  const { dataDir, restored } = prepare()
  await expect(replaceContent(dataDir, restored, failing(fs))).rejects.toThrow(
    `DATA_DIR ${dataDir} cannot be replaced: disk error`,
  )
  expect(look(dataDir)).toEqual({ content: OLD, others: [] })
  await killAnywhere(
    () => prepare().dataDir,
    (dataDir, files) => replaceContent(dataDir, restoredIn(dataDir), failing(files)).catch(() => {}),
    async dataDir => void assertSettled(dataDir, await settleRestore(dataDir)),
  )
})

test('an empty DATA_DIR gets all of the content or none', async () => {
  await killAnywhere(
    () => prepare({}).dataDir,
    (dataDir, files) => replaceContent(dataDir, restoredIn(dataDir), files),
    async dataDir => {
      const message = await settleRestore(dataDir)
      expect(look(dataDir)).toEqual({ content: message?.includes('complete') ? NEW : {}, others: [] })
    },
  )
})

/** A restore that was killed while it moved the new content in. */
async function killWhileMovingIn() {
  const { dataDir, restored } = prepare()
  const { files, killed } = killBefore(10)
  await Promise.race([replaceContent(dataDir, restored, files), killed])
  const marker = join(dataDir, '.restoring.json')
  const plan = JSON.parse(readFileSync(marker, 'utf8'))
  expect(plan.step).toBe('moving the restored content in')
  return { dataDir, restored, marker, plan }
}

test('a restore that still runs is left alone, unless its marker is too old for that', async () => {
  const { dataDir, marker, plan } = await killWhileMovingIn()
  const building = join(dataDir, `.restoring-${process.ppid}-abc`)
  mkdirSync(building)
  writeFileSync(marker, JSON.stringify({ ...plan, pid: process.ppid }))
  await expect(settleRestore(dataDir)).rejects.toThrow(`is about to finish (process ${process.ppid})`)
  const minutesAgo = Date.now() / 1_000 - 120
  utimesSync(marker, minutesAgo, minutesAgo)
  expect(await settleRestore(dataDir)).toContain('is now complete')
  expect(existsSync(building)).toBe(true)
})

test('what can not be settled stays as it is, and the error says so', async () => {
  const { dataDir } = await killWhileMovingIn()
  const before = look(dataDir)
  const refusing = { ...fs, rename: () => Promise.reject(new Error('EACCES')) }
  await expect(settleRestore(dataDir, refusing)).rejects.toThrow("can't be completed or undone: EACCES. ")
  expect(look(dataDir)).toEqual(before)
  expect(await settleRestore(dataDir)).toContain('is now complete')
})

test('if someone has deleted what was restored, nothing more is moved', async () => {
  const { dataDir, restored, plan } = await killWhileMovingIn()
  rmSync(restored, { recursive: true })
  await expect(settleRestore(dataDir)).rejects.toThrow(
    `is missing. Move the content of ${join(dataDir, plan.replaced)} back to DATA_DIR`,
  )
  expect(await isRestoreUnsettled(dataDir)).toBe(true)
})

test('doctor reports it and changes nothing, and any other command settles it first', async () => {
  const { dataDir } = await killWhileMovingIn()
  const { stdout } = await runCommand(['doctor'], { DATA_DIR: dataDir })
  expect(stdout).toMatch(
    /^FAILED +database +in-use: a restore into DATA_DIR .* has not finished\. If it was/m,
  )
  expect(await isRestoreUnsettled(dataDir)).toBe(true)
  const { stderr } = await runCommand(['backup', join(dataDir, 'backup')], { DATA_DIR: dataDir })
  expect(stderr).toMatch(/^before +A restore was interrupted and is now complete: /)
  expect(look(dataDir).content['db/PG_VERSION']).toBe('new')
})
