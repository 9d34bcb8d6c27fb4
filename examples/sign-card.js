// Replaces the card of an agent as its owner would: signs a text with the owner's wallet and sends it with the card.
// Start the service with `npm start`, then run: node examples/sign-card.js [remove]
import { createSlipway, signOwnerChange } from '@slipway/client'
import { createKeyPairFromBytes, signBytes } from '@solana/kit'
import { readDemo } from './lib/read-demo.js'
import './lib/report-errors.js'
import { waitUntil } from './lib/wait-until.js'

const slipway = createSlipway({ url: process.env.SLIPWAY_URL ?? 'http://localhost:8080' })
const demo = readDemo()
const { agents } = demo.networks['chain-mainnet']
const { address, owner, ownerSecretKey, note } = agents.find(({ funded }) => funded)
console.log(`${address} (${note})`)

// 1. The owner signs the bytes of a text that says what is changed, where, and when. In a browser, `signMessage` is
// that of the wallet, which shows the text first.
const { privateKey } = await createKeyPairFromBytes(Uint8Array.from(ownerSecretKey))
const wallet = {
  address: owner,
  signMessage(message) {
    console.log(`\n${new TextDecoder().decode(message)}\n`)
    return signBytes(privateKey, message)
  },
}
const change = { deployment: slipway.url, address }

// 2. The service checks the signature and compares the signer with the chain.
const before = await slipway.agents.card(address)
if (process.argv[2] === 'remove') {
  const signed = await signOwnerChange({ ...change, purpose: 'remove agent card' }, wallet)
  await slipway.agents.removeCard(address, signed)
} else {
  // The current card with another description. The service never signs an authored card.
  const { signatures: _, ...current } = before
  const card = { ...current, description: `${current.name}, in the words of its owner.` }
  const signed = await signOwnerChange({ ...change, purpose: 'replace agent card', card }, wallet)
  await slipway.agents.replaceCard(address, { card, ...signed })
}

await waitUntil(async () => (await slipway.agents.card(address)).description !== before.description)
const { description } = await slipway.agents.card(address)
console.log(`${process.argv[2] === 'remove' ? 'removed' : 'replaced'}   ${description}`)
