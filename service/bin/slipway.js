#!/usr/bin/env node
// From a checkout: builds what changed, then runs it in this very process, so that signals reach the service itself.
import { existsSync } from 'node:fs'

if (existsSync(new URL('../src/main.ts', import.meta.url))) {
  const { buildEntry } = await import('./build.js')
  await buildEntry('service/src/main.ts', 'service/dist')
}
const { main } = await import('../dist/main.js')
await main(process.argv.slice(2))
