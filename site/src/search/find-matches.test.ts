import { type Network, SlipwayError } from '@slipway/client'
import { expect, test } from 'vitest'
import { findAddress, findMatches, type SearchParts } from './find-matches.ts'

const ADDRESS = '62F4XXuAav4VHGuaLPeEzorQePLM9vi4BN7G9A86To5L'
const MINT = 'So11111111111111111111111111111111111111112'

const launchOf = (name: string, genesisAddress = `launch-${name}`) => ({
  launch: { genesisAddress, mechanic: 'presaleV2' },
  baseToken: { name, symbol: name.slice(0, 4).toUpperCase(), address: MINT, image: '', description: '' },
})
const agentOf = (name: string) => ({
  mintAddress: `agent-${name}`,
  name,
  description: `Watches the water in small harbours. Does ${name}.`,
  ...{ image: null, metadata: null, a2aCard: null, agentToken: null, agentMetadataUri: null },
})
const missing = () => new SlipwayError('Not found', { status: 404, code: 'NOT_FOUND' })
const down = () => new SlipwayError('Unreachable', { status: 503, code: 'SERVICE_UNAVAILABLE' })

/** What each network has; an error is thrown. */
interface Served {
  launches?: string[] | Error
  total?: number
  agents?: string[] | Error
  launch?: string
  mint?: string
  agent?: string | Error
}

function startSearch(served: Partial<Record<Network, Served>>, controller = new AbortController()) {
  const networks = Object.keys(served) as Network[]
  const of = ({ network }: { network?: Network | undefined }): Served => served[network as Network] ?? {}
  const orThrow = <Value>(value: Value | Error | undefined): Value => {
    if (value === undefined) throw missing()
    if (value instanceof Error) throw value
    return value
  }
  const slipway = {
    launches: {
      async page(request: { network: Network; limit: number }) {
        const names = orThrow(of(request).launches ?? [])
        const launches = names.slice(0, request.limit).map(name => launchOf(name))
        return { launches, next: null, total: of(request).total ?? names.length }
      },
      get: async (address: string, options: { network: Network }) =>
        launchOf(orThrow(of(options).launch), address),
    },
    tokens: {
      async get(_mint: string, options: { network: Network }) {
        const { launch, ...token } = launchOf(orThrow(of(options).mint))
        return { launches: [launch], ...token }
      },
    },
    agents: {
      async list(request: { network: Network }) {
        const agents = orThrow(of(request).agents ?? []).map(agentOf)
        return { agents, total: agents.length, totalPages: 1 }
      },
      get: async (address: string, options: { network: Network }) => {
        const name = orThrow(of(options).agent)
        return { ...agentOf(name), address }
      },
    },
  } as unknown as SearchParts['slipway']
  const find = async (text: string) => {
    const { groups, failed } = await findMatches({ slipway, networks, signal: controller.signal }, text)
    const lines = groups.flatMap(({ name, matches }) =>
      matches.map(({ title, href, network }) => [name, title, href, network ?? ''].join(' | ')),
    )
    return { lines, failed, notes: groups.flatMap(({ matches }) => matches.map(({ note }) => note)) }
  }
  return find
}

const wallet = (network = '', search = '') =>
  `Wallets | 62F4XX…86To5L | /wallets/${ADDRESS}${search} | ${network}`

test('an agent found by its description shows the text around the match', async () => {
  const find = startSearch({ 'chain-mainnet': { agents: ['Tidewatch'] } })
  const text = 'Watches the water in small harbours. Does Tidewatch.'
  expect((await find('water')).notes).toEqual([text])
  expect((await find('HARBOURS small')).notes).toEqual(['…the water in small harbours. Does Tidewatch.'])
  expect((await find('small tidewatch')).notes).toEqual([text])
})

test('launches and agents of all networks are found, those of other networks last', async () => {
  const find = startSearch({
    'chain-mainnet': { launches: ['Tidewater', 'Tideline'], agents: ['Tidewatch'] },
    'chain-devnet': { launches: ['Tidal'] },
  })
  expect(await find('tide')).toMatchObject({
    lines: [
      'Launches | Tidewater | /launches/launch-Tidewater | Mainnet',
      'Launches | Tideline | /launches/launch-Tideline | Mainnet',
      'Agents | Tidewatch | /agents/agent-Tidewatch | Mainnet',
      'Devnet | Tidal | /launches/launch-Tidal?network=chain-devnet | Devnet',
    ],
    failed: [],
  })
})

test('a link to all results appears only if some are not shown', async () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
  const find = startSearch({
    'chain-mainnet': { launches: names, total: 5_000 },
    'chain-devnet': { launches: ['x', 'y'], agents: ['u', 'v', 'w'] },
  })
  const { lines } = await find('a b')
  expect(lines.map(line => line.split(' | ')[1])).toEqual([
    ...['a', 'b', 'c', 'd', 'e', 'f', 'All 5,000 launches'],
    ...['x', 'y', 'u', 'v', 'w'],
  ])
  expect(lines[6]).toBe('Launches | All 5,000 launches | /?q=a+b | Mainnet')
})

test('an address leads to the launch, the mint’s launch or the agent that it is, and to its wallet', async () => {
  expect((await startSearch({ 'chain-mainnet': { launch: 'Tidewater' } })(ADDRESS)).lines).toEqual([
    `Launches | Tidewater | /launches/${ADDRESS} | `,
    wallet(),
  ])
  expect((await startSearch({ 'chain-mainnet': { mint: 'Tidewater' } })(ADDRESS)).lines).toEqual([
    'Launches | Tidewater | /launches/launch-Tidewater | ',
    wallet(),
  ])
  expect(
    (await startSearch({ 'chain-mainnet': {}, 'chain-devnet': { agent: 'Patchbot' } })(ADDRESS)).lines,
  ).toEqual([
    `Agents | Patchbot | /agents/${ADDRESS}?network=chain-devnet | Devnet`,
    wallet('Mainnet'),
    wallet('Devnet', '?network=chain-devnet'),
  ])
  expect((await startSearch({ 'chain-mainnet': {} })(`  ${ADDRESS} `)).lines).toEqual([wallet()])
})

test('an address is found in a link', () => {
  expect(findAddress(`https://slipway.example/launches/${ADDRESS}?network=chain-devnet`)).toBe(ADDRESS)
  expect(findAddress('tidewater')).toBeUndefined()
  expect(findAddress('1'.repeat(40))).toBeUndefined()
})

test('a failure leaves what the other requests found, and is reported', async () => {
  const find = startSearch({
    'chain-mainnet': { launches: ['Tidewater'], agents: down() },
    'chain-devnet': { launches: down(), agents: down() },
  })
  const { lines, failed } = await find('tide')
  expect(lines).toHaveLength(1)
  expect(failed).toEqual(['Agents on Mainnet', 'Launches on Devnet', 'Agents on Devnet'])
})

test('a search fails if every request fails, or if it is aborted', async () => {
  await expect(
    startSearch({ 'chain-mainnet': { launches: down(), agents: down() } })('tide'),
  ).rejects.toThrow('Unreachable')
  const controller = new AbortController()
  controller.abort()
  await expect(startSearch({ 'chain-mainnet': { launches: ['a'] } }, controller)('tide')).rejects.toThrow()
})
