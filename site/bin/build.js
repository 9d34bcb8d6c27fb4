#!/usr/bin/env node
// Builds the pages once per version of their sources: what browsers load, and what renders pages in the service.
import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, gzip, constants as zlib } from 'node:zlib'

const site = join(dirname(fileURLToPath(import.meta.url)), '..')
const root = join(site, '..')
const dist = join(site, 'dist')
const KEPT_BUILDS = 3
const COMPRESSED = /\.(js|css|svg)$/

/**
 * The folder of the build: `files/` for browsers, `server/worker.js` for the service, and `manifest.json`. Its name contains
 * the hash of the sources, and a finished build is never changed, so any number of processes can build at once.
 */
export async function buildSite() {
  const folder = join(dist, hashSources())
  if (existsSync(folder)) return folder
  mkdirSync(dist, { recursive: true })
  const half = mkdtempSync(join(dist, '.half-'))
  try {
    const manifest = await bundle(half)
    await compress(join(half, 'files'))
    writeFileSync(join(half, 'manifest.json'), JSON.stringify(manifest))
    // A temporary folder is private, but the user that starts the service may not be the one that installed it.
    chmodSync(half, 0o755)
    renameSync(half, folder)
  } catch (error) {
    rmSync(half, { recursive: true, force: true })
    // Another process may have been faster.
    if (!existsSync(folder)) throw error
  }
  removeOld()
  return folder
}

async function bundle(half) {
  const { build } = await import('vite')
  const common = {
    root: site,
    configFile: false,
    envDir: false,
    publicDir: false,
    mode: 'production',
    logLevel: 'warn',
    define: { 'process.env.NODE_ENV': '"production"' },
  }
  const browser = build({
    ...common,
    // Files refer to each other by relative URLs, so that the service may be published below any path.
    base: './',
    resolve: { conditions: ['slipway-source', 'module', 'browser', 'production'] },
    build: {
      outDir: join(half, 'files'),
      assetsDir: '',
      assetsInlineLimit: 0,
      manifest: 'vite.json',
      modulePreload: { polyfill: false },
      // One file: every page shares most of it, and a second request would cost more than it saves.
      cssCodeSplit: false,
      target: ['chrome123', 'edge123', 'firefox121', 'safari17.5'],
      rolldownOptions: { onwarn, input: { site: 'src/browser.tsx', theme: 'src/theme.ts' } },
    },
  })
  const server = build({
    ...common,
    // One file: it loads faster than hundreds, and needs no packages where it runs.
    ssr: {
      noExternal: true,
      target: 'node',
      resolve: { conditions: ['slipway-source', 'module', 'node', 'production'] },
    },
    build: {
      ssr: 'src/server/worker.tsx',
      outDir: join(half, 'server'),
      target: 'node20',
      minify: false,
      rolldownOptions: { onwarn },
    },
  })
  await Promise.all([browser, server])
  const entries = JSON.parse(readFileSync(join(half, 'files/vite.json'), 'utf8'))
  rmSync(join(half, 'files/vite.json'))
  const icon = readFileSync(join(site, 'src/icon.svg'))
  const iconName = `icon-${createHash('sha256').update(icon).digest('base64url').slice(0, 8)}.svg`
  writeFileSync(join(half, 'files', iconName), icon)
  const names = readdirSync(join(half, 'files'))
  const one = pattern => names.find(name => pattern.test(name))
  return {
    script: entries['src/browser.tsx'].file,
    themeScript: entries['src/theme.ts'].file,
    icon: iconName,
    styles: names.filter(name => name.endsWith('.css')),
    fonts: [one(/-latin-wght-normal-.*\.woff2$/)],
  }
}

/** Directives for other frameworks mean nothing here. */
function onwarn(warning, warn) {
  if (warning.code !== 'MODULE_LEVEL_DIRECTIVE') warn(warning)
}

/** Compresses once, as well as possible, so that no request has to. */
async function compress(folder) {
  const names = readdirSync(folder).filter(name => COMPRESSED.test(name))
  await Promise.all(
    names.map(async name => {
      const bytes = readFileSync(join(folder, name))
      const params = { [zlib.BROTLI_PARAM_QUALITY]: 11, [zlib.BROTLI_PARAM_SIZE_HINT]: bytes.length }
      const [br, gz] = await Promise.all([
        promisify(brotliCompress)(bytes, { params }),
        promisify(gzip)(bytes, { level: 9 }),
      ])
      writeFileSync(join(folder, `${name}.br`), br)
      writeFileSync(join(folder, `${name}.gz`), gz)
    }),
  )
}

function hashSources() {
  const hash = createHash('sha256')
  const add = file => hash.update(`${file}\0`).update(readFileSync(join(root, file)))
  for (const folder of ['site/src', 'client/src']) {
    if (!existsSync(join(root, folder))) continue
    for (const name of readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).sort())
      if (/\.(tsx?|css|svg)$/.test(name) && !/\.test\.tsx?$/.test(name)) add(join(folder, name))
  }
  add('site/bin/build.js')
  add('site/package.json')
  // The packages that are bundled.
  if (existsSync(join(root, 'package-lock.json'))) add('package-lock.json')
  return hash.digest('hex').slice(0, 16)
}

function removeOld() {
  const builds = readdirSync(dist)
    .map(name => ({
      path: join(dist, name),
      ms: statSync(join(dist, name), { throwIfNoEntry: false })?.mtimeMs ?? 0,
    }))
    .sort((a, b) => b.ms - a.ms)
  for (const { path } of builds.slice(KEPT_BUILDS)) rmSync(path, { recursive: true, force: true })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = await buildSite()
  // The service that runs this as a process of its own reads the folder from here.
  process.send?.({ folder })
}
