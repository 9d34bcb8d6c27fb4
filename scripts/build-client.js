// Builds the client: plain JavaScript for Node, browsers and other runtimes, and declarations for the published
// package.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { hashSources } from './build-once.js'

const client = join(dirname(fileURLToPath(import.meta.url)), '../client')
const dist = join(client, 'dist')
const ENTRIES = ['main', 'kit', 'umi', 'web3js']

/** Builds the JavaScript, unless the sources are those that were built last. */
export async function buildClient() {
  const version = hashSources(client, ['src'])
  if (readVersion() === version) return
  const { build, stop } = await import('esbuild')
  mkdirSync(dist, { recursive: true })
  const half = mkdtempSync(join(dist, '.half-'))
  try {
    await build({
      absWorkingDir: client,
      entryPoints: ENTRIES.map(name => `src/${name}.ts`),
      outdir: half,
      bundle: true,
      splitting: true,
      packages: 'external',
      format: 'esm',
      target: 'es2022',
      sourcemap: true,
      // The sources are published beside it.
      sourcesContent: false,
      logLevel: 'warning',
    })
    // Shared parts are written first, because an entry must never exist without them.
    const names = readdirSync(half).sort((a, b) => Number(isEntry(a)) - Number(isEntry(b)))
    for (const name of names) renameSync(join(half, name), join(dist, name))
    writeFileSync(join(dist, '.version'), version)
    for (const name of readdirSync(dist))
      if (name.startsWith('chunk-') && !names.includes(name)) rmSync(join(dist, name))
    // esbuild's process would otherwise run as long as ours.
    await stop()
  } finally {
    rmSync(half, { recursive: true, force: true })
  }
}

/** Builds the JavaScript and the declarations. */
async function buildPublishedClient() {
  await buildClient()
  const typescript = dirname(createRequire(import.meta.url).resolve('typescript/package.json'))
  execFileSync(process.execPath, [join(typescript, 'bin/tsc'), '-p', client], { stdio: 'inherit' })
  const names = readdirSync(dist, { recursive: true, encoding: 'utf8' })
  for (const name of names.filter(name => name.endsWith('.d.ts'))) {
    const path = join(dist, name)
    // A declaration names the JavaScript beside it.
    writeFileSync(path, readFileSync(path, 'utf8').replace(/(['"]\.{1,2}\/[^'"]*)\.ts(?=['"])/g, '$1.js'))
  }
}

const isEntry = name => ENTRIES.some(entry => name.startsWith(`${entry}.`))

function readVersion() {
  try {
    return readFileSync(join(dist, '.version'), 'utf8')
  } catch {
    return undefined
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await (process.argv[2] === 'published' ? buildPublishedClient() : buildClient())
}
