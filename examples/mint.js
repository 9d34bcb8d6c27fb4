// Mints an agent: asks the service for the transaction, signs it, submits it and reads the new agent with its card.
// Start the service with `npm start`, then run: node examples/mint.js [name]
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  createKeyPairFromBytes,
  createSolanaRpc,
  createSolanaRpcSubscriptions,
  getBase64Encoder,
  getTransactionDecoder,
  sendAndConfirmTransactionFactory,
  signTransaction,
} from '@solana/kit'

const name = process.argv[2] ?? 'Ferrywright'
const service = process.env.SLIPWAY_URL ?? 'http://localhost:8080'
const demo = JSON.parse(readFileSync(join(process.env.DATA_DIR ?? 'data', 'demo.json'), 'utf8'))
const { rpcUrl, wsUrl, agents } = demo.networks['chain-mainnet']
const { owner, ownerSecretKey } = agents.find(({ funded }) => funded)

// 1. The service hosts the registration document and builds the transaction. The only signature in it is that of a fresh
//    key for the new account; send a public key of your own as `asset` if you want to make that signature yourself.
const response = await fetch(`${service}/v1/agents/mint`, {
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify({
    wallet: owner,
    name,
    uri: 'data:application/json,{}',
    agentMetadata: {
      type: 'https://eips.ethereum.org/EIPS/eip-8004#registration-v1',
      name,
      description: 'Finds the next ferry, and the one after that.',
      services: [{ name: 'A2A', endpoint: 'https://ferrywright.example/a2a', version: '0.3.0' }],
      registrations: [],
    },
  }),
})
const built = await response.json()
if (!built.success) throw new Error(`${response.status} ${built.error} ${JSON.stringify(built.details)}`)

// 2. The wallet signs it, submits it, and confirms it against the blockhash that it was built with.
const unsigned = getTransactionDecoder().decode(getBase64Encoder().encode(built.tx))
const keys = await createKeyPairFromBytes(Uint8Array.from(ownerSecretKey))
const signed = await signTransaction([keys], unsigned)
const rpcSubscriptions = createSolanaRpcSubscriptions(wsUrl)
const send = sendAndConfirmTransactionFactory({ rpc: createSolanaRpc(rpcUrl), rpcSubscriptions })
const lastValidBlockHeight = BigInt(built.blockhash.lastValidBlockHeight)
await send(
  { ...signed, lifetimeConstraint: { blockhash: built.blockhash.blockhash, lastValidBlockHeight } },
  { commitment: 'confirmed' },
)

// 3. The service returns the new agent with its hosted document and card.
const agent = await (await fetch(`${service}/v1/agents/${built.assetAddress}`)).json()
console.log(`minted     ${agent.address} (${agent.name})`)
console.log(`owner      ${agent.owner}`)
console.log(`document   ${agent.agentMetadataUri}`)
console.log(`card       ${agent.a2aCard.url}`)
