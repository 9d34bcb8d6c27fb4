import { Key } from '@metaplex-foundation/genesis'
import { encode } from '@slipway/launch-model/bytes/codec'
import { GENESIS_KEY, genesisAccountLayout } from '@slipway/launch-model/genesis-account'
import { emptyPool } from '@slipway/launch-model/pool-state'
import {
  GENESIS_PROGRAM,
  IDENTITY_PROGRAM,
  RAYDIUM_PROGRAMS,
  TOKEN_PROGRAM,
} from '@slipway/launch-model/programs'
import { officialBuckets } from '@slipway/launch-model/testing/official-buckets'
import type { Address } from '@slipway/schema/address'
import { expect, test } from 'vitest'
import { launchRows } from '../testing/launch-rows.ts'
import { rawRequest } from '../testing/raw-request.ts'
import { startTestService } from '../testing/test-service.ts'
import { createDrift, describeSlotTime, describeVersion, GENESIS_KEYS_MAX, TESTED } from './drift.ts'
import { UNSUPPORTED_VERSION } from './rpc/fault.ts'
import { accountJson, sendJson, startTestNode, testAddress } from './rpc/test-node.ts'

test('a slot time is reported only if it is out of the bounds', () => {
  for (const slotMs of [undefined, 20, 50, 400, 2_000]) expect(describeSlotTime(slotMs)).toBe(undefined)
  expect(describeSlotTime(12)).toMatch(/^slots take 12 ms, /)
  expect(describeSlotTime(2_600)).toMatch(/^slots take 2600 ms, /)
})

test('another feature set is reported only if the software is newer', () => {
  expect(describeVersion(TESTED.version, TESTED.featureSet)).toBe(undefined)
  for (const older of ['4.0.9', '3.1.14', '0.808.30014']) expect(describeVersion(older, 1)).toBe(undefined)
  for (const newer of ['4.1.0', '5.0.1', '10.0.0']) {
    expect(describeVersion(newer, 7)).toContain(`runs version ${newer} (feature set 7)`)
    expect(describeVersion(newer, 7)).toContain(`${TESTED.version} (feature set ${TESTED.featureSet})`)
  }
  expect(describeVersion('not a version', 7)).toBe(undefined)
})

const accountOf = (data: Uint8Array, owner = GENESIS_PROGRAM) => ({
  exists: true as const,
  address: testAddress(1),
  owner,
  lamports: 1n,
  data,
})

test('accounts of the layouts that are known, of other programs and of other kinds are not drift', () => {
  const drift = createDrift(kind => expect.unreachable(kind))
  const official = Object.values(officialBuckets).map(({ serializer, blank }) => serializer.serialize(blank))
  drift.noteAccounts({
    software: TESTED.version,
    accounts: [
      ...official.map(data => accountOf(data)),
      accountOf(genesisData()),
      accountOf(new Uint8Array(9)),
      accountOf(Uint8Array.of(GENESIS_KEY), testAddress(2)),
      { exists: false, address: testAddress(3) },
    ],
  })
  expect(drift.list()).toEqual([])
  for (const data of official) {
    const seen: string[] = []
    const { noteAccounts } = createDrift(kind => seen.push(kind))
    for (const changed of [Uint8Array.of(...data, 0), data.subarray(1), Uint8Array.of(...data, 0, 0)])
      noteAccounts({ accounts: [accountOf(changed)] })
    expect(seen).toEqual(['account size'])
  }
})

const bytes = (length: number, ...first: number[]) => {
  const data = new Uint8Array(length)
  data.set(first)
  return data
}
const pool = emptyPool(testAddress(5), testAddress(6))

test.each<[string, string, Uint8Array, RegExp | undefined]>([
  [
    'a kind of account of the launches that no client has',
    GENESIS_PROGRAM,
    bytes(9, Key.BondingCurveBucketV2 + 9),
    /of kind 34, .* not shown/,
  ],
  ['a kind that is known and not read', GENESIS_PROGRAM, bytes(9, Key.AuctionBid), undefined],
  ['an account that is not initialized', GENESIS_PROGRAM, bytes(9), undefined],
  ['an identity', IDENTITY_PROGRAM, bytes(104, 2), undefined],
  ['a longer identity', IDENTITY_PROGRAM, bytes(112, 2), /\(identity\) has 112 bytes, .* agents/],
  ['an identity of another version', IDENTITY_PROGRAM, bytes(104, 3), /identity of version 3, .* not shown/],
  ['a token account', TOKEN_PROGRAM, bytes(165, 1), undefined],
  ['a longer token account', TOKEN_PROGRAM, bytes(170, 1), /\(token program\) has 170 bytes, .* balances/],
  ['an empty account that a stranger gave to the token program', TOKEN_PROGRAM, bytes(170), undefined],
  ['a pool', RAYDIUM_PROGRAMS.mainnet, pool, undefined],
  [
    'a longer pool',
    RAYDIUM_PROGRAMS.mainnet,
    bytes(pool.length + 8, ...pool),
    /\(pool\) has \d+ bytes, .* pools/,
  ],
  ['a shorter pool', RAYDIUM_PROGRAMS.devnet, pool.subarray(0, -8), /\(pool\) has/],
  ['another account of Raydium', RAYDIUM_PROGRAMS.mainnet, bytes(500, 1, 2), undefined],
])('%s: is it drift?', (_, owner, data, expected) => {
  const drift = createDrift(() => {})
  for (let times = 0; times < 2; times++)
    drift.noteAccounts({ accounts: [accountOf(data, owner as Address)] })
  expect(drift.list()).toEqual(expected ? [expect.stringMatching(expected)] : [])
})

