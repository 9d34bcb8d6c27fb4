#!/usr/bin/env node
// The entry of the package, where everything is built.
import { explainOpenFiles } from './open-files.js'

const problem = explainOpenFiles()
if (problem) {
  process.stderr.write(`slipway: ${problem}\n`)
  process.exit(1)
}
const { main } = await import('../dist/main.js')
await main(process.argv.slice(2))
