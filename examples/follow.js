// Prints the price of a launch as it moves, without polling.
// Start the service with `LOCAL_CHAIN_ACTIVITY=on npm start`, then run: node examples/follow.js [genesis address]
import { setTimeout as sleep } from 'node:timers/promises'

const service = process.env.SLIPWAY_URL ?? 'http://localhost:8080'
const address = process.argv[2] ?? (await findLiveLaunch())
await show('now')

// The service reports that the launch has changed, and we read the figures. Connections end now and then, for example
// when a node restarts: with the id of the last event, nothing is missed.
let lastEventId = ''
let retryMs = 2_000
for (;;) {
  try {
    await follow()
  } catch (error) {
    console.log(`disconnected: ${error.cause?.message ?? error.message}`)
  }
  await sleep(retryMs)
}

async function follow() {
  const headers = lastEventId ? { 'Last-Event-ID': lastEventId } : {}
  const response = await fetch(`${service}/v1/events?address=${address}`, { headers })
  if (!response.ok) throw new Error(`${response.status} ${(await response.json()).error.message}`)
  let text = ''
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    // Blocks of lines, each followed by an empty line. The last one may be incomplete.
    const blocks = (text + chunk).split('\n\n')
    text = blocks.pop()
    for (const block of blocks) {
      const fields = Object.fromEntries(block.split('\n').map(line => line.split(/: ?(.*)/, 2)))
      lastEventId = fields.id ?? lastEventId
      retryMs = Number(fields.retry ?? retryMs)
      // `reset` means that events may be missing. The figures are read again either way.
      if (fields.event) await show(fields.event)
    }
  }
}

async function show(event) {
  const { current, quoteDecimals } = await get(`/v1/launches/${address}/activity`)
  const { price, raised, progress } = current
  const share = progress === null ? '' : `  ${(progress * 100).toFixed(2)} %`
  const quote = Number(raised) / 10 ** quoteDecimals
  console.log(
    `${new Date().toISOString()}  ${event.padEnd(17)} price ${price ?? 'unknown'}  raised ${quote}${share}`,
  )
}

async function findLiveLaunch() {
  const launches = await get('/v1/launches?status=live')
  const found = launches.find(({ launch }) => launch.mechanic === 'bondingCurveV2') ?? launches[0]
  if (!found) throw new Error('No launch is live.')
  console.log(`${found.baseToken.name}, ${found.launch.genesisAddress}`)
  return found.launch.genesisAddress
}

async function get(path) {
  const response = await fetch(service + path)
  const { data, error } = await response.json()
  if (error) throw new Error(`${response.status} ${error.message}`)
  return data
}
