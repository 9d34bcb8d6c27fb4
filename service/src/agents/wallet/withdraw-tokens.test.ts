import { assetSignerAddress, associatedTokenAddress } from '@slipway/launch-model/addresses'
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM, WRAPPED_NATIVE_MINT } from '@slipway/launch-model/programs'
import { rentFor } from '@slipway/local-chain/conditions'
import { createKeypair, type Keypair } from '@slipway/local-chain/ledger/keypair'
import type { Address } from '@slipway/schema/address'
import { expect, test } from 'vitest'
import { useDemo } from '../../testing/demo.ts'
import { postJson } from '../../testing/demo-launches.ts'
import { startRpcProxy } from '../../testing/rpc-proxy.ts'
import { startTestService, useTestService } from '../../testing/test-service.ts'
import { fundedWallet, type Json, land } from '../test-mints.ts'
import {
  type Extension,
  hookTo,
  NON_TRANSFERABLE,
  pausable,
  TRANSFER_FEE,
  tokenWriter,
} from './test-tokens.ts'

const world = useDemo()
const service = useTestService(() => ({ config: world.config() }))
const FEE = 5_000n
const EXECUTE = rentFor(7) - rentFor(0)
const ACCOUNT_RENT = rentFor(165)
const SOL = 1_000_000_000n

/** An agent of the demo, its owner, and helpers that write tokens into its chain. */
function prepare(slug = 'tidewatch') {
  const { local } = world.chainOf()
  const { address, owner } = world.agent(slug) as unknown as { address: Address; owner: Keypair }
  const wallet = assetSignerAddress(address)
  const send = (path: string, body: object): Promise<{ status: number; body: Json }> =>
    postJson(`${service().url}/v1/agents/${address}/${path}`, { sender: owner.address, ...body })
  return {
    local,
    owner,
    wallet,
    ...tokenWriter(local),
    withdraw: (body: object) => send('withdraw', body),
    fund: (body: object) => send('fund', { memo: 'For the tide', ...body }),
    land: (built: Json, by = owner) => land(local, built, by),
    ownerAddress: owner.address as string as Address,
  }
}

const built = (amount: bigint, decimals: number) => ({
  status: 200,
  body: {
    success: true,
    tx: expect.any(String),
    blockhash: expect.any(Object),
    amount: `${amount}`,
    decimals,
  },
})

test.each(['patchbot', 'bellringer'])(
  '%s: wrapped currency arrives as native, to the unit, and the rent of its account with it',
  async slug => {
    const { wallet, withdraw, land, hold, tokens, lamports, ownerAddress } = prepare(slug)
    hold(wallet, WRAPPED_NATIVE_MINT, 1_234_567_891n)
    const before = { owner: lamports(ownerAddress), wallet: lamports(wallet) }
    const answer = await withdraw({ mint: WRAPPED_NATIVE_MINT, amount: 'all' })
    expect(answer).toEqual(built(1_234_567_891n, 9))
    expect(await land(answer.body)).toBeNull()
    expect(tokens(wallet, WRAPPED_NATIVE_MINT)).toBeUndefined()
    expect(lamports(wallet)).toBe(before.wallet)
    expect(lamports(ownerAddress)).toBe(before.owner + 1_234_567_891n + ACCOUNT_RENT - FEE - EXECUTE)
  },
)

test('after a part of the wrapped currency is withdrawn, the rest stays wrapped and the wallet’s own funds are unchanged', async () => {
  const { wallet, withdraw, land, hold, tokens, lamports, ownerAddress } = prepare()
  for (const [held, amount, units] of [
    [2n * SOL, '0.5', SOL / 2n],
    [7n, '0.000000001', 1n],
    [2n ** 53n + 1n, '9007199.254740992', 2n ** 53n],
  ] as const) {
    hold(wallet, WRAPPED_NATIVE_MINT, held)
    const before = { owner: lamports(ownerAddress), wallet: lamports(wallet) }
    const answer = await withdraw({ mint: WRAPPED_NATIVE_MINT, amount })
    expect(answer).toEqual(built(units, 9))
    expect(await land(answer.body)).toBeNull()
    expect(tokens(wallet, WRAPPED_NATIVE_MINT)).toBe(held - units)
    expect(lamports(wallet)).toBe(before.wallet)
    expect(lamports(ownerAddress)).toBe(before.owner + units - FEE - 3n * EXECUTE)
  }
})

