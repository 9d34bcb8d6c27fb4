import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** From those who know everyone to those who know nobody. Rooms on one line do not know each other. */
const FLOORS = [
  ['main'],
  ['commands'],
  ['context', 'demo'],
  ['http'],
  ['agents', 'creator-rewards', 'indexer', 'launches', 'social'],
  ['chain', 'endpoint', 'metadata', 'store'],
  ['config', 'lib', 'log', 'log-pages', 'operator-error', 'page-sink', 'shutdown'],
]
/** What only some rooms may use from outside. */
const GUARDED: Record<string, string[]> = {
  fastify: ['http', 'context', 'config'],
  pg: ['store'],
  'drizzle-orm': ['store', 'context'],
  pino: ['log'],
  // Only tests use the official clients: loading them takes most of a second.
  '@metaplex-foundation': [],
}

interface Import {
  file: string
  from: string
  to: string
}

function listImports(): Import[] {
  return ['service/src', 'schema/src', 'embedded-postgres/src', 'local-chain/src', 'bench/src'].flatMap(
    workspace =>
      findSources(join(root, workspace)).flatMap(file =>
        [
          ...readFileSync(file, 'utf8').matchAll(
            /^\s*(?:import|export)\s(?:[^'"]*?\sfrom\s)?['"]([^'"]+)['"]|import\(['"]([^'"]+)['"]\)/gm,
          ),
        ].map(([, fixed, dynamic]) => {
          const target = (fixed ?? dynamic) as string
          const to = target.startsWith('.')
            ? relative(root, resolve(dirname(file), target))
            : target.replace(/^@slipway\/([\w-]+)/, '$1/src')
          return { file: relative(root, file), from: roomOf(relative(root, file)), to }
        }),
      ),
  )
}

function findSources(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(path => /\.ts$/.test(path) && !/\.test\.ts$|^testing\/|\/test-/.test(path))
    .map(path => join(folder, path))
}

function roomOf(path: string): string {
  const [workspace, , room = ''] = path.split('/')
  return workspace === 'service' ? room.replace(/\.ts$/, '') : (workspace as string)
}

const floorOf = (room: string) => FLOORS.findIndex(floor => floor.includes(room))
const imports = listImports()

test('every room has its floor', () => {
  const homeless = imports.filter(({ file, from }) => file.startsWith('service/') && floorOf(from) === -1)
  expect(homeless.map(({ file }) => file)).toEqual([])
  expect(imports.length).toBeGreaterThan(100)
})

test('imports point downwards, and rooms on one floor do not know each other', () => {
  const wrong = imports.filter(({ from, to }) => {
    if (!to.startsWith('service/src/') || floorOf(from) === -1) return false
    const room = roomOf(to)
    const isGround = floorOf(room) === FLOORS.length - 1 && floorOf(from) === FLOORS.length - 1
    return room !== from && floorOf(room) <= floorOf(from) && !isGround
  })
  expect(wrong.map(({ file, to }) => `${file} → ${to}`)).toEqual([])
})

test('no file knows itself by way of others, not even by a type', () => {
  const known = new Map<string, string[]>()
  for (const { file, to } of imports) known.set(file, [...(known.get(file) ?? []), to])
  const circles: string[] = []
  const visited = new Set<string>()
  function visit(file: string, path: readonly string[]) {
    const at = path.indexOf(file)
    if (at >= 0) circles.push([...path.slice(at), file].join(' → '))
    if (visited.has(file)) return
    visited.add(file)
    for (const to of known.get(file) ?? []) visit(to, [...path, file])
  }
  for (const file of known.keys()) visit(file, [])
  expect(circles).toEqual([])
})

test('the schema knows nobody, and nobody but the entry reads the environment', () => {
  const outside = imports.filter(
    ({ file, to }) => file.startsWith('schema/') && /^service|^bench|^node:/.test(to),
  )
  expect(outside.map(({ file, to }) => `${file} → ${to}`)).toEqual([])
  const readers = ['service/src', 'embedded-postgres/src']
    .flatMap(workspace => findSources(join(root, workspace)))
    .filter(file => readFileSync(file, 'utf8').includes('process.env'))
  // The embedded PostgreSQL passes PATH to the programs that it runs, and no other variable.
  expect(readers.map(file => relative(root, file)).sort()).toEqual([
    'embedded-postgres/src/run-as.ts',
    'service/src/main.ts',
  ])
})

test('the local chain is known in one place; everywhere else it is an RPC URL', () => {
  const known = imports.filter(({ file, to }) => file.startsWith('service/') && /local-chain(\/|$)/.test(to))
  expect(known.map(({ file }) => file)).toEqual(['service/src/commands/start-local-chains.ts'])
  const outside = imports.filter(
    ({ file, to }) => file.startsWith('local-chain/') && /^service|@slipway/.test(to),
  )
  expect(outside.map(({ file, to }) => `${file} → ${to}`)).toEqual([])
})

test('the embedded PostgreSQL imports no other workspace, and the service opens it in one place', () => {
  const outside = imports.filter(
    ({ file, to }) =>
      file.startsWith('embedded-postgres/') && /^(service|schema|local-chain|bench)(\/|$)/.test(to),
  )
  expect(outside.map(({ file, to }) => `${file} → ${to}`)).toEqual([])
  const users = imports.filter(
    ({ file, to }) => file.startsWith('service/') && to.startsWith('embedded-postgres/'),
  )
  expect(users.map(({ file }) => file)).toEqual(['service/src/commands/open-store.ts'])
})

test('Fastify, the database driver and the logger stay in their rooms', () => {
  const wrong = imports.filter(({ file, from, to }) => {
    const name = Object.keys(GUARDED).find(guarded => to === guarded || to.startsWith(`${guarded}/`))
    return file.startsWith('service/') && name !== undefined && !GUARDED[name]?.includes(from)
  })
  expect(wrong.map(({ file, to }) => `${file} → ${to}`)).toEqual([])
})
