// Registers a launch as its creator would, with proof of the social account that it links to.
// The demo leaves one launch unregistered. Start the service with `npm start`, then run: node examples/register.js
import { createSlipway } from '@slipway/client'
import { readDemo } from './lib/read-demo.js'
import './lib/report-errors.js'
import { waitUntil } from './lib/wait-until.js'

const slipway = createSlipway({ url: process.env.SLIPWAY_URL ?? 'http://localhost:8080' })
const demo = readDemo()
const [registration] = demo.registrations
const { genesisAccount, launch } = registration
const handle = launch.externalLinks.social.slice(1)
console.log(`${genesisAccount} (${launch.name})`)

// 1. An access token proves who owns the account. The demo's social network accepts one for every username.
const { username, token } = await slipway.social.verify({ accessToken: `demo-token-${handle}` })
console.log(`verified   @${username}`)

// 2. Register the launch with the proof. Name and symbol must match the chain, and the times come from it.
const registered = await slipway.launches.register({ ...registration, socialVerificationToken: token })
console.log(`${registered.existing ? 'existing   ' : 'registered '}${registered.launch.link}`)

// 3. Within a second, the launch is listed and its link is verified.
const findPlace = launches => launches.findIndex(({ launch }) => launch.genesisAddress === genesisAccount) + 1
await waitUntil(async () => findPlace(await slipway.launches.list()) > 0)
const launches = await slipway.launches.list()
console.log(`listed     ${findPlace(launches)} of ${launches.length}`)
const { socials, verifiedSocials } = await slipway.launches.get(genesisAccount)
console.log(`proven     ${verifiedSocials.map(key => socials[key]).join(', ')}`)
