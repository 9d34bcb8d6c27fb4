#!/usr/bin/env node
// Builds if the sources changed, then runs in this same process, so that signals reach the service itself.
import { join } from 'node:path'
import { buildOrExit } from '../../scripts/build.js'
import { explainOpenFiles } from './open-files.js'

const problem = explainOpenFiles()
if (problem) {
  process.stderr.write(`slipway: ${problem}\n`)
  process.exit(1)
}
const folder = await buildOrExit('service')
const { main } = await import(join(folder, 'main.js'))
await main(process.argv.slice(2))
