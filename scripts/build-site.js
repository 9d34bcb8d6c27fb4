#!/usr/bin/env node
// Builds the pages once per version of their sources: the files for browsers, and the renderer for the service.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, parse, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, gzip, constants as zlib } from 'node:zlib'
import { buildOnce, hashSources } from './build-once.js'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const site = join(root, 'site')
const dist = join(site, 'dist')
const KEPT_BUILDS = 3
const COMPRESSED = /\.(js|css|svg)$/

/** What the build depends on. The lock file names the packages that are bundled. */
const SOURCES = [
  'site/src',
  'client/src',
  'launch-model/src',
  'schema/src',
  'scripts/build-site.js',
  'site/package.json',
  'package-lock.json',
]

/**
 * The folder of the build: `files/` for browsers, `server/worker.js` for the service, `manifest.json` and
 * `packages.json`.
 */
export const buildSite = () =>
  buildOnce({
    dist,
    name: hashSources(root, SOURCES),
    kept: KEPT_BUILDS,
    async build(half) {
      const manifest = await bundle(half)
      await compress(join(half, 'files'))
      writeFileSync(join(half, 'manifest.json'), JSON.stringify(manifest))
    },
  })

async function bundle(half) {
  // The bundler is the site's package.
  const { build } = await import(createRequire(join(site, 'package.json')).resolve('vite'))
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
    resolve: { alias: ALIASES, conditions: ['slipway-source', 'module', 'browser', 'production'] },
    build: {
      outDir: join(half, 'files'),
      assetsDir: '',
      assetsInlineLimit: 0,
      manifest: 'vite.json',
      modulePreload: { polyfill: false },
      // One file: every page shares most of it, and a second request would cost more than it saves.
      cssCodeSplit: false,
      target: ['chrome123', 'edge123', 'firefox121', 'safari17.5'],
      rolldownOptions: {
        onwarn,
        input: { site: 'src/browser.tsx', theme: 'src/theme.ts' },
        // Few files: many small ones compress badly, and each is a request.
        output: { codeSplitting: { groups: [{ name: createGrouping(), debugName: 'common' }, SHARED] } },
      },
    },
  })
  const server = build({
    ...common,
    // One file: it loads faster than hundreds, and needs no packages where it runs.
    resolve: { alias: ALIASES },
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
  const built = await Promise.all([browser, server])
  writeFileSync(join(half, 'packages.json'), JSON.stringify(listPackages(built)))
  const entries = JSON.parse(readFileSync(join(half, 'files/vite.json'), 'utf8'))
  rmSync(join(half, 'files/vite.json'))
  const icon = copyHashed('icon.svg', half)
  const preview = copyHashed('preview.png', half)
  const names = readdirSync(join(half, 'files'))
  const one = pattern => names.find(name => pattern.test(name))
  return {
    script: entries['src/browser.tsx'].file,
    themeScript: entries['src/theme.ts'].file,
    icon,
    preview,
    styles: names.filter(name => name.endsWith('.css')),
    fonts: [one(/-latin-wght-normal-.*\.woff2$/)],
    pages: findPageScripts(entries),
    parts: Object.fromEntries(
      Object.entries(entries).flatMap(([key, { file, isDynamicEntry }]) =>
        isDynamicEntry ? [[key, file]] : [],
      ),
    ),
  }
}

/** The folders of the packages that the build contains, from the root. */
function listPackages(built) {
  const modules = built.flatMap(({ output }) => output.flatMap(({ modules = {} }) => Object.keys(modules)))
  const folders = modules.map(id => /(?<=^\0?)[^?]*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(id)?.[0])
  return [...new Set(folders.filter(Boolean).map(folder => relative(root, folder)))].sort()
}

/** Pages are written for React, and run on Preact: it does all that they need in an eighth of the bytes. */
const REPLACED = {
  react: 'preact/compat',
  'react-dom': 'preact/compat',
  'react-dom/client': 'preact/compat/client',
  'react-dom/server': 'preact-render-to-string',
  'react/jsx-runtime': 'preact/jsx-runtime',
  'react/jsx-dev-runtime': 'preact/jsx-dev-runtime',
}

/** Applies to the packages that pages use too. */
export const ALIASES = Object.entries(REPLACED).map(([name, replacement]) => ({
  find: new RegExp(`^${name}$`),
  replacement,
}))

/** Modules that several pages use. */
const SHARED = { name: 'shared', test: /[\\/]site[\\/]src[\\/](?:components|lib)[\\/]/, minShareCount: 4 }
const ENTRY = join(site, 'src/browser.tsx')

/** Names the file of everything that every page needs, for the modules that belong there. */
function createGrouping() {
  let common
  return (id, bundle) => {
    common ??= listModules(bundle, ENTRY)
    return common.has(id) ? 'common' : null
  }
}

/** A module, and those that it imports at once. */
function listModules(bundle, id, found = new Set()) {
  if (found.has(id)) return found
  found.add(id)
  for (const imported of bundle.getModuleInfo(id)?.importedIds ?? []) listModules(bundle, imported, found)
  return found
}

/** By path, the scripts that a page loads besides those of every page. */
function findPageScripts(entries) {
  const source = readFileSync(join(site, 'src/pages/find-page.ts'), 'utf8')
  const pages = [...source.matchAll(/pageAt\('([^']+)'.*?import\('\.\/([^']+)'\)/g)]
  const common = listScripts(entries, 'src/browser.tsx')
  return Object.fromEntries(
    pages.map(([, path, file]) => [
      path,
      [...listScripts(entries, `src/pages/${file}`)].filter(name => !common.has(name)),
    ]),
  )
}

/** A module's script, and those that it imports at once. */
function listScripts(entries, key, found = new Set()) {
  const { file, imports = [] } = entries[key]
  if (found.has(file)) return found
  found.add(file)
  for (const imported of imports) listScripts(entries, imported, found)
  return found
}

/** Adds a file of `src/` to what browsers load. Returns its name, which contains the hash of its content. */
function copyHashed(file, half) {
  const bytes = readFileSync(join(site, 'src', file))
  const { name, ext } = parse(file)
  const hashed = `${name}-${createHash('sha256').update(bytes).digest('base64url').slice(0, 8)}${ext}`
  writeFileSync(join(half, 'files', hashed), bytes)
  return hashed
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

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = await buildSite()
  // The service that runs this as a process of its own reads the folder from here.
  process.send?.({ folder })
}
