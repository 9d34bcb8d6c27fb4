import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const WORKSPACES = [
  'service',
  'schema',
  'launch-model',
  'client',
  'site',
  'embedded-postgres',
  'local-chain',
  'bench',
  'abuse',
]

const FEATURES = ['agents', 'creator-rewards', 'documents', 'events', 'launches', 'social', 'wallets']
/** Each layer may import those below it. Modules of one layer do not import each other, except in the last one. */
const LAYERS = [
  ['main'],
  ['commands'],
  ['boot'],
  ['app', 'demo'],
  ['http', 'indexer', ...FEATURES],
  ['owner-changes'],
  ['chain', 'endpoint', 'metadata', 'store', 'telemetry'],
  ['config', 'environment', 'lib', 'operator-error', 'shutdown'],
]
/** The modules that may import these packages. */
const RESTRICTED: Record<string, string[]> = {
  fastify: ['http', 'app', 'environment'],
  pg: ['store'],
  'drizzle-orm': ['store', 'app'],
  pino: ['telemetry'],
  'prom-client': ['telemetry'],
  // Only tests use the official clients: loading them takes most of a second.
  '@metaplex-foundation': [],
}

interface Import {
  file: string
  /** The folder or file below `service/src`, or the workspace. */
  from: string
  to: string
}

function listImports(): Import[] {
  return WORKSPACES.flatMap(workspace =>
    findSources(join(root, workspace, 'src')).flatMap(file =>
      [
        ...readFileSync(file, 'utf8').matchAll(
          /^\s*(?:import|export)\s(?:[^'"]*?\sfrom\s)?['"]([^'"]+)['"]|import\(['"]([^'"]+)['"]\)/gm,
        ),
      ].map(([, fixed, dynamic]) => {
        const target = (fixed ?? dynamic) as string
        const to = target.startsWith('.')
          ? relative(root, resolve(dirname(file), target))
          : target.replace(/^@slipway\/([\w-]+)/, '$1/src')
        return { file: relative(root, file), from: moduleOf(relative(root, file)), to }
      }),
    ),
  )
}

const TEST_HELPER = /(^|\/)testing\/|\/test-/
/** Tests and the bench compare the service with the official clients. */
const OFFICIAL_CLIENTS = /(^|\/)official-clients\//

function findSources(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(
      path => /(?<!\.test)\.tsx?$/.test(path) && !TEST_HELPER.test(path) && !OFFICIAL_CLIENTS.test(path),
    )
    .map(path => join(folder, path))
}

function moduleOf(path: string): string {
  const [workspace, , name = ''] = path.split('/')
  return workspace === 'service' ? name.replace(/\.ts$/, '') : (workspace as string)
}

const layerOf = (name: string) => LAYERS.findIndex(layer => layer.includes(name))
const describeImports = (wrong: Import[]) => wrong.map(({ file, to }) => `${file} → ${to}`)
const imports = listImports()

test('every folder of the service belongs to a layer', () => {
  const unknown = imports.filter(({ file, from }) => file.startsWith('service/') && layerOf(from) === -1)
  expect(describeImports(unknown)).toEqual([])
  expect(imports.length).toBeGreaterThan(100)
})

test('a module imports only modules of lower layers', () => {
  const last = LAYERS.length - 1
  const wrong = imports.filter(({ from, to }) => {
    const imported = moduleOf(to)
    if (!to.startsWith('service/src/') || layerOf(from) === -1 || imported === from) return false
    return layerOf(imported) <= layerOf(from) && layerOf(from) !== last
  })
  expect(describeImports(wrong)).toEqual([])
})

test('http imports no feature, and a feature imports neither http nor another feature', () => {
  const separate = ['http', ...FEATURES]
  const wrong = imports.filter(({ from, to }) => {
    const imported = moduleOf(to)
    return (
      to.startsWith('service/src/') &&
      imported !== from &&
      separate.includes(from) &&
      separate.includes(imported)
    )
  })
  expect(describeImports(wrong)).toEqual([])
})

test('only tests and attacks import test helpers, and only tests and the bench import the official clients', () => {
  const wrong = imports.filter(({ from, to }) => TEST_HELPER.test(to) && from !== 'abuse')
  expect(describeImports(wrong)).toEqual([])
  const users = imports.filter(({ to }) => OFFICIAL_CLIENTS.test(to)).map(({ from }) => from)
  expect([...new Set(users)]).toEqual(['bench'])
})

test('there are no import cycles, type-only imports included', () => {
  const targets = new Map<string, string[]>()
  for (const { file, to } of imports) targets.set(file, [...(targets.get(file) ?? []), to])
  const cycles: string[] = []
  const visited = new Set<string>()
  function visit(file: string, path: readonly string[]) {
    const at = path.indexOf(file)
    if (at >= 0) cycles.push([...path.slice(at), file].join(' → '))
    if (visited.has(file)) return
    visited.add(file)
    for (const to of targets.get(file) ?? []) visit(to, [...path, file])
  }
  for (const file of targets.keys()) visit(file, [])
  expect(cycles).toEqual([])
})

