// Prints the price of a launch as it moves, without polling.
// Start the service with `LOCAL_CHAIN_ACTIVITY=on npm start`, then run: node examples/follow.js [genesis address]
import { createSlipway, formatAmount, SlipwayError } from '@slipway/client'
import './lib/report-errors.js'

const slipway = createSlipway({ url: process.env.SLIPWAY_URL ?? 'http://localhost:8080' })
const address = process.argv[2] ?? (await findBusyLaunch())
const { baseToken } = await slipway.launches.get(address)
console.log(`${baseToken.name} (${address})`)
await show('now')

// The service reports that the launch has changed, and we read its figures. The client reconnects when it has to, and
// continues after the last event. After `reset`, events may be missing; the figures are read again either way.
const onStatus = (status, error) => error && console.log(`${status}: ${error.message}`)
for await (const { type } of slipway.events({ address }, { onStatus })) {
  if (type === 'launch.hidden') break
  await show(type)
}
console.log('The launch is no longer listed.')

async function show(event) {
  try {
    const { current, quoteDecimals } = await slipway.launches.activity(address)
    const { price, raised, progress } = current
    const share = progress === null ? '' : `, ${(progress * 100).toFixed(2)} % sold`
    console.log(
      `${new Date().toLocaleTimeString()}  ${event.padEnd(16)}  ${price ?? 'no price yet'} SOL, raised ${formatAmount(raised, quoteDecimals)} SOL${share}`,
    )
  } catch (error) {
    // The next event brings newer figures.
    if (!(error instanceof SlipwayError)) throw error
    console.log(error.message)
  }
}

/** Waits until a live launch has moved twice. */
async function findBusyLaunch() {
  console.log('Waiting for a busy launch…')
  const live = await slipway.launches.list({ status: 'live' })
  const moved = new Set()
  for await (const event of slipway.events({ types: ['launch.moved'], network: 'chain-mainnet' })) {
    if (!live.some(({ launch }) => launch.genesisAddress === event.address)) continue
    if (moved.has(event.address)) return event.address
    moved.add(event.address)
  }
}
