import { createKeypair } from '@slipway/local-chain/ledger/keypair'
import { Connection } from '@solana/web3.js'
import { expect, test } from 'vitest'
import { useDemo } from '../testing/demo.ts'
import { postJson } from '../testing/demo-launches.ts'
import { startTestService, useTestService } from '../testing/test-service.ts'
import { fundedWallet, land } from './test-mints.ts'

const world = useDemo()
const shared = useTestService(() => ({ config: world.config() }))

function prepare(service = shared()) {
  const { local } = world.chainOf()
  const sender = fundedWallet(local)
  const fund = (address: string, change: object = {}) =>
    postJson(`${service.url}/v1/agents/${address}/fund`, {
      sender: sender.address,
      amount: 0.25,
      memo: 'For the next tide table',
      ...change,
    })
  return { ...service, local, sender, fund }
}

const balance = (address: string) => world.chainOf().local.chain.account(address as never)?.lamports ?? 0n

test.each(['patchbot', 'archivist'])(
  '%s: the sender signs, and exactly the amount arrives with the memo',
  async slug => {
    const agent = world.agent(slug)
    const { fund, local, sender } = prepare()
    const [wallet, before] = [balance(agent.wallet), balance(sender.address)]
    const memo = 'Für die nächste Tide 🌊'
    const { status, body } = await fund(agent.address, { memo, amount: 0.012345679 })
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        success: true,
        tx: expect.any(String),
        blockhash: { blockhash: expect.any(String), lastValidBlockHeight: expect.any(Number) },
      },
    })
    expect(await land(local, body, sender)).toBeNull()
    expect(balance(agent.wallet)).toBe(wallet + 12_345_679n)
    expect(balance(sender.address)).toBe(before - 12_345_679n - 5_000n)
    const [last] = await new Connection(local.rpcUrl, 'confirmed').getSignaturesForAddress(
      { toBase58: () => agent.wallet } as never,
      { limit: 1 },
    )
    expect(last?.memo).toBe(`[${Buffer.byteLength(memo)}] ${memo}`)
  },
)

test('invalid input is refused before the chain is read, and the invalid fields are named', async () => {
  const rpcUrls = { 'chain-mainnet': ['http://127.0.0.1:9'], 'chain-devnet': [] }
  const { fund } = prepare(await startTestService({ config: { ...world.config(), rpcUrls } }))
  const { address } = world.agent('patchbot')
  const invalid = (...paths: string[]) => ({
    status: 400,
    body: {
      success: false,
      error: 'Invalid input data',
      details: paths.map(path => ({ path, message: expect.stringMatching(/^(is|must) /) })),
    },
  })
  for (const change of [
    { sender: 'junk' },
    { sender: undefined },
    { amount: 0 },
    { amount: '1e0' },
    { amount: 0.1234567891 },
    { memo: undefined },
    { memo: '' },
    { memo: 7 },
    { memo: 'x'.repeat(257) },
    { memo: '\u0007' },
    { memo: 'a\nb' },
    { memo: '\ud800' },
    { memo: '🌊'.repeat(142) },
    { network: 'moonnet' },
    { network: 'chain-devnet' },
  ]) {
    const [field = ''] = Object.keys(change)
    expect({ change, ...(await fund(address, change)) }).toEqual({ change, ...invalid(field) })
  }
  expect(await fund(address, { sender: undefined, memo: undefined })).toEqual(invalid('sender', 'memo'))
  expect(await fund('junk')).toEqual(invalid('address'))
  expect(await fund(address)).toEqual({
    status: 500,
    body: { success: false, error: 'Failed to prepare fund transaction' },
  })
})

test('the longest memos are accepted and land', async () => {
  const { fund, local, sender } = prepare()
  for (const memo of ['x'.repeat(256), '🌊'.repeat(141)]) {
    const { body } = await fund(world.agent('patchbot').address, { memo })
    expect(await land(local, body, sender)).toBeNull()
  }
})

test('only registered agents can be funded', async () => {
  const { fund } = prepare()
  for (const address of [
    world.agent('unregistered').address,
    createKeypair().address,
    world.agent('patchbot').owner.address,
  ])
    expect(await fund(address)).toEqual({ status: 404, body: { success: false, error: 'Agent not found' } })
})

test('an agent that the store knows is not reported as missing because one endpoint lacks it', async () => {
  const { fund, connection } = prepare()
  const agent = world.agent('patchbot')
  expect((await fund(agent.address)).status).toBe(200)
  const { url } = await startTestService({ connection, config: world.config() })
  await fetch(`${url}/v1/agents/${agent.address}`)
  const { local } = world.chainOf()
  const account = local.chain.account(agent.address as never)
  if (!account) throw new Error('the demo has no such agent')
  local.chain.writeAccounts(new Map([[agent.address as never, undefined]]) as never)
  try {
    expect((await fund(agent.address)).status).toBe(500)
  } finally {
    local.chain.writeAccounts(new Map([[agent.address as never, account]]) as never)
  }
})
