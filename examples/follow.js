// Prints the price of a launch as it moves, without polling.
// Start the service with `LOCAL_CHAIN_ACTIVITY=on npm start`, then run: node examples/follow.js [genesis address]
import { setTimeout as sleep } from 'node:timers/promises'
import { createSlipway, formatAmount } from '@slipway/client'

const slipway = createSlipway({ url: process.env.SLIPWAY_URL ?? 'http://localhost:8080' })
const address = process.argv[2] ?? (await findLiveLaunch())
await show('now')

// The service reports that the launch has changed, and we read its figures. The client reconnects when it has to, and
// misses nothing. After `reset`, events may be missing; the figures are read again either way.
const onStatus = (status, error) =>
  error && console.log(`${status}: ${error.cause?.message ?? error.message}`)
let isWaiting = false
for await (const { type } of slipway.events({ address }, { onStatus })) {
  // A busy launch has many events, and the service computes its figures at most once a second.
  if (isWaiting) continue
  isWaiting = true
  sleep(1_000).then(() => {
    isWaiting = false
    return show(type)
  })
}

async function show(event) {
  const { current, quoteDecimals } = await slipway.launches.activity(address)
  // Until the launch has been read from the chain for the first time.
  if (!current) return console.log('no figures yet')
  const { price, raised, progress } = current
  const share = progress === null ? '' : `  ${(progress * 100).toFixed(2)} %`
  const quote = formatAmount(raised, quoteDecimals)
  console.log(
    `${new Date().toISOString()}  ${event.padEnd(17)} price ${price ?? 'unknown'}  raised ${quote}${share}`,
  )
}

async function findLiveLaunch() {
  const launches = await slipway.launches.list({ status: 'live' })
  const found = launches.find(({ launch }) => launch.mechanic === 'bondingCurveV2') ?? launches[0]
  if (!found) throw new Error('No launch is live.')
  console.log(`${found.baseToken.name}, ${found.launch.genesisAddress}`)
  return found.launch.genesisAddress
}
