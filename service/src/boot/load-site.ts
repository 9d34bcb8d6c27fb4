import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { dirname, join } from 'node:path'
import type { SiteBuild, SiteFile } from '../http/site/site-build.ts'
import { findInstalled, lookForInstalled } from '../lib/find-installed.ts'
import type { Log } from '../telemetry/log.ts'

/**
 * The only place that builds and loads the site. A package contains the build; in a checkout it runs in a process of its own,
 * beside the rest of start-up. Without a build the API is still served: undefined.
 */
export async function loadSite(log: Log, signal: AbortSignal): Promise<SiteBuild | undefined> {
  try {
    const packed = lookForInstalled('site/manifest.json')
    return readBuild(packed ? dirname(packed) : await build(signal))
  } catch (error) {
    if (signal.aborted) return undefined
    log.error(
      { err: error },
      'could not build the site; only the API is served. Run "npm run build", or set SITE=off.',
    )
    return undefined
  }
}

/** Resolves with the folder of the build; an existing one is used again. */
function build(signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [findInstalled('scripts/build-site.js')], {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      signal,
      // The build needs none of the service's environment.
      env: {},
    })
    // Whatever else starts comes first.
    if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL)
    let complaints = ''
    child.stderr?.on('data', chunk => {
      complaints = (complaints + chunk).slice(-2_000)
    })
    child.on('message', ({ folder }: { folder: string }) => resolve(folder))
    child.on('error', reject)
    child.on('close', code => reject(new Error(`the build ended with code ${code}: ${complaints.trim()}`)))
  })
}

const TYPES: Record<string, string> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  woff2: 'font/woff2',
}

/** Reads all files into memory: there are a few hundred kilobytes of them. */
function readBuild(folder: string): SiteBuild {
  const files = new Map<string, SiteFile>()
  const names = readdirSync(join(folder, 'files'))
  const read = (name: string) => readFileSync(join(folder, 'files', name))
  for (const name of names) {
    const type = TYPES[name.split('.').at(-1) ?? '']
    if (type === undefined) continue
    files.set(name, {
      type,
      identity: read(name),
      ...(names.includes(`${name}.br`) && { br: read(`${name}.br`), gzip: read(`${name}.gz`) }),
    })
  }
  const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'))
  return { worker: join(folder, 'server/worker.js'), files, manifest }
}
