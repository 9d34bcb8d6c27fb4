// Mints an agent and reads it with its card.
// Start the service with `npm start`, then run: node examples/mint.js [name]
import { createSlipway } from '@slipway/client'
import { createSubmitter } from '@slipway/client/kit'
import { createKeyPairSignerFromBytes, createSolanaRpc } from '@solana/kit'
import { readDemo } from './lib/read-demo.js'
import './lib/report-errors.js'

const name = process.argv[2] ?? 'Ferrywright'
const slipway = createSlipway({ url: process.env.SLIPWAY_URL ?? 'http://localhost:8080' })
const demo = readDemo()
const { rpcUrl, agents } = demo.networks['chain-mainnet']
const { owner, ownerSecretKey } = agents.find(({ funded }) => funded)

// 1. The service hosts the registration document and builds the transaction. The only signature in it is that of a
// fresh key for the new account; send a public key of your own as `asset` if you want to make that signature
// yourself.
const built = await slipway.agents.mint({
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
})

// 2. The wallet signs it, submits it, and confirms it against the blockhash that it was built with.
const signer = await createKeyPairSignerFromBytes(Uint8Array.from(ownerSecretKey))
await createSubmitter({ rpc: createSolanaRpc(rpcUrl), signers: [signer] }).submit(built)

// 3. The service returns the new agent with its hosted document and card.
const agent = await slipway.agents.get(built.assetAddress)
console.log(`minted     ${agent.address} (${agent.name})`)
console.log(`owner      ${agent.owner}`)
console.log(`document   ${agent.agentMetadataUri}`)
console.log(`card       ${agent.a2aCard.url}`)
