import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const text = readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8')
const { packages } = JSON.parse(text) as {
  packages: Record<string, { optionalDependencies?: Record<string, string>; engines?: { node?: string } }>
}

test('the lockfile has the binaries of every platform: npm ci fails where one is missing', () => {
  const missing = Object.entries(packages).flatMap(([holder, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter(
      name => !packages[`node_modules/${name}`] && !packages[`${holder}/node_modules/${name}`],
    ),
  )
  expect(missing).toEqual([])
})

test('the lockfile contains no registry host', () => {
  expect(text.match(/"resolved": "https?:[^"]*"/g) ?? []).toEqual([])
})