test('withdrawing wrapped currency leaves no native currency in a wallet that had none', async () => {
  const { wallet, withdraw, land, hold, tokens, lamports } = prepare('quiet-engine')
  expect(await land((await withdraw({ amount: 'all' })).body)).toBeNull()
  expect(lamports(wallet)).toBe(0n)
  hold(wallet, WRAPPED_NATIVE_MINT, 3n)
  expect(await land((await withdraw({ mint: WRAPPED_NATIVE_MINT, amount: 0.000000001 })).body)).toBeNull()
  expect([lamports(wallet), tokens(wallet, WRAPPED_NATIVE_MINT)]).toEqual([0n, 2n])
})

test('withdrawing all native currency empties the wallet, and an empty wallet has nothing to withdraw', async () => {
  const { local, wallet, withdraw, land, lamports, ownerAddress } = prepare('archivist')
  local.airdrop(wallet as never, 1_000_000_007n)
  const [owner, held] = [lamports(ownerAddress), lamports(wallet)]
  const answer = await withdraw({ amount: 'all' })
  expect(answer).toEqual(built(held, 9))
  expect(await land(answer.body)).toBeNull()
  expect(lamports(wallet)).toBe(0n)
  expect(lamports(ownerAddress)).toBe(owner + held - FEE - EXECUTE)
  expect(await withdraw({ amount: 'all' })).toEqual({
    status: 400,
    body: {
      success: false,
      error: 'Insufficient balance',
      details: [{ path: ['amount'], message: 'holds nothing' }],
    },
  })
})

test.each([
  ['the token program', undefined],
  ['Token-2022', []],
  ['Token-2022 with a hook that calls nothing', [hookTo(undefined)]],
  ['Token-2022 with transfers that are not paused', [pausable(false)]],
] as [string, Extension[] | undefined][])('tokens of %s move exactly', async (_, extensions) => {
  const { wallet, withdraw, land, hold, mint, tokens, ownerAddress } = prepare()
  const program = extensions ? TOKEN_2022_PROGRAM : TOKEN_PROGRAM
  const token = mint({ decimals: 4, ...(extensions && { extensions }) })
  hold(wallet, token, 18_446_744_073_709_551_615n, { ...(extensions && { extensions }) })
  const first = await withdraw({ mint: token, amount: '1844674407370955.1614' })
  expect(first).toEqual(built(18_446_744_073_709_551_614n, 4))
  expect(await land(first.body)).toBeNull()
  expect([tokens(wallet, token, program), tokens(ownerAddress, token, program)]).toEqual([1n, 2n ** 64n - 2n])
  expect(await land((await withdraw({ mint: token, amount: 0.0001 })).body)).toBeNull()
  expect(tokens(wallet, token, program)).toBe(0n)
})

test('a token that takes a fee arrives without it', async () => {
  const { wallet, withdraw, land, hold, mint, tokens, ownerAddress } = prepare()
  const extensions = [TRANSFER_FEE]
  const token = mint({ extensions })
  hold(wallet, token, 100_000n, { extensions })
  expect(await land((await withdraw({ mint: token, amount: 'all' })).body)).toBeNull()
  expect(tokens(wallet, token, TOKEN_2022_PROGRAM)).toBe(0n)
  expect(tokens(ownerAddress, token, TOKEN_2022_PROGRAM)).toBe(99_000n)
})

test('tokens in several accounts are taken from as many as needed', async () => {
  const { wallet, withdraw, land, hold, mint, tokens, ownerAddress } = prepare()
  const token = mint({ decimals: 0 })
  hold(wallet, token, 5n)
  for (const amount of [4n, 3n, 2n, 1n, 1n])
    hold(wallet, token, amount, { address: createKeypair().address as string as Address })
  expect(await land((await withdraw({ mint: token, amount: 8 })).body)).toBeNull()
  expect([tokens(wallet, token), tokens(ownerAddress, token)]).toEqual([0n, 8n])
  const rest = await withdraw({ mint: token, amount: 'all' })
  expect(rest).toEqual(built(8n, 0))
  expect(await land(rest.body)).toBeNull()
  expect(tokens(ownerAddress, token)).toBe(16n)
})

