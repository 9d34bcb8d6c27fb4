// An example that fails prints one line that says what to do, and ends with 1.
import { SlipwayError } from '@slipway/client'

process.on('uncaughtException', error => {
  console.error(explain(error))
  process.exit(1)
})

function explain(error) {
  const reason = error.cause?.code ?? error.cause?.message
  if (error instanceof SlipwayError && error.status === 0)
    return `${error.message}. Start the service with \`npm start\`, or set SLIPWAY_URL to where it runs.`
  if (error instanceof SlipwayError) {
    const details = error.details?.map(({ path, message }) => `${path} ${message}`.trim()).join(', ')
    return `The service answered ${error.status}: ${error.message}${details ? ` (${details})` : ''}`
  }
  if (error.message.startsWith('`url`')) return 'SLIPWAY_URL is not a URL, such as http://localhost:8080.'
  // The library that talks to the RPC.
  if (error.message === 'fetch failed') return `The RPC cannot be reached: ${reason}. Is the service running?`
  return error.name === 'TransactionError' || error.name === 'Error' ? error.message : error
}
