import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { externalPackages } from './external-packages.js'

// Node 20 cannot run TypeScript, so the command is bundled first, which takes a few milliseconds.
const at = path => fileURLToPath(new URL(path, import.meta.url))
await build({
  entryPoints: [at('../local-chain/src/programs/fetch-programs-command.ts')],
  outfile: at('../local-chain/dist/chain-programs.mjs'),
  bundle: true,
  platform: 'node',
  format: 'esm',
  conditions: ['slipway-source'],
  plugins: [externalPackages],
  logLevel: 'error',
})
const { fetchProgramsCommand } = await import('../local-chain/dist/chain-programs.mjs')
process.exitCode = await fetchProgramsCommand(process.argv.slice(2), process.env)
