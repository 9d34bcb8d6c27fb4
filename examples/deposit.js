// Deposits in a launch pool, and withdraws half of the deposit. The demo's Paper Lighthouse takes deposits for 69
// hours. Start the service with `npm start`, then run: node examples/deposit.js [launch] [amount in SOL]
import { createSlipway, explainFailure, formatAmount } from '@slipway/client'
import { createSubmitter } from '@slipway/client/kit'
import { createKeyPairSignerFromBytes, createSolanaRpc } from '@solana/kit'
import { readDemo } from './lib/read-demo.js'
import './lib/report-errors.js'
import { waitUntil } from './lib/wait-until.js'

const slipway = createSlipway({ url: process.env.SLIPWAY_URL ?? 'http://localhost:8080' })
const { rpcUrl, launches, visitor } = readDemo().networks['chain-mainnet']
const example = launches.find(({ note }) => note.startsWith('Paper Lighthouse')).genesisAddress
const [launch = example, sol = '0.5'] = process.argv.slice(2)
const signer = await createKeyPairSignerFromBytes(Uint8Array.from(visitor.secretKey))
const submitter = createSubmitter({ rpc: createSolanaRpc(rpcUrl), signers: [signer] })
const wallet = signer.address

// 1. The position says what the wallet has in the launch, what it can do now, and the reason for anything it can't do.
show('before', await slipway.launches.position(launch, wallet))

// 2. The answer says what the deposit really costs, and what the position will be. Amounts are in the smallest unit.
const amount = `${Math.round(Number(sol) * 1e9)}`
const deposit = await slipway.launches.deposit(launch, { wallet, amount })
const { paid, fee, penalty } = deposit.cost
const inSol = value => `${formatAmount(value, deposit.quoteDecimals)} SOL`
console.log(`deposit    ${inSol(paid)} (fee ${inSol(fee)}, penalty ${inSol(penalty)})`)
await submit(deposit)

// 3. A launch pool pays deposits back while it is open, less a fee.
const half = `${BigInt(deposit.cost.credited) / 2n}`
const withdrawal = await slipway.launches.withdraw(launch, { wallet, amount: half })
console.log(`withdraw   ${inSol(half)} (${inSol(withdrawal.receives)} arrives)`)
await submit(withdrawal)

// 4. Everyone who asks within a slot gets the same answer, so the change shows a moment later.
let position
await waitUntil(async () => {
  position = await slipway.launches.position(launch, wallet)
  return position.deposited === withdrawal.position.deposited
})
show('after', position)

async function submit(built) {
  try {
    const { signature } = await submitter.submit(built)
    console.log(`confirmed  ${signature}`)
  } catch (error) {
    throw new Error(explainFailure(error)?.message ?? error.message, { cause: error })
  }
}

function show(when, { deposited, share, quoteDecimals, actions }) {
  const open = actions.filter(({ available }) => available).map(({ action }) => action)
  const percent = (share * 100).toFixed(2)
  console.log(
    `${when.padEnd(10)} ${formatAmount(deposited, quoteDecimals)} SOL, ${percent} % of the pool; can ${open.join(', ')}`,
  )
}