test('a token that can’t be transferred is refused with the reason', async () => {
  const { wallet, withdraw, hold, mint, ownerAddress } = prepare()
  const refusal = async (body: object) => {
    const { status, body: answer } = await withdraw({ amount: 'all', ...body })
    return [status, answer.error, answer.details?.[0]?.message]
  }
  const restricted = async (extensions: Extension[]) => {
    const token = mint({ extensions })
    hold(wallet, token, 5n, { extensions })
    return refusal({ mint: token })
  }
  const why = "This token's transfers are restricted"
  expect(await restricted([NON_TRANSFERABLE])).toEqual([409, why, 'can never be transferred'])
  expect(await restricted([pausable(true)])).toEqual([409, why, 'has paused its transfers'])
  expect(await restricted([TRANSFER_FEE, hookTo(wallet)])).toEqual([
    409,
    why,
    'calls a program of its own for each transfer',
  ])
  const frozen = mint()
  hold(wallet, frozen, 5n, { isFrozen: true })
  expect(await refusal({ mint: frozen })).toEqual([409, 'This token account is frozen', undefined])
  const frozenAtHome = mint()
  hold(wallet, frozenAtHome, 5n)
  hold(ownerAddress, frozenAtHome, 5n, { isFrozen: true })
  expect(await refusal({ mint: frozenAtHome })).toEqual([409, 'This token account is frozen', undefined])
  const given = mint()
  hold(wallet, given, 5n)
  hold(createKeypair().address as string as Address, given, 5n, {
    address: associatedTokenAddress(given, ownerAddress, TOKEN_PROGRAM),
  })
  expect(await refusal({ mint: given })).toEqual([
    409,
    "Someone else controls this wallet's token account",
    undefined,
  ])
})

test('a mint that pretends to be wrapped currency is a token like any other', async () => {
  const { wallet, withdraw, land, hold, mint, tokens, lamports, ownerAddress } = prepare()
  const fake = mint({ name: 'Wrapped SOL', symbol: 'SOL', decimals: 9 })
  hold(wallet, fake, 5n * SOL)
  const before = lamports(ownerAddress)
  expect(await land((await withdraw({ mint: fake, amount: 'all' })).body)).toBeNull()
  expect(tokens(ownerAddress, fake)).toBe(5n * SOL)
  expect(lamports(ownerAddress)).toBe(before - ACCOUNT_RENT - FEE - EXECUTE)
})

test('if there are more accounts than a node returns, only the associated one is used, but a busy node is a failure', async () => {
  const { local, wallet, ownerAddress, hold, mint } = prepare()
  const proxy = await startRpcProxy(local.rpcUrl)
  const { url } = await startTestService({
    config: { ...world.config(), rpcUrls: { 'chain-mainnet': [proxy.url], 'chain-devnet': [] } },
  })
  const token = mint()
  hold(wallet, token, 7n)
  const withdraw = () =>
    postJson(`${url}/v1/agents/${world.agent('tidewatch').address}/withdraw`, {
      sender: ownerAddress,
      mint: token,
      amount: 'all',
    })
  const onScan = (status: number, body: object) => (method: string) =>
    method === 'getTokenAccountsByOwner' ? { status, body } : undefined
  for (const code of [-32012, -32010]) {
    proxy.behave = onScan(200, { jsonrpc: '2.0', error: { code, message: 'too many' } })
    expect(await withdraw()).toMatchObject({ status: 200, body: { amount: '7' } })
  }
  proxy.behave = onScan(503, {})
  expect((await withdraw()).status).toBe(500)
})

test('amounts that the token can’t have are refused, never rounded', async () => {
  const { wallet, withdraw, hold, mint } = prepare()
  const token = mint({ decimals: 2 })
  hold(wallet, token, 1_000n)
  const answer = async (amount: unknown, more: object = { mint: token }) => {
    const { status, body } = await withdraw({ amount, ...more })
    return [status, body.error ?? body.amount]
  }
  for (const amount of [
    0,
    '1e3',
    'ALL',
    null,
    [1],
    '0.001',
    0.001,
    1e20,
    '184467440737095516.16',
    '9'.repeat(20),
  ])
    expect([amount, await answer(amount)]).toEqual([amount, [400, 'Invalid input data']])
  expect(await answer('10.01')).toEqual([400, 'Insufficient balance'])
  expect(await answer('184467440737095516.15')).toEqual([400, 'Insufficient balance'])
  expect(await answer('10.000')).toEqual([200, '1000'])
  expect(await answer('007')).toEqual([200, '700'])
  for (const amount of ['18446744073.709551616', '0.0000000001', 0.0000000001, 9007199.254740993])
    expect([amount, await answer(amount, {})]).toEqual([amount, [400, 'Invalid input data']])
  expect((await answer('18446744073.709551615', {}))[0]).toBe(200)
})

