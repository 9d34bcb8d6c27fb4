// Corrects the links of a launch as its creator would: signs a text with the wallet that is the launch's authority.
// Start the service with `npm start`, then run: node examples/correct-links.js [website]
import { createHash, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createKeyPairFromBytes, getBase58Decoder, signBytes } from '@solana/kit'
import canonicalize from 'canonicalize'

const service = process.env.SLIPWAY_URL ?? 'http://localhost:8080'
const demo = JSON.parse(readFileSync(join(process.env.DATA_DIR ?? 'data', 'demo.json'), 'utf8'))
// In the demo, the wallet that receives the creator's rewards is also the authority of the launch.
const { wallet, secretKey } = demo.networks['chain-mainnet'].rewards[0]
const { data } = await (await fetch(`${service}/v1/creator-rewards/${wallet}`)).json()
const address = data.buckets[0].genesisAddress
await show('before')

// 1. All links of the launch. One that is left out is removed.
const externalLinks = { website: process.argv[2] ?? 'https://corrected.example', social: '@corrected' }

// 2. The text says what is changed, where, and when. A wallet shows it before it signs.
const issuedAt = new Date().toISOString()
const nonce = randomBytes(16).toString('base64url')
const text = [
  'Slipway: change launch links',
  `deployment: ${service}`,
  'network: chain-mainnet',
  `address: ${address}`,
  // RFC 8785 has one form for each JSON value, so that the hash does not depend on spaces or the order of keys.
  `sha256: ${createHash('sha256').update(canonicalize(externalLinks)).digest('hex')}`,
  `issuedAt: ${issuedAt}`,
  `nonce: ${nonce}`,
].join('\n')
console.log(`\n${text}\n`)

// 3. The authority signs the bytes of the text. In a browser this is `signMessage` of the wallet.
const { privateKey } = await createKeyPairFromBytes(Uint8Array.from(secretKey))
const signature = getBase58Decoder().decode(await signBytes(privateKey, new TextEncoder().encode(text)))

// 4. The service checks the signature and compares the signer with the chain.
const response = await fetch(`${service}/v1/launches/${address}/links`, {
  method: 'PUT',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify({ externalLinks, owner: wallet, issuedAt, nonce, signature }),
})
const answer = await response.json()
if (!answer.success) throw new Error(`${response.status} ${JSON.stringify(answer)}`)

await new Promise(resolve => setTimeout(resolve, 1_000))
await show('after')

async function show(title) {
  const { data } = await (await fetch(`${service}/v1/launches/${address}`)).json()
  const links = [data.website, ...Object.values(data.socials)].filter(Boolean)
  console.log(`${title.padEnd(10)} ${data.baseToken.name}: ${links.join(', ') || 'no links'}`)
}
