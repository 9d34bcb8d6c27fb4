// Corrects the links of a launch as its creator would: signs a text with the wallet that is the launch's authority.
// Start the service with `npm start`, then run: node examples/correct-links.js [website]
import { createSlipway, signOwnerChange } from '@slipway/client'
import { createKeyPairFromBytes, signBytes } from '@solana/kit'
import { readDemo } from './lib/read-demo.js'
import './lib/report-errors.js'
import { waitUntil } from './lib/wait-until.js'

const slipway = createSlipway({ url: process.env.SLIPWAY_URL ?? 'http://localhost:8080' })
const demo = readDemo()
// In the demo, the wallet that receives the creator's rewards is also the authority of the launch.
const { wallet, secretKey } = demo.networks['chain-mainnet'].rewards[0]
const { buckets } = await slipway.rewards.get(wallet)
const address = buckets[0].genesisAddress
await show('before')

// 1. All links of the launch. One that is left out is removed.
const externalLinks = { website: process.argv[2] ?? 'https://corrected.example', social: '@corrected' }

// 2. The authority signs the bytes of a text that says what is changed, where, and when. In a browser, `signMessage` is
//    that of the wallet, which shows the text first.
const { privateKey } = await createKeyPairFromBytes(Uint8Array.from(secretKey))
const signed = await signOwnerChange(
  { purpose: 'change launch links', deployment: slipway.url, address, externalLinks },
  {
    address: wallet,
    signMessage(message) {
      console.log(`\n${new TextDecoder().decode(message)}\n`)
      return signBytes(privateKey, message)
    },
  },
)

// 3. The service checks the signature and compares the signer with the chain.
await slipway.launches.changeLinks(address, { externalLinks, ...signed })

await waitUntil(async () => (await slipway.launches.get(address)).website === externalLinks.website)
await show('after')

async function show(title) {
  const { baseToken, website, socials } = await slipway.launches.get(address)
  const links = [website, ...Object.values(socials)].filter(Boolean)
  console.log(`${title.padEnd(10)} ${baseToken.name}: ${links.join(', ') || 'no links'}`)
}
