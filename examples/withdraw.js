// Withdraws from an agent's wallet as its owner would.
// Start the service with `npm start`, then run: node examples/withdraw.js [amount in SOL] [agent]
import { createSlipway, formatAmount } from '@slipway/client'
import { createSubmitter } from '@slipway/client/kit'
import { createKeyPairSignerFromBytes, createSolanaRpc } from '@solana/kit'
import { readDemo } from './lib/read-demo.js'
import './lib/report-errors.js'

const slipway = createSlipway({ url: process.env.SLIPWAY_URL ?? 'http://localhost:8080' })
const demo = readDemo()
const { rpcUrl, agents } = demo.networks['chain-mainnet']
const { address: example, owner, ownerSecretKey } = agents.find(({ funded }) => funded)
const [amount = '0.01', address = example] = process.argv.slice(2)
console.log(`agent      ${address}\nowner      ${owner}`)
const rpc = createSolanaRpc(rpcUrl)
const { walletAddress } = await slipway.agents.get(address)
const before = await readBalance()

// 1. The service builds the transaction. It has no keys and signs nothing.
const built = await slipway.agents.withdraw(address, { sender: owner, amount: Number(amount) })

// 2. The owner signs it, submits it, and confirms it against the blockhash that it was built with.
const signer = await createKeyPairSignerFromBytes(Uint8Array.from(ownerSecretKey))
const { signature } = await createSubmitter({ rpc, signers: [signer] }).submit(built)
console.log(`confirmed  ${signature}`)
console.log(`wallet     ${walletAddress}: ${before} → ${await readBalance()} SOL`)

async function readBalance() {
  const { value } = await rpc.getBalance(walletAddress, { commitment: 'confirmed' }).send()
  return formatAmount(value, 9)
}
