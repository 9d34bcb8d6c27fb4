// Withdraws from an agent's wallet as its owner would: asks the service for the transaction, signs it, submits it and waits.
// Start the service with `npm start`, then run: node examples/withdraw.js [amount in SOL] [agent]
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

const service = process.env.SLIPWAY_URL ?? 'http://localhost:8080'
const demo = JSON.parse(readFileSync(join(process.env.DATA_DIR ?? 'data', 'demo.json'), 'utf8'))
const { rpcUrl, wsUrl, agents } = demo.networks['chain-mainnet']
const { address: example, owner, ownerSecretKey } = agents.find(({ funded }) => funded)
const [amount = '0.01', address = example] = process.argv.slice(2)
console.log(`agent      ${address}\nowner      ${owner}`)

// 1. The service builds the transaction. It has no keys and signs nothing.
const response = await fetch(`${service}/v1/agents/${address}/withdraw`, {
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify({ sender: owner, amount: Number(amount) }),
})
const built = await response.json()
if (!built.success) throw new Error(`${response.status} ${built.error}`)

// 2. The owner signs it.
const unsigned = getTransactionDecoder().decode(getBase64Encoder().encode(built.tx))
const keys = await createKeyPairFromBytes(Uint8Array.from(ownerSecretKey))
const signed = await signTransaction([keys], unsigned)

// 3. The owner submits it, and confirms it against the blockhash that it was built with.
const rpc = createSolanaRpc(rpcUrl)
const { wallet, lamports } = await balance()
const send = sendAndConfirmTransactionFactory({ rpc, rpcSubscriptions: createSolanaRpcSubscriptions(wsUrl) })
const lastValidBlockHeight = BigInt(built.blockhash.lastValidBlockHeight)
await send(
  { ...signed, lifetimeConstraint: { blockhash: built.blockhash.blockhash, lastValidBlockHeight } },
  { commitment: 'confirmed' },
)
console.log(`confirmed  ${getSignatureFromTransaction(signed)}`)
console.log(`wallet     ${wallet}: ${lamports} → ${(await balance()).lamports} lamports`)

async function balance() {
  const { walletAddress } = await (await fetch(`${service}/v1/agents/${address}`)).json()
  const { value } = await rpc.getBalance(walletAddress, { commitment: 'confirmed' }).send()
  return { wallet: walletAddress, lamports: value }
}
