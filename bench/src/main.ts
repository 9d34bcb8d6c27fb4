import { benchListings } from './bench-listings.ts'
import { answerTasks } from './child.ts'
import { generateLoad } from './load.ts'
import { serveRaw } from './serve-raw.ts'
import { serveSlipway } from './serve-slipway.ts'

if (process.argv[2] === 'child') answerTasks({ serveRaw, serveSlipway, generateLoad })
else await benchListings()
