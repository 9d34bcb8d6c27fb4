#!/usr/bin/env node
// Bundles the service (or the benchmarks) into plain JavaScript. Takes a moment, so it runs at every start.
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = join(dirname(fileURLToPath(import.meta.url)), '../..')

export async function buildEntry(entry, outdir) {
  await build({
    absWorkingDir: root,
    entryPoints: [entry],
    outdir,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    sourcemap: true,
    logLevel: 'warning',
    plugins: [externalPackages],
  })
}

/** Everything from npm stays outside of the bundle; the workspaces, which are TypeScript, go in. */
const externalPackages = {
  name: 'external-packages',
  setup({ onResolve }) {
    onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
      kind === 'entry-point' || path.startsWith('@slipway/') ? undefined : { path, external: true },
    )
  },
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await buildEntry('service/src/main.ts', 'service/dist')
  // Beside the service, so that what it looks for around itself is found.
  if (process.argv[2] === 'bench') await buildEntry('bench/src/main.ts', 'service/dist/bench')
}
