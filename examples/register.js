// Registers a launch as its creator would, with proof of the social account that it links to.
// The demo leaves one launch unregistered. Start the service with `npm start`, then run: node examples/register.js
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const service = process.env.SLIPWAY_URL ?? 'http://localhost:8080'
const demo = JSON.parse(readFileSync(join(process.env.DATA_DIR ?? 'data', 'demo.json'), 'utf8'))
const [body] = demo.registrations
const handle = body.launch.externalLinks.social.slice(1)
console.log(`${body.genesisAccount} (${body.launch.name})`)

// 1. An access token proves who owns the account. The demo's social network accepts one for every username.
const proof = await call('POST', '/v1/social/verify', { accessToken: `demo-token-${handle}` })
console.log(`verified   @${proof.username}`)

// 2. Register the launch with the proof. Name and symbol must match the chain, and the times come from it.
const registered = await call('POST', '/v1/launches/register', {
  ...body,
  socialVerificationToken: proof.token,
})
console.log(`${registered.existing ? 'existing   ' : 'registered '}${registered.launch.link}`)

// 3. Within a second, the launch is listed and its link is verified.
await new Promise(resolve => setTimeout(resolve, 1_000))
const { data } = await call('GET', '/v1/launches')
const place = data.findIndex(({ launch }) => launch.genesisAddress === body.genesisAccount) + 1
console.log(`listed     ${place} of ${data.length}`)
const { socials, verifiedSocials } = (await call('GET', `/v1/launches/${body.genesisAccount}`)).data
console.log(`proven     ${verifiedSocials.map(key => socials[key]).join(', ')}`)

async function call(method, path, body) {
  const response = await fetch(service + path, {
    method,
    ...(body && { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
  })
  const answer = await response.json()
  if (!response.ok) throw new Error(`${path}: ${response.status} ${JSON.stringify(answer)}`)
  return answer
}
