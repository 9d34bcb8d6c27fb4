// Withdraws from an agent's wallet as its owner would: ask the service, sign, submit, wait for it to be confirmed.
// Works on what `npm start` runs: node examples/withdraw.js [amount]
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

const amount = Number(process.argv[2] ?? 0.01)
const service = process.env.SLIPWAY_URL ?? 'http://localhost:8080'
const demo = JSON.parse(readFileSync(join(process.env.DATA_DIR ?? 'data', 'demo.json'), 'utf8'))
const { rpcUrl, wsUrl, agents } = demo.networks['chain-mainnet']
const { address, owner, ownerSecretKey, note } = agents.find(({ funded }) => funded)
console.log(`${address} (${note})\nis owned by ${owner}`)

// 1. The service builds the transaction. It holds no key and signs nothing.
const response = await fetch(`${service}/v1/agents/${address}/withdraw`, {
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify({ sender: owner, amount }),
})
const built = await response.json()
if (!built.success) throw new Error(`${response.status} ${built.error}`)

// 2. The owner signs it.
const unsigned = getTransactionDecoder().decode(getBase64Encoder().encode(built.tx))
const keys = await createKeyPairFromBytes(Uint8Array.from(ownerSecretKey))
const signed = await signTransaction([keys], unsigned)

// 3. The owner submits it, and waits against the blockhash that it was built on.
const rpc = createSolanaRpc(rpcUrl)
const { wallet, before } = await balances()
const send = sendAndConfirmTransactionFactory({ rpc, rpcSubscriptions: createSolanaRpcSubscriptions(wsUrl) })
const lastValidBlockHeight = BigInt(built.blockhash.lastValidBlockHeight)
await send(
  { ...signed, lifetimeConstraint: { blockhash: built.blockhash.blockhash, lastValidBlockHeight } },
  { commitment: 'confirmed' },
)
console.log(`confirmed  ${getSignatureFromTransaction(signed)}`)
console.log(`wallet     ${wallet}: ${before} → ${(await balances()).before}`)

async function balances() {
  const { walletAddress } = await (await fetch(`${service}/v1/agents/${address}`)).json()
  const { value } = await rpc.getBalance(walletAddress, { commitment: 'confirmed' }).send()
  return { wallet: walletAddress, before: value }
}
