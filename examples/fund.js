// Funds an agent's wallet: asks the service for the transaction, signs it as the sender, submits it and waits.
// Start the service with `npm start`, then run: node examples/fund.js [agent] [amount in SOL] [memo]
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
const { address: example, owner: sender, ownerSecretKey } = agents.find(({ funded }) => funded)
const [address = example, amount = '0.01', memo = 'For the next ferry'] = process.argv.slice(2)

// 1. The service builds the transaction: a transfer to the agent's wallet, and a memo.
const response = await fetch(`${service}/v1/agents/${address}/fund`, {
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify({ sender, amount: Number(amount), memo }),
})
const built = await response.json()
if (!built.success) throw new Error(`${response.status} ${built.error}`)

// 2. The sender signs it.
const unsigned = getTransactionDecoder().decode(getBase64Encoder().encode(built.tx))
const keys = await createKeyPairFromBytes(Uint8Array.from(ownerSecretKey))
const signed = await signTransaction([keys], unsigned)

// 3. The sender submits it, and confirms it against the blockhash that it was built with.
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