test('the schema imports no other workspace and does no I/O', () => {
  const wrong = imports.filter(
    ({ file, to }) => file.startsWith('schema/') && /^service|^bench|^node:/.test(to),
  )
  expect(describeImports(wrong)).toEqual([])
})

test('the launch model imports only the schema, and does no I/O', () => {
  const wrong = imports.filter(
    ({ file, to }) =>
      file.startsWith('launch-model/') && !/^(launch-model|schema)\/|^#sha256$|^@noble\/hashes\//.test(to),
  )
  expect(describeImports(wrong)).toEqual(['launch-model/src/bytes/sha256.node.ts → node:crypto'])
})

test('the client imports no other workspace, and a package only in its optional entries', () => {
  const wrong = imports.filter(({ from, to }) => from === 'client' && !to.startsWith('client/'))
  expect(describeImports(wrong)).toEqual([
    'client/src/kit.ts → @solana/kit',
    'client/src/umi.ts → @metaplex-foundation/umi',
    'client/src/web3js.ts → @solana/web3.js',
  ])
})

test('only the entry point reads the environment', () => {
  const readers = ['service/src', 'embedded-postgres/src']
    .flatMap(folder => findSources(join(root, folder)))
    .filter(file => readFileSync(file, 'utf8').includes('process.env'))
  // The embedded PostgreSQL passes PATH to the programs that it runs, and no other variable.
  expect(readers.map(file => relative(root, file)).sort()).toEqual([
    'embedded-postgres/src/run-as.ts',
    'service/src/main.ts',
  ])
})

test('the service loads the local chain in a thread and elsewhere uses only its ports; the local chain imports only the launch model and the schema', () => {
  const users = imports.filter(
    ({ file, to }) =>
      file.startsWith('service/') && /local-chain(\/|$)/.test(to) && to !== 'local-chain/src/ports',
  )
  expect(new Set(users.map(({ file, to }) => `${file} ${to}`))).toEqual(
    new Set([
      'service/src/boot/chains-thread.ts local-chain/src',
      'service/src/boot/start-local-chains.ts local-chain/src/rpc/http-server',
    ]),
  )
  const wrong = imports.filter(
    ({ file, to }) =>
      file.startsWith('local-chain/') &&
      /^(service|client|site|embedded-postgres|bench|abuse)(\/|$)|@slipway/.test(to),
  )
  expect(describeImports(wrong)).toEqual([])
})

test('the service builds the site in one file and otherwise knows only its messages; the site imports only the client, the launch model and the path table', () => {
  const users = imports.filter(({ file, to }) => file.startsWith('service/') && /^site(\/|$)/.test(to))
  expect(new Set(users.map(({ to }) => to))).toEqual(new Set(['site/src/protocol']))
  const folders = users.map(({ file }) => file.replace(/[^/]+$/, ''))
  expect(new Set(folders)).toEqual(new Set(['service/src/http/site/', 'service/src/boot/']))
  const builders = findSources(join(root, 'service/src')).filter(file =>
    readFileSync(file, 'utf8').includes('scripts/build-site.js'),
  )
  expect(builders.map(file => relative(root, file))).toEqual(['service/src/boot/load-site.ts'])
  const wrong = imports.filter(
    ({ file, to }) =>
      file.startsWith('site/') &&
      to !== 'schema/src/path-table' &&
      /^(service|schema|embedded-postgres|local-chain|bench|abuse)(\/|$)/.test(to),
  )
  expect(describeImports(wrong)).toEqual([])
})

test('the embedded PostgreSQL imports no other workspace, and the service opens it in one file', () => {
  const wrong = imports.filter(
    ({ file, to }) =>
      file.startsWith('embedded-postgres/') && /^(service|schema|local-chain|bench)(\/|$)/.test(to),
  )
  expect(describeImports(wrong)).toEqual([])
  const users = imports.filter(
    ({ file, to }) => file.startsWith('service/') && to.startsWith('embedded-postgres/'),
  )
  expect(users.map(({ file }) => file)).toEqual(['service/src/commands/open-store.ts'])
})

test('Fastify, the database driver, the logger and the metrics library are imported only where they belong', () => {
  const wrong = imports.filter(({ file, from, to }) => {
    const name = Object.keys(RESTRICTED).find(known => to === known || to.startsWith(`${known}/`))
    return file.startsWith('service/') && name !== undefined && !RESTRICTED[name]?.includes(from)
  })
  expect(describeImports(wrong)).toEqual([])
})

test('only test files have hooks at their top level: test files share modules, so those of a helper would run once', () => {
  const sources = WORKSPACES.flatMap(workspace =>
    readdirSync(join(root, workspace, 'src'), { recursive: true, encoding: 'utf8' })
      .filter(path => /(?<!\.test)\.ts$/.test(path))
      .map(path => join(workspace, 'src', path)),
  )
  const hook = /^(before|after)(Each|All)\(/m
  expect(sources.filter(file => hook.test(readFileSync(join(root, file), 'utf8')))).toEqual([])
})
