// Registers a launch as its maker would, with proof of the social account that it links to.
// Works on what `npm start` runs: node examples/register.js [name of a launch]
const name = process.argv[2] ?? 'Tidewater'
const service = process.env.SLIPWAY_URL ?? 'http://localhost:8080'

const { data } = await call('GET', '/v1/launches')
const found = data.find(({ baseToken }) => baseToken.name === name)
if (!found) throw new Error(`no launch is called ${name}`)
const { launch, baseToken, website, socials } = found
const handle = socials.x?.split('/').at(-1)

// 1. Whoever can read the account proves that it is theirs; the demo's social network believes everybody.
const proof = handle && (await call('POST', '/v1/social/verify', { accessToken: `demo-token-${handle}` }))
if (proof) console.log(`verified   @${proof.username}`)

// 2. The launch is registered. The chain is the judge of name, symbol and times.
const body = {
  genesisAccount: launch.genesisAddress,
  launch: {
    name: baseToken.name,
    symbol: baseToken.symbol,
    image: baseToken.image,
    type: launch.type,
    externalLinks: { ...(website && { website }), ...(handle && { social: `@${handle}` }) },
  },
  ...(proof && { socialVerificationToken: proof.token }),
}
const registered = await call('POST', '/v1/launches/register', body)
console.log(`${registered.existing ? 'existing   ' : 'registered '}${registered.launch.link}`)

// 3. It is listed, and its link is verified, within a second.
await new Promise(resolve => setTimeout(resolve, 1_000))
const { verifiedSocials } = (await call('GET', `/v1/launches/${launch.genesisAddress}`)).data
console.log(`proven     ${verifiedSocials.map(key => socials[key]).join(', ') || 'nothing'}`)

async function call(method, path, body) {
  const response = await fetch(service + path, {
    method,
    ...(body && { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
  })
  const answer = await response.json()
  if (!response.ok) throw new Error(`${path}: ${response.status} ${JSON.stringify(answer)}`)
  return answer
}
