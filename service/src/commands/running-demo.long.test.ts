import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ClientFactory } from '@a2a-js/sdk/client'
import { expect, test } from 'vitest'
import { EXAMPLE_CARD } from '../agents/examples.ts'
import { createSocial } from '../social/social.ts'
import { rawRequest } from '../testing/raw-request.ts'
import { runCommand } from '../testing/run-command.ts'
import { freeChainPort } from '../testing/run-slipway.ts'
import { useServedDemo } from '../testing/served-demo.ts'

// The tests share one service, in this order.
const demo = useServedDemo({ LOCAL_CHAIN_ACTIVITY: 'on' })
/** For what the indexer or the chain must do first. */
const INDEXED = { timeout: 90_000 }

const fundedAgent = (): string =>
  demo.readDemoFile().networks['chain-mainnet'].agents.find(({ funded }: { funded: boolean }) => funded)
    .address

/** How many lamports an example says that a balance has changed by. */
function changeIn(output: string): number {
  const [, before, after] = /: ([\d.]+) → ([\d.]+) SOL/.exec(output) ?? []
  return Math.round((Number(after) - Number(before)) * 1e9)
}

test('the commands that the service proposes verify an account and register a launch', async () => {
  const { commands, env, url, dataDir } = demo
  const paste = (command: RegExp) =>
    execFileSync('sh', ['-c', commands.find(each => command.test(each)) as string], {
      encoding: 'utf8',
      cwd: demo.root,
      stdio: 'pipe',
    })
  const answer = JSON.parse(paste(/curl \S+\/v1\/social\/verify .+/)) as { token: string }
  expect(answer).toEqual({ success: true, username: 'harbourmaster', token: expect.any(String) })
  const tokenSecret = readFileSync(join(dataDir, 'social-token-secret'), 'utf8').trim()
  const { tokens } = createSocial(
    { apiUrl: 'http://127.0.0.1:9', tokenSecret, tokenSecretPrevious: undefined },
    { onAnswer: () => {}, onNotAsked: () => {} },
  )
  expect(await tokens.verify(answer.token)).toMatchObject({ username: 'harbourmaster' })

  // Neither the market nor the indexer adds the launch to the listings.
  const [{ genesisAccount, launch }] = demo.readDemoFile().registrations
  const listed = async () => (await rawRequest(url, '/v1/launches')).text.includes(genesisAccount)
  const indexed = async () => (await rawRequest(url, '/metrics')).text
  await expect
    .poll(indexed, INDEXED)
    .toMatch(/slipway_index_changes_total\{network="chain-mainnet",kind="launches"\} [1-9]/)
  expect(await listed()).toBe(false)

  const printed = (outcome: string) =>
    [
      `${genesisAccount} (${launch.name})`,
      'verified   @glasshouse',
      `${outcome} http://localhost:${env.PORT}/launches/${genesisAccount}`,
      expect.stringMatching(/^listed {5}[1-9]\d* of [1-9]\d+$/),
      'proven     https://x.com/glasshouse',
      '',
    ] as string[]
  const register = () => paste(/DATA_DIR=\S+ SLIPWAY_URL=\S+ node examples\/register\.js/).split('\n')
  expect(register()).toEqual(printed('registered'))
  expect(await listed()).toBe(true)
  expect(register()).toEqual(printed('existing  '))
})

test('an operator verifies an agent, hosts its card and inspects it while the service runs; the owner withdraws', async () => {
  const { dataDir, env, run } = demo
  const address = fundedAgent()
  const url = `${demo.url}/v1/agents/${address}`
  const detail = async () => (await fetch(url)).json() as Promise<{ verifiedAt: string | null }>
  const card = async () => (await fetch(`${url}/agent-card.json`)).text()

  expect(demo.commands).toContain(`curl ${url}`)
  expect((await detail()).verifiedAt).toBeNull()
  expect((await run('verify-agent', address)).stdout).toMatch(
    /on chain-mainnet has been verified since \d{4}-/,
  )
  await expect.poll(async () => (await detail()).verifiedAt, INDEXED).toMatch(/Z$/)
  expect((await run('verify-agent', address, '--clear')).stdout).toContain('is not verified')
  await expect.poll(async () => (await detail()).verifiedAt, INDEXED).toBeNull()
  expect((await run('verify-agent', 'junk')).stderr).toBe('slipway: "junk" is not a valid agent address.\n')

  await expect.poll(async () => (await fetch(`${url}/agent-card.json`)).status, INDEXED).toBe(200)
  const synthesised = await card()
  const file = join(dataDir, 'card.json')
  writeFileSync(file, JSON.stringify({ ...EXAMPLE_CARD, skills: [] }))
  expect(await run('card', 'put', address, file)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^slipway: The file is not a valid A2A card: skills: [^\n]+\n$/),
  })
  expect(await card()).toBe(synthesised)
  const authored = `${JSON.stringify(EXAMPLE_CARD, null, 3)}\n`
  writeFileSync(file, authored)
  expect((await run('card', 'put', address, file)).stdout).toContain('Stored the card')
  await expect.poll(card, INDEXED).toBe(authored)
  expect((await run('agent', 'inspect', address)).stdout).toContain('card: authored')
  expect((await run('card', 'remove', address)).code).toBe(0)
  await expect.poll(card, INDEXED).toBe(synthesised)
  expect((await run('card', 'remove', address)).stderr).toMatch(/^slipway: No card is stored/m)

  // Like a command in another terminal, it is not given the service's LOCAL_CHAIN_PORT.
  const { stdout: inspected } = await runCommand(['agent', 'inspect', address], {
    ...env,
    LOCAL_CHAIN_PORT: await freeChainPort(),
  })
  expect(inspected).toMatch(/^wallet: \w+, holds \d+\.\d+ SOL\n/m)
  expect(inspected).toMatch(
    /^delegates: none, only the owner can spend\nidentity: \w+\nchain: registered, as of slot \d+\n/m,
  )
  expect(inspected).toMatch(/^document now: \d+ bytes\n {2}\{\n {4}"/m)
  expect(inspected).not.toContain('cannot be fetched')

  expect(changeIn(await demo.runExample('withdraw.js', '0.02'))).toBe(-20_000_000)
})