test('the highest account key is that of the official client', () => {
  expect(GENESIS_KEYS_MAX).toBe(Math.max(...Object.values(Key).filter(key => typeof key === 'number')))
})

function genesisData(): Uint8Array {
  const [baseMint, quoteMint, authority] = [11, 12, 13].map(testAddress)
  return encode(genesisAccountLayout, {
    bump: 0,
    index: 0,
    finalized: true,
    authority: authority as never,
    baseMint: baseMint as never,
    quoteMint: quoteMint as never,
    totalSupply: 1n,
    allocatedSupply: 1n,
    totalProceeds: 0n,
    fundingMode: 0,
    launchType: 0,
    bucketCount: 1,
  })
}

function mintData(): Uint8Array {
  const data = new Uint8Array(82)
  data[45] = 1
  return data
}

test('every kind of drift is in /readyz once, with what is affected and since when', async () => {
  const node = await startTestNode()
  const row = launchRows('drifting', { network: 'chain-mainnet' })
  const genesis = row.launch.genesisAddress
  const long = testAddress(20)
  const accounts = new Map<string, [string, Uint8Array]>([
    [genesis, [GENESIS_PROGRAM, genesisData()]],
    [testAddress(11), [TOKEN_PROGRAM, mintData()]],
    [testAddress(12), [TOKEN_PROGRAM, mintData()]],
    [long, [GENESIS_PROGRAM, Uint8Array.of(...genesisData(), 0)]],
  ])
  node.behave = ({ id, method, params }, response, answer) => {
    const send = (more: string) => sendJson(response, `{"jsonrpc":"2.0","id":${id},${more}}`)
    if (method === 'getTransaction')
      return send(
        `"error":{"code":${UNSUPPORTED_VERSION},"message":"Transaction version (2) is not supported"}`,
      )
    const asked = method === 'getMultipleAccounts' ? (params[0] as string[]) : []
    if (!asked.some(address => accounts.has(address))) return answer()
    const value = asked.map(address => {
      const [owner, data] = accounts.get(address) ?? []
      if (!owner || !data) return 'null'
      const base64 = Buffer.from(data).toString('base64')
      return accountJson('1', base64, data.length).replace(/"owner":"\w+"/, `"owner":"${owner}"`)
    })
    send(`"result":{"context":{"apiVersion":"99.1.0","slot":${node.slot}},"value":[${value}]}`)
  }
  const { url, chains } = await startTestService({
    launches: [row],
    config: { rpcUrls: { 'chain-mainnet': [node.url], 'chain-devnet': [] } },
  })
  const line = async () =>
    (await rawRequest(url, '/readyz')).text.split('\n').find(text => text.startsWith('rpc ')) ?? ''
  expect(await line()).toMatch(/, 1 of 1 endpoints up$/)

  const rpc = chains['chain-mainnet']?.rpc
  for (const signature of ['2', '3'].map(digit => digit.repeat(88)))
    await expect(rpc?.fetchTransaction(signature)).rejects.toThrow()
  await rpc?.fetchAccounts([long])
  await rpc?.patient.fetchAccounts([long])
  for (const wallet of [31, 32].map(testAddress))
    await rawRequest(url, `/v1/launches/${genesis}/positions/${wallet}?network=chain-mainnet`)

  // A report is kept for a second.
  await expect.poll(line, { timeout: 20_000 }).toContain('first seen')
  const shown = await line()
  const since = String.raw`\(first seen 20[\dT:.-]+Z\)`
  for (const sentence of [
    'there are transactions of a version above 1, .* shown as incomplete',
    `account ${long} \\(launch\\) has 137 bytes, .* may be wrong or missing`,
    `launch ${genesis} has 1 parts? of a kind .* how many are missing`,
    'an endpoint runs version 99.1.0, newer than .* may behave differently',
  ])
    expect(shown).toMatch(new RegExp(`${sentence} ${since}`))
  expect(shown.match(/first seen/g)).toHaveLength(4)
  expect(shown).toMatch(/^rpc chain-mainnet: ok, /)
  expect(shown).not.toContain('127.0.0.1')
})