test('input, agent and owner are checked in this order, before the token', async () => {
  const { withdraw, owner } = prepare()
  const stranger = createKeypair().address
  const { url } = service()
  const to = (address: string, body: object) => postJson(`${url}/v1/agents/${address}/withdraw`, body)
  const body = { sender: owner.address, mint: stranger, amount: 'all' }
  const refused = (status: number, error: string) => ({ status, body: { success: false, error } })
  expect(await to(stranger, { ...body, mint: 'junk' })).toEqual(refused(400, 'Invalid input data'))
  expect(await to(stranger, body)).toEqual(refused(404, 'Agent not found'))
  expect(await withdraw({ ...body, sender: stranger })).toEqual(
    refused(403, 'Only the agent owner can withdraw funds'),
  )
  expect(await withdraw(body)).toEqual({
    status: 400,
    body: {
      ...refused(0, 'Invalid input data').body,
      details: [{ path: 'mint', message: 'is not a token' }],
    },
  })
})

test('anyone can pay tokens to an agent, and native currency that arrives wrapped', async () => {
  const { local, wallet, fund, land, hold, mint, tokens, lamports } = prepare('night-heron')
  const sender = fundedWallet(local)
  const from = sender.address as string as Address
  for (const extensions of [undefined, [TRANSFER_FEE]]) {
    const token = mint({ decimals: 3, ...(extensions && { extensions }) })
    hold(from, token, 2_500n, { ...(extensions && { extensions }) })
    const program = extensions ? TOKEN_2022_PROGRAM : TOKEN_PROGRAM
    expect(await land((await fund({ sender: from, mint: token, amount: '1.5' })).body, sender)).toBeNull()
    const last = await fund({ sender: from, mint: token, amount: 'all', memo: '🌊'.repeat(141) })
    expect(last).toEqual(built(1_000n, 3))
    expect(await land(last.body, sender)).toBeNull()
    expect([tokens(from, token, program), tokens(wallet, token, program)]).toEqual([
      0n,
      extensions ? 2_475n : 2_500n,
    ])
  }
  const before = lamports(from)
  expect(
    await land((await fund({ sender: from, mint: WRAPPED_NATIVE_MINT, amount: 1 })).body, sender),
  ).toBeNull()
  expect(tokens(wallet, WRAPPED_NATIVE_MINT)).toBe(SOL)
  expect(lamports(from)).toBe(before - SOL - ACCOUNT_RENT - FEE)
  const rest = await fund({ sender: from, mint: WRAPPED_NATIVE_MINT, amount: 'all' })
  expect(rest).toEqual(built(lamports(from) - FEE, 9))
  expect(await land(rest.body, sender)).toBeNull()
  expect(lamports(from)).toBe(0n)
})

test('a sender’s whole native balance is everything except the fee', async () => {
  const { local, wallet, fund, land, lamports } = prepare('night-heron')
  const sender = fundedWallet(local)
  const from = sender.address as string as Address
  const [had, held] = [lamports(from), lamports(wallet)]
  expect(await land((await fund({ sender: from, amount: 'all' })).body, sender)).toBeNull()
  expect([lamports(from), lamports(wallet)]).toEqual([0n, held + had - FEE])
  expect(await fund({ sender: from, amount: 'all' })).toMatchObject({
    status: 400,
    body: { error: 'Insufficient balance' },
  })
})

test('a payment that can’t succeed is refused with the reason', async () => {
  const { local, wallet, fund, hold, mint } = prepare()
  const from = fundedWallet(local).address as string as Address
  const token = mint({ decimals: 0 })
  hold(from, token, 5n)
  const answer = async (body: object) => {
    const { status, body: given } = await fund({ sender: from, amount: 1, mint: token, ...body })
    return [status, given.error, given.details?.[0]?.message]
  }
  expect(await answer({ amount: 6 })).toEqual([400, 'Insufficient balance', 'has 5 tokens, needs 6 tokens'])
  expect(await answer({ mint: wallet })).toEqual([400, 'Invalid input data', 'is not a token'])
  hold(wallet, token, 0n, { isFrozen: true })
  expect(await answer({})).toEqual([409, 'This token account is frozen', undefined])
  const extensions = [NON_TRANSFERABLE]
  expect(await answer({ mint: mint({ extensions }) })).toEqual([
    409,
    "This token's transfers are restricted",
    'can never be transferred',
  ])
  const poor = createKeypair().address as string as Address
  const other = mint()
  hold(poor, other, 5_000_000n)
  expect(await answer({ sender: poor, mint: other })).toEqual([
    409,
    'This transaction would fail on the chain',
    expect.any(String),
  ])
})