test('a newcomer sees signed cards, and the examples change a card and correct links', async () => {
  const { url, run, runExample } = demo
  const address = fundedAgent()
  // The indexer may still be fetching the agent's document.
  const card = () => fetch(`${url}/v1/agents/${address}/agent-card.json`)
  await expect.poll(async () => (await card()).status, INDEXED).toBe(200)
  const verified = await run('card', 'verify', address)
  expect(verified).toMatchObject({ code: 0, stderr: `service   ${url}\nnetwork   chain-mainnet\n` })
  expect(verified.stdout).toMatch(
    /signature 1 {2}valid: ES256, key [\w-]{43}, published at http:\/\/localhost:\d+\/\.well-known\/jwks\.json\n/,
  )
  expect(verified.stdout).toContain(
    'not covered  url, protocolVersion, supportedInterfaces[].transport, additionalInterfaces\n',
  )

  const replaced = await runExample('sign-card.js')
  expect(replaced).toContain(`Slipway: replace agent card\ndeployment: ${url}\n`)
  expect(replaced).toContain('in the words of its owner.')
  expect(await run('card', 'verify', address)).toMatchObject({
    code: 1,
    stdout: expect.not.stringContaining('covered'),
    stderr: expect.stringContaining('The card is not signed: it is an authored card.'),
  })
  expect(await runExample('sign-card.js', 'remove')).toMatch(/removed +(?!.*in the words)/)
  expect((await run('card', 'verify', address)).code).toBe(0)

  expect(await runExample('correct-links.js', 'https://right.example')).toMatch(
    /^before .*\nafter .*: https:\/\/right\.example, https:\/\/x\.com\/corrected\n$/s,
  )
})

test('the examples mint an agent, fund it, withdraw from it and create a launch; an operator removes a document', async () => {
  const { url: home, run, runExample } = demo
  const minted = await runExample('mint.js', 'Lockkeeper')
  const [, agent = ''] = /^minted +(\w+) \(Lockkeeper\)$/m.exec(minted) ?? []
  const [, document = '', sha256 = ''] = /^document +(\S+\/([\da-f]{64})\.json)$/m.exec(minted) ?? []
  expect(document).toBe(`${home}/v1/documents/${sha256}.json`)
  expect((await fetch(document)).headers.get('cache-control')).toContain('immutable')

  expect(changeIn(await runExample('fund.js', agent, '0.05', 'For the next lock'))).toBe(50_000_000)
  const client = await new ClientFactory().createFromUrl(`${home}/v1/agents/${agent}/`)
  expect(await client.getAgentCard()).toMatchObject({ name: 'Lockkeeper' })
  expect(changeIn(await runExample('withdraw.js', '0.02', agent))).toBe(-20_000_000)

  const launched = await runExample('launch.js', 'Lock Fund', 'LOCK')
  const [, launch = ''] = /^launch +(\S+)$/m.exec(launched) ?? []
  const readLaunch = async () => (await fetch(launch)).json()
  await expect.poll(readLaunch, INDEXED).toMatchObject({
    data: {
      launch: { mechanic: 'bondingCurveV2', status: 'live' },
      baseToken: { name: 'Lock Fund', symbol: 'LOCK' },
      website: 'https://harbour-lights.example',
    },
  })

  expect((await run('document', 'remove', document)).stdout).toBe(`Removed the document ${sha256}\n`)
  expect((await fetch(document)).status).toBe(404)
  const cardStatus = async () => (await fetch(`${home}/v1/agents/${agent}/agent-card.json`)).status
  await expect.poll(cardStatus, INDEXED).toBe(404)
  expect(await run('document', 'remove', sha256)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`\nslipway: No document with the hash ${sha256} is hosted here.\n`),
  })
  expect((await run('document', 'remove', 'junk')).stderr).toMatch(
    /^slipway: document remove needs the SHA-256/,
  )
})

test('a signal stops the service, and commands that need it then say so', async () => {
  const { env, run } = demo
  const address = fundedAgent()
  expect(await demo.stop()).toBe(0)
  expect(await run('agent', 'inspect', address)).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('chain: could not be read\n'),
    stderr: expect.stringContaining(
      `slipway: The embedded chain-mainnet at 127.0.0.1:${env.LOCAL_CHAIN_PORT} doesn't answer. Start the service`,
    ),
  })
  expect((await run('card', 'verify', address)).stderr).toContain(
    "doesn't answer. Start the service, or set PUBLIC_URL or PORT as the service has them.",
  )
})
