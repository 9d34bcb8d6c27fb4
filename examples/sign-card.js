// Replaces the card of an agent as its owner would: signs a text with the owner's wallet and sends it with the card.
// Start the service with `npm start`, then run: node examples/sign-card.js [remove]
import { createHash, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createKeyPairFromBytes, getBase58Decoder, signBytes } from '@solana/kit'
import canonicalize from 'canonicalize'

const service = process.env.SLIPWAY_URL ?? 'http://localhost:8080'
const demo = JSON.parse(readFileSync(join(process.env.DATA_DIR ?? 'data', 'demo.json'), 'utf8'))
const { agents } = demo.networks['chain-mainnet']
const { address, owner, ownerSecretKey, note } = agents.find(({ funded }) => funded)
const url = `${service}/v1/agents/${address}/agent-card.json`
console.log(`${address} (${note})`)

// 1. The new card: here the current one with another description. The service never signs an authored card.
const isRemoval = process.argv[2] === 'remove'
const { signatures: _, ...current } = await (await fetch(url)).json()
const card = { ...current, description: `${current.name}, in the words of its owner.` }

// 2. The text says what is changed, where, and when. A wallet shows it before it signs.
const issuedAt = new Date().toISOString()
const nonce = randomBytes(16).toString('base64url')
const text = [
  `Slipway: ${isRemoval ? 'remove agent card' : 'replace agent card'}`,
  `deployment: ${service}`,
  'network: chain-mainnet',
  `address: ${address}`,
  // RFC 8785 has one form for each JSON value, so that the hash does not depend on spaces or the order of keys.
  ...(isRemoval ? [] : [`sha256: ${createHash('sha256').update(canonicalize(card)).digest('hex')}`]),
  `issuedAt: ${issuedAt}`,
  `nonce: ${nonce}`,
].join('\n')
console.log(`\n${text}\n`)

// 3. The owner signs the bytes of the text. In a browser this is `signMessage` of the wallet.
const { privateKey } = await createKeyPairFromBytes(Uint8Array.from(ownerSecretKey))
const signature = getBase58Decoder().decode(await signBytes(privateKey, new TextEncoder().encode(text)))

// 4. The service checks the signature and compares the signer with the chain.
const response = await fetch(url, {
  method: isRemoval ? 'DELETE' : 'PUT',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify({ ...(isRemoval ? {} : { card }), owner, issuedAt, nonce, signature }),
})
const answer = await response.json()
if (!answer.success) throw new Error(`${response.status} ${JSON.stringify(answer)}`)

await new Promise(resolve => setTimeout(resolve, 1_000))
const served = await (await fetch(url)).json()
console.log(`${isRemoval ? 'removed' : 'replaced'}   ${served.description}`)
