// Funds an agent's wallet, with a memo.
// Start the service with `npm start`, then run: node examples/fund.js [agent] [amount in SOL] [memo]
import { createSlipway, formatAmount } from '@slipway/client'
import { createSubmitter } from '@slipway/client/kit'
import { createKeyPairSignerFromBytes, createSolanaRpc } from '@solana/kit'
import { readDemo } from './lib/read-demo.js'
import './lib/report-errors.js'

const slipway = createSlipway({ url: process.env.SLIPWAY_URL ?? 'http://localhost:8080' })
const demo = readDemo()
const { rpcUrl, agents } = demo.networks['chain-mainnet']
const { address: example, owner: sender, ownerSecretKey } = agents.find(({ funded }) => funded)
const [address = example, amount = '0.01', memo = 'For the next ferry'] = process.argv.slice(2)
const rpc = createSolanaRpc(rpcUrl)
const { walletAddress } = await slipway.agents.get(address)
const before = await readBalance()

// 1. The service builds the transaction: a transfer to the agent's wallet, and a memo.
const built = await slipway.agents.fund(address, { sender, amount: Number(amount), memo })

// 2. The sender signs it, submits it, and confirms it against the blockhash that it was built with.
const signer = await createKeyPairSignerFromBytes(Uint8Array.from(ownerSecretKey))
const { signature } = await createSubmitter({ rpc, signers: [signer] }).submit(built)
console.log(`confirmed  ${signature}`)
console.log(`wallet     ${walletAddress}: ${before} → ${await readBalance()} SOL`)

async function readBalance() {
  const { value } = await rpc.getBalance(walletAddress, { commitment: 'confirmed' }).send()
  return formatAmount(value, 9)
}
