import { WRAPPED_NATIVE_MINT } from '@slipway/launch-model/programs'
import { createKeypair } from '@slipway/local-chain/ledger/keypair'
import type { Address } from '@slipway/schema/address'
import { AgentWalletBody } from '@slipway/schema/agent-wallet'
import { expect, test } from 'vitest'
import { useDemo } from '../testing/demo.ts'
import { launchRows } from '../testing/launch-rows.ts'
import { startRpcProxy } from '../testing/rpc-proxy.ts'
import { startTestService, useTestService } from '../testing/test-service.ts'
import { getJson } from './test-mints.ts'
import { hookTo, NON_TRANSFERABLE, pausable, TRANSFER_FEE, tokenWriter } from './wallet/test-tokens.ts'

const world = useDemo()
const service = useTestService(() => ({ config: world.config() }))
const agentOf = (slug: string) => world.agent(slug) as unknown as { address: Address; wallet: Address }
const writer = () => tokenWriter(world.chainOf().local)
const walletOf = async (address: string, url = service().url) =>
  (await getJson(`${url}/v1/agents/${address}/wallet`)).body.data

test('the wallet has native currency and the tokens of both token programs, with their names', async () => {
  const agent = agentOf('tidewatch')
  const { mint, hold, lamports } = writer()
  const classic = mint({ name: 'Kelp', symbol: 'KELP', decimals: 2 })
  const extended = mint({ extensions: [TRANSFER_FEE] })
  hold(agent.wallet, WRAPPED_NATIVE_MINT, 7n)
  hold(agent.wallet, classic, 18_446_744_073_709_551_615n)
  hold(agent.wallet, extended, 5n, { extensions: [TRANSFER_FEE] })
  hold(agent.wallet, mint({ name: 'Empty', symbol: 'NIL' }), 0n)
  const { status, headers, body } = await getJson(`${service().url}/v1/agents/${agent.address}/wallet`)
  expect(status).toBe(200)
  expect(headers.get('cache-control')).toBe('no-store')
  expect(() => AgentWalletBody.parse(body)).not.toThrow()
  const others = [
    {
      mint: classic,
      amount: '18446744073709551615',
      decimals: 2,
      symbol: 'KELP',
      name: 'Kelp',
      known: false,
      restriction: null,
    },
    { mint: extended, amount: '5', decimals: 6, symbol: '', name: '', known: false, restriction: 'fee' },
  ].sort((a, b) => (a.mint < b.mint ? -1 : 1))
  expect(body).toEqual({
    success: true,
    data: {
      address: agent.wallet,
      lamports: `${lamports(agent.wallet)}`,
      tokens: [
        {
          mint: WRAPPED_NATIVE_MINT,
          amount: '7',
          decimals: 9,
          symbol: 'SOL',
          name: 'Wrapped SOL',
          known: true,
          restriction: null,
        },
        ...others,
      ],
      truncated: false,
      slot: expect.any(Number),
    },
  })
})

test('several accounts of one mint are one token', async () => {
  const agent = agentOf('bellringer')
  const { mint, hold } = writer()
  const token = mint({ name: 'Rope', symbol: 'ROPE' })
  hold(agent.wallet, token, 2n)
  hold(agent.wallet, token, 3n, { address: createKeypair().address as string as Address })
  expect((await walletOf(agent.address)).tokens).toMatchObject([{ mint: token, amount: '5' }])
})

test('a token says what restricts its transfer', async () => {
  const agent = agentOf('archivist')
  const { mint, hold } = writer()
  const restricted = (
    extension: Parameters<typeof mint>[0] & object,
    restriction: string | null,
    isFrozen = false,
  ) => {
    const token = mint(extension)
    hold(agent.wallet, token, 1n, {
      isFrozen,
      ...(extension.extensions && { extensions: extension.extensions }),
    })
    return [token, restriction]
  }
  const expected = [
    restricted({}, 'frozen', true),
    restricted({ extensions: [NON_TRANSFERABLE] }, 'non-transferable'),
    restricted({ extensions: [pausable(true)] }, 'paused'),
    restricted({ extensions: [pausable(false)] }, null),
    restricted({ extensions: [hookTo(agent.address)] }, 'hook'),
    restricted({ extensions: [TRANSFER_FEE, hookTo(agent.address)] }, 'hook'),
    restricted({ extensions: [hookTo(undefined)] }, null),
  ]
  const { tokens } = await walletOf(agent.address)
  const found = tokens.map((token: { mint: string; restriction: string }) => [token.mint, token.restriction])
  expect(new Map(found)).toEqual(new Map(expected as never))
})

