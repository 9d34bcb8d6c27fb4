import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { associatedTokenAddress } from '@slipway/launch-model/addresses'
import { TOKEN_PROGRAM } from '@slipway/launch-model/programs'
import { createKeypair } from '@slipway/local-chain/ledger/keypair'
import { decodeTokenAccount } from '@slipway/local-chain/ledger/token-balances'
import type { Address } from '@slipway/schema/address'
import { expect, onTestFinished, test } from 'vitest'
import { useDemo } from '../testing/demo.ts'
import { demoLaunch, demoWallet, postJson, submitBuilt } from '../testing/demo-launches.ts'
import { useRegistered } from '../testing/registering.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const SOL = 1_000_000_000n
const world = useDemo()
const LAUNCHES = [
  'patchbot',
  'mudlark',
  'harbour-cat',
  'tidewater',
  'paper-lighthouse',
  'low-water',
  'first-light',
  'full-house',
  'ravelin',
]
const service = useRegistered(world, LAUNCHES)

const swap = (slug: string, body: object) =>
  postJson(`${service().url}/v1/launches/${demoLaunch(world, slug).genesisAddress}/swap`, body)
const tokensOf = (owner: Address, slug: string) => {
  const address = associatedTokenAddress(demoLaunch(world, slug).mint, owner, TOKEN_PROGRAM)
  return decodeTokenAccount(world.chainOf().local.chain.account(address))?.amount ?? 0n
}
const aWallet = () => demoWallet(world)
const submit = submitBuilt.bind(undefined, world)

test.each(['patchbot', 'harbour-cat'])(
  'a wallet buys and sells %s with transactions from the API, for what was quoted',
  async slug => {
    const wallet = aWallet()
    const { status, body } = await swap(slug, { wallet: wallet.address, side: 'buy', amount: 123_456_789 })
    expect([status, body.success, body.quote.venue]).toEqual([
      200,
      true,
      slug === 'patchbot' ? 'curve' : 'pool',
    ])
    await submit(body, wallet)
    const bought = tokensOf(wallet.address, slug)
    expect(bought).toBe(BigInt(body.quote.amountOut))
    const sold = await swap(slug, { wallet: wallet.address, side: 'sell', amount: `${bought}` })
    await submit(sold.body, wallet)
    expect(tokensOf(wallet.address, slug)).toBe(0n)
  },
)

test('invalid requests are refused with the fields that are wrong', async () => {
  const wallet = createKeypair().address
  const order = { wallet, side: 'buy', amount: '1000000' }
  const pathsOf = async (body: object) => {
    const { status, body: answer } = await swap('patchbot', body)
    expect([status, answer.success, answer.error]).toEqual([400, false, 'Invalid input data'])
    return answer.details.map(({ path }: { path: string }) => path)
  }
  expect(await pathsOf({})).toEqual(['wallet', 'side', 'amount'])
  for (const amount of [0, 1.5, -1, '1e9', '18446744073709551616', 2 ** 53, null])
    expect(await pathsOf({ ...order, amount })).toEqual(['amount'])
  expect(await pathsOf({ ...order, slippageBps: 1, minAmountOut: '1' })).toEqual(['minAmountOut'])
  expect(await pathsOf({ ...order, payer: wallet, agent: wallet })).toEqual(['payer'])
  expect(await pathsOf({ ...order, slippageBps: 5_001 })).toEqual(['slippageBps'])
  expect(await pathsOf({ ...order, priorityFee: 10_000_001 })).toEqual(['priorityFee'])
  const nowhere = await postJson(`${service().url}/v1/launches/${wallet}/swap`, order)
  expect(nowhere).toEqual({ status: 404, body: { success: false, error: 'Launch not found' } })
})

test('a launch in each state answers with its reason, in quotes and in swaps', async () => {
  const wallet = aWallet().address
  const { visitor } = world.chainOf().world
  const expected: Record<string, string> = {
    tidewater: 'This launch takes deposits, not trades',
    'low-water': 'Trading has not started',
    'first-light': 'The reserved first buy is still open',
    'full-house': 'This launch is sold out and has not graduated yet',
  }
  for (const [slug, message] of Object.entries(expected)) {
    const order = { side: 'buy', amount: `${SOL}` }
    const { genesisAddress } = demoLaunch(world, slug)
    const response = await fetch(
      `${service().url}/v1/launches/${genesisAddress}/quote?${new URLSearchParams(order)}`,
    )
    expect([slug, response.status, await response.json()]).toEqual([slug, 409, { error: { message } }])
    expect(await swap(slug, { ...order, wallet })).toEqual({
      status: 409,
      body: { success: false, error: message },
    })
  }
  const partial = await swap('ravelin', { wallet, side: 'buy', amount: `${9n * SOL}` })
  expect(partial.body.quote.partial).toBe(true)
  const first = await swap('first-light', { wallet: visitor.address, side: 'buy', amount: `${SOL}` })
  await submit(first.body, visitor)
  expect(tokensOf(visitor.address, 'first-light')).toBe(BigInt(first.body.quote.amountOut))
  expect((await swap('first-light', { wallet, side: 'buy', amount: `${SOL}` })).status).toBe(200)
})

test('examples/buy.js and the programs in the guide “Taking part” trade and deposit', async () => {
  const env = { ...process.env, DATA_DIR: dirname(world.demo.demoFile), SLIPWAY_URL: service().url }
  const example = await promisify(execFile)(process.execPath, [join(root, 'examples/buy.js')], { env })
  expect(example.stdout).toMatch(
    /^buy {8}0\.5 SOL for [\d.]+ PATCH \(curve\)\nat least {3}[\d.]+ PATCH\nconfirmed {2}\w{80,}\nsell {7}[\d.]+ PATCH for [\d.]+ SOL \(curve\)\nat least {3}[\d.]+ SOL\nconfirmed {2}\w{80,}\n$/,
  )
  const folder = mkdtempSync(join(tmpdir(), 'slipway-guide-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  const guide = readFileSync(join(root, 'docs/guides/taking-part.md'), 'utf8')
  for (const [, name, code] of guide.matchAll(/^```js (\S+)\n(.*?)^```/gms))
    writeFileSync(join(folder, name as string), code as string)
  const runProgram = async (name: string) =>
    (await promisify(execFile)(process.execPath, [name, world.demo.demoFile], { cwd: folder, env })).stdout
  expect(await runProgram('trade.mjs')).toMatch(
    /^buy 0\.1 for [\d.]+\nconfirmed \w{80,}\nsell [\d.]+ for 0\.09\d+\nconfirmed \w{80,}\n$/,
  )
  expect(await runProgram('deposit.mjs')).toMatch(
    /^deposit 0\.5 SOL \(fee 0\.01 SOL\)\nconfirmed \w{80,}\ndeposited 0\.49 SOL\n(.*\n)*withdraw: possible now\n/,
  )
})
