// Claims a creator's rewards from all of their buckets.
// Start the service with `npm start`, then run: node examples/claim.js [number of buckets]
import { createSlipway, formatAmount } from '@slipway/client'
import { createSubmitter } from '@slipway/client/kit'
import { createKeyPairSignerFromBytes, createSolanaRpc } from '@solana/kit'
import { readDemo } from './lib/read-demo.js'
import './lib/report-errors.js'

/** The mint of wrapped SOL. */
const SOL = 'So11111111111111111111111111111111111111112'
const wanted = Number(process.argv[2] ?? 5)
const slipway = createSlipway({ url: process.env.SLIPWAY_URL ?? 'http://localhost:8080' })
const demo = readDemo()
const { rpcUrl, rewards } = demo.networks['chain-mainnet']
const found = rewards.find(({ buckets }) => buckets.length === wanted)
if (!found) throw new Error(`No demo wallet has ${wanted} buckets.`)
const { wallet, secretKey, note } = found
console.log(`${wallet} (${note})`)
await show('to claim')

// 1. The service builds a transaction for each bucket. It has no keys and signs nothing.
const claim = await slipway.rewards.claim({ wallet })
if (claim.transactions.length === 0) console.log('There is nothing to claim.')

// 2. The account that pays the fees signs, here the wallet itself. All transactions share a blockhash, and each can
// succeed or fail on its own. If some have expired, claim again.
const signer = await createKeyPairSignerFromBytes(Uint8Array.from(secretKey))
const submitter = createSubmitter({ rpc: createSolanaRpc(rpcUrl), signers: [signer] })
const results = await submitter.submitAll(claim, {
  onProgress: ({ status, signature, error }) =>
    console.log(`${status.padEnd(10)} ${signature}${error ? ` ${error.message}` : ''}`),
})
// With the slot of the last confirmation, what you read is not older.
await show('left', Math.max(0, ...results.map(({ slot = 0 }) => slot)))

async function show(title, minSlot) {
  const { totals } = await slipway.rewards.get(wallet, { minSlot })
  for (const { claimable, quoteMint } of totals)
    console.log(
      `${title.padEnd(10)} ${quoteMint === SOL ? `${formatAmount(claimable, 9)} SOL` : `${claimable} of ${quoteMint}`}`,
    )
}
