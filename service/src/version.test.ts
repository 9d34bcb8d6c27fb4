import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

test('all workspaces, the lock file, the changelog and the security policy have one version', () => {
  const { version, workspaces } = JSON.parse(read('package.json')) as {
    version: string
    workspaces: string[]
  }
  const versions = Object.fromEntries(
    workspaces.map(folder => [folder, JSON.parse(read(`${folder}/package.json`)).version]),
  )
  expect(versions).toEqual(Object.fromEntries(workspaces.map(folder => [folder, version])))
  const { packages } = JSON.parse(read('package-lock.json'))
  for (const folder of ['', ...workspaces])
    expect([folder, packages[folder].version]).toEqual([folder, version])
  expect(/^## \[(\d+\.\d+\.\d+)\]/m.exec(read('CHANGELOG.md'))?.[1]).toBe(version)
  expect(read('SECURITY.md')).toContain(`| ${version.replace(/\.\d+$/, '.x')} | yes |`)
})
