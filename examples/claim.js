// Claims a creator's rewards: asks the service for the transactions, signs and submits them, and waits for each one.
// Start the service with `npm start`, then run: node examples/claim.js [number of buckets]
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  createKeyPairFromBytes,
  createSolanaRpc,
  createSolanaRpcSubscriptions,
  getBase64Encoder,
  getSignatureFromTransaction,
  getTransactionDecoder,
  sendAndConfirmTransactionFactory,
  signTransaction,
} from '@solana/kit'

const wanted = Number(process.argv[2] ?? 5)
const service = process.env.SLIPWAY_URL ?? 'http://localhost:8080'
const demo = JSON.parse(readFileSync(join(process.env.DATA_DIR ?? 'data', 'demo.json'), 'utf8'))
const { rpcUrl, wsUrl, rewards } = demo.networks['chain-mainnet']
const found = rewards.find(({ buckets }) => buckets.length === wanted)
if (!found) throw new Error(`No demo wallet has ${wanted} buckets.`)
const { wallet, secretKey, note } = found
console.log(`${wallet} (${note})`)
await show('to claim')

// 1. The service builds a transaction for each bucket. It has no keys and signs nothing.
const response = await fetch(`${service}/v1/creator-rewards/claim`, {
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify({ wallet }),
})
const { data, error } = await response.json()
if (error) {
  // 400 `No rewards available to claim` is not a failure.
  console.log(`${response.status} ${error.message}`)
  process.exit(response.status === 400 ? 0 : 1)
}

// 2. The account that pays the fees signs. Here this is the wallet itself.
const keys = await createKeyPairFromBytes(Uint8Array.from(secretKey))
const rpc = createSolanaRpc(rpcUrl)
const send = sendAndConfirmTransactionFactory({ rpc, rpcSubscriptions: createSolanaRpcSubscriptions(wsUrl) })
const lifetimeConstraint = {
  blockhash: data.blockhash.blockhash,
  lastValidBlockHeight: BigInt(data.blockhash.lastValidBlockHeight),
}
for (const transaction of data.transactions) {
  const unsigned = getTransactionDecoder().decode(getBase64Encoder().encode(transaction))
  const signed = await signTransaction([keys], unsigned)
  // 3. Confirm against the blockhash that the transactions were built with, never against a newer one.
  await send({ ...signed, lifetimeConstraint }, { commitment: 'confirmed' })
  console.log(`confirmed  ${getSignatureFromTransaction(signed)}`)
}
await show('left')

async function show(title) {
  const { data } = await (await fetch(`${service}/v1/creator-rewards/${wallet}`)).json()
  for (const { claimable, quoteMint } of data.totals)
    console.log(`${title.padEnd(10)} ${claimable} of ${quoteMint}`)
}