test('among a thousand accounts of strangers, wrapped currency and known tokens come first, and names are cut', async () => {
  const agent = agentOf('patchbot')
  const own = (world.agent('patchbot') as unknown as { token: Address }).token
  const { mint, hold } = writer()
  const launched = mint({ name: 'Launched', symbol: 'OK' })
  const { url } = await startTestService({
    config: world.config(),
    launches: [launchRows('launched', { mint: launched })],
  })
  const { chain } = world.chainOf().local
  const written: [string, unknown][] = []
  const collect = (accounts: Map<string, unknown>) => written.push(...accounts)
  const strangers = tokenWriter({ chain: { ...chain, writeAccounts: collect } as never })
  hold(agent.wallet, WRAPPED_NATIVE_MINT, 1n)
  hold(agent.wallet, own, 2n)
  hold(agent.wallet, launched, 3n)
  const fake = { name: `Wrapped SOL\u202e ${'x'.repeat(16)}`, symbol: 'SOL', decimals: 9 }
  const mints = Array.from({ length: 200 }, () => strangers.mint(fake))
  for (let at = 0; at < 1_000; at += 1)
    strangers.hold(agent.wallet, mints[at % 200] as Address, 10n ** 18n, {
      address: createKeypair().address as string as Address,
    })
  chain.writeAccounts(new Map(written) as never)
  const { tokens, truncated } = await walletOf(agent.address, url)
  expect(tokens.slice(0, 4)).toMatchObject([
    { mint: WRAPPED_NATIVE_MINT, amount: '1', symbol: 'SOL', known: true },
    { mint: own, amount: '2', known: true },
    { mint: launched, amount: '3', known: true },
    { known: false, symbol: 'SOL', name: `Wrapped SOL ${'x'.repeat(16)}` },
  ])
  expect(tokens).toHaveLength(100)
  expect(truncated).toBe(true)
  const rest = tokens.slice(3).map((token: { mint: string }) => token.mint)
  expect(rest).toEqual([...rest].sort())
})

test('if there are more accounts than a node returns, the important ones are read, and the endpoint stays healthy', async () => {
  const agent = agentOf('quiet-engine')
  writer().hold(agent.wallet, WRAPPED_NATIVE_MINT, 9n)
  const proxy = await startRpcProxy(world.chainOf().local.rpcUrl)
  const { url, chains } = await startTestService({
    config: { ...world.config(), rpcUrls: { 'chain-mainnet': [proxy.url], 'chain-devnet': [] } },
    limits: { rpc: { bytesMax: 200_000 } },
  })
  proxy.behave = method =>
    method === 'getTokenAccountsByOwner' ? { status: 200, body: 'x'.repeat(300_000) } : undefined
  expect(await walletOf(agent.address, url)).toMatchObject({
    tokens: [{ mint: WRAPPED_NATIVE_MINT, amount: '9' }],
    truncated: true,
  })
  expect(chains['chain-mainnet']?.rpc.states()).toMatchObject([{ isUp: true }])
})

test('all requests within a slot share one read, which has a limit of its own', async () => {
  const agent = agentOf('night-heron')
  const proxy = await startRpcProxy(world.chainOf().local.rpcUrl)
  const { url } = await startTestService({
    config: {
      ...world.config(),
      rpcUrls: { 'chain-mainnet': [proxy.url], 'chain-devnet': [] },
      rateLimits: { reads: 0, writes: 0, chainReads: 12, checks: 0 },
    },
  })
  // No index runs here, so that the first read of an agent is one of the chain too.
  expect((await getJson(`${url}/v1/agents/${agent.address}`)).status).toBe(200)
  const answers = await Promise.all(Array.from({ length: 11 }, () => walletOf(agent.address, url)))
  expect(new Set(answers.map(answer => JSON.stringify(answer))).size).toBe(1)
  // Two for each read. On a busy machine, the requests may arrive in several slots.
  expect(proxy.count('getTokenAccountsByOwner')).toBeLessThan(12)
  expect((await getJson(`${url}/v1/agents/${agent.address}/wallet`)).status).toBe(429)
  expect((await getJson(`${url}/v1/agents/${agent.address}`)).status).toBe(200)
})

test('only agents have a wallet', async () => {
  for (const address of [createKeypair().address, 'junk', world.agent('patchbot').owner.address])
    expect(await getJson(`${service().url}/v1/agents/${address}/wallet`)).toMatchObject({
      status: 404,
      body: { success: false, error: 'Agent not found' },
    })
  const { status, body } = await getJson(
    `${service().url}/v1/agents/${agentOf('patchbot').address}/wallet?network=moonnet`,
  )
  expect({ status, body }).toEqual({ status: 400, body: { success: false, error: 'Invalid input data' } })
})
