#!/usr/bin/env node
// Bundles TypeScript into plain JavaScript, once per version of the sources.
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildClient } from './build-client.js'
import { buildOnce, hashSources } from './build-once.js'
import { bundledPackages, COMMON_JS, externalPackages, THREADS } from './external-packages.js'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const dist = join(root, 'service/dist')
const KEPT_BUILDS = 4
const LONG_MS = 15_000

const WORKSPACES = [
  'schema',
  'launch-model',
  'client',
  'service',
  'embedded-postgres',
  'local-chain',
  'bench',
  'abuse',
]
/**
 * What the bundles contain. The service knows only the site's messages. The lock file names the packages that are
 * bundled.
 */
const SOURCES = [
  ...WORKSPACES.map(name => `${name}/src`),
  'site/src/server/protocol.ts',
  'scripts/external-packages.js',
  'package-lock.json',
]

/** The folder with the built entry. */
async function buildEntry(workspace) {
  const version = hashSources(root, SOURCES)
  try {
    return await buildOnce({
      dist,
      name: `${workspace}-${version}`,
      kept: KEPT_BUILDS,
      build: half => bundle(workspace, half),
    })
  } catch (error) {
    throw explain(error)
  }
}

async function bundle(workspace, folder) {
  const stopShowing = showBuilding()
  try {
    const { build, stop } = await import('esbuild')
    await build({
      absWorkingDir: root,
      entryPoints: [`${workspace}/src/main.ts`, ...(workspace === 'service' ? THREADS : [])],
      entryNames: '[name]',
      outdir: folder,
      bundle: true,
      splitting: true,
      format: 'esm',
      platform: 'node',
      target: 'node20',
      conditions: ['slipway-source'],
      sourcemap: true,
      logLevel: 'warning',
      ...(workspace === 'service'
        ? { plugins: [bundledPackages], banner: { js: COMMON_JS } }
        : { plugins: [externalPackages] }),
    })
    // esbuild's process would otherwise run as long as ours.
    await stop()
  } finally {
    stopShowing()
  }
}

/** A line that disappears again in a terminal; elsewhere, one only if the build takes long. */
function showBuilding() {
  const { stderr } = process
  const text = 'Building Slipway (once per version)'
  if (stderr.isTTY) {
    stderr.write(text)
    return () => stderr.write('\r\u001b[K')
  }
  const timer = setTimeout(() => stderr.write(`${text}\n`), LONG_MS)
  return () => clearTimeout(timer)
}

/** A failure that the operator can fix has a message of one line. */
function explain(error) {
  if (['EACCES', 'EPERM', 'EROFS'].includes(error.code))
    return new BuildError(
      `Slipway is not built, and this user cannot write to ${dist}. Run "npm run build" once as the user that installed Slipway.`,
    )
  if (['ENOSPC', 'EDQUOT'].includes(error.code))
    return new BuildError(
      `Slipway is not built, and ${dist} is on a full disk. Free 30 MB there, then start again.`,
    )
  if (error.code === 'ERR_MODULE_NOT_FOUND' && error.message.includes("'esbuild'"))
    return new BuildError('The packages are not installed. Run "npm ci" first.')
  return error
}

class BuildError extends Error {}

/** Builds, or prints what the operator must do and exits. */
export async function buildOrExit(workspace) {
  try {
    // The examples use it. The service runs without it, as in a read-only checkout.
    if (workspace === 'service') await buildClient().catch(() => {})
    return await buildEntry(workspace)
  } catch (error) {
    if (!(error instanceof BuildError)) throw error
    process.stderr.write(`slipway: ${error.message}\n`)
    return process.exit(1)
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , workspace = 'service', ...args] = process.argv
  const folder = await buildOrExit(workspace)
  if (workspace !== 'service') {
    // Run the built program with the remaining arguments.
    process.argv = [process.argv[0], join(folder, 'main.js'), ...args]
    await import(join(folder, 'main.js'))
  }
}
