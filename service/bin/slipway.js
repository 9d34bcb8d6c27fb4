#!/usr/bin/env node
// Builds if the sources changed, then runs in this same process, so that signals reach the service itself.
import { join } from 'node:path'
import { buildOrExit } from './build.js'

const folder = await buildOrExit('service')
const { main } = await import(join(folder, 'main.js'))
await main(process.argv.slice(2))
