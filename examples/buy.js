// Buys a launch's tokens and sells half of them again.
// Start the service with `npm start`, then run: node examples/buy.js [launch] [amount in SOL]
import { createSlipway, explainFailure, formatAmount } from '@slipway/client'
import { createSubmitter } from '@slipway/client/kit'
import { createKeyPairSignerFromBytes, createSolanaRpc } from '@solana/kit'
import { readDemo } from './lib/read-demo.js'
import './lib/report-errors.js'

const slipway = createSlipway({ url: process.env.SLIPWAY_URL ?? 'http://localhost:8080' })
const { rpcUrl, launches, visitor } = readDemo().networks['chain-mainnet']
const example = launches.find(({ note }) => note.startsWith('Patchbot')).genesisAddress
const [launch = example, sol = '0.5'] = process.argv.slice(2)
const { baseToken } = await slipway.launches.get(launch)
const signer = await createKeyPairSignerFromBytes(Uint8Array.from(visitor.secretKey))
const submitter = createSubmitter({ rpc: createSolanaRpc(rpcUrl), signers: [signer] })

// Amounts are in the smallest unit: a SOL has nine decimals.
const bought = await trade({ side: 'buy', amount: `${Math.round(Number(sol) * 1e9)}` })
await trade({ side: 'sell', amount: `${BigInt(bought.amountOut) / 2n}` })

async function trade(order) {
  // 1. A quote says what would happen now, to the unit. It is enough to show the person who decides.
  const { amountIn, amountOut, minAmountOut, venue, ...quote } = await slipway.launches.quote(launch, order)
  const [paid, received] = order.side === 'buy' ? ['SOL', baseToken.symbol] : [baseToken.symbol, 'SOL']
  const decimals = { SOL: quote.quoteDecimals, [baseToken.symbol]: quote.baseDecimals }
  const show = (amount, token) => `${formatAmount(amount, decimals[token])} ${token}`
  console.log(`${order.side.padEnd(10)} ${show(amountIn, paid)} for ${show(amountOut, received)} (${venue})`)
  console.log(`at least   ${show(minAmountOut, received)}`)

  // 2. The service reads the chain again and builds the transaction, which fails rather than give less than its limit.
  const built = await slipway.launches.swap(launch, { ...order, wallet: signer.address })

  // 3. The wallet signs it, submits it, and confirms it against the blockhash that it was built with.
  try {
    const { signature } = await submitter.submit(built)
    console.log(`confirmed  ${signature}`)
  } catch (error) {
    throw new Error(explainFailure(error)?.message ?? error.message, { cause: error })
  }
  return built.quote
}
