// Prints the trades and the price of a launch as they come, without polling.
// Start the service with `LOCAL_CHAIN_ACTIVITY=on npm start`, then run: node examples/follow.js [genesis address]
import { createSlipway, formatAmount } from '@slipway/client'
import './lib/report-errors.js'

const slipway = createSlipway({ url: process.env.SLIPWAY_URL ?? 'http://localhost:8080' })
const address = process.argv[2] ?? (await findBusyLaunch())
const { baseToken } = await slipway.launches.get(address)
console.log(`${baseToken.name} (${address})`)
const { current, quoteDecimals } = await slipway.launches.activity(address)
if (current) showFigures('now', current, quoteDecimals)

// Each event carries what has changed. The client reconnects when it has to, and continues after the last event.
// After `reset`, events may be missing. Trades are sent only to those who name their type.
const types = ['launch.trade', 'launch.moved', 'launch.graduated', 'launch.hidden']
const onStatus = (status, error) => error && console.log(`${status}: ${error.message}`)
for await (const event of slipway.events({ address, types }, { onStatus })) {
  if (event.type === 'launch.hidden') break
  if (event.trade) showTrade(event)
  else if (event.figures) showFigures(event.type, event.figures, event.quoteDecimals)
  else print(event.type, '')
}
console.log('The launch is no longer listed.')

function showTrade({ trade, quoteDecimals, baseDecimals }) {
  const { kind, wallet, baseAmount, quoteAmount, price } = trade
  const tokens = `${formatAmount(baseAmount, baseDecimals)} ${baseToken.symbol}`
  const each = price === null ? '' : `, ${price} SOL each`
  print(kind, `${wallet}: ${tokens}, ${formatAmount(quoteAmount, quoteDecimals)} SOL${each}`)
}

function showFigures(event, { price, raised, progress }, quoteDecimals) {
  const share = progress === null ? '' : `, ${(progress * 100).toFixed(2)} % sold`
  print(event, `${price ?? 'no price yet'} SOL, raised ${formatAmount(raised, quoteDecimals)} SOL${share}`)
}

function print(event, text) {
  console.log(`${new Date().toLocaleTimeString()}  ${event.padEnd(16)}  ${text}`)
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
