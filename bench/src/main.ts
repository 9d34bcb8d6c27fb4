import { benchListings } from './bench-listings.ts'
import { answerCalls, usage } from './child.ts'
import { generateLoad } from './load.ts'
import { serveRaw } from './serve-raw.ts'
import { serveSlipway } from './serve-slipway.ts'

const BENCHES: Record<string, (args: string[]) => Promise<void>> = { listings: benchListings }

const [name, ...args] = process.argv.slice(2)
if (name === 'child') answerCalls({ serveRaw, serveSlipway, generateLoad, usage })
else if (name !== undefined && BENCHES[name]) await BENCHES[name](args)
else for (const bench of Object.values(BENCHES)) await bench([])
