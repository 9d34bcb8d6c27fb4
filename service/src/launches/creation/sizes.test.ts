import { readFileSync } from 'node:fs'
import { publicKey } from '@metaplex-foundation/umi'
import { assetSignerAddress } from '@slipway/launch-model/addresses'
import type { LaunchPlan } from '@slipway/launch-model/plan/launch-plan'
import { listLaunchSteps } from '@slipway/launch-model/plan/launch-steps'
import { SYSTEM_PROGRAM } from '@slipway/launch-model/programs'
import { createKeypair } from '@slipway/local-chain/ledger/keypair'
import { VersionedTransaction } from '@solana/web3.js'
import { expect, test } from 'vitest'
import { encodeStep, packSteps } from '../../chain/transactions/launch/pack-steps.ts'
import { documentUrl } from '../../metadata/own-documents.ts'
import { curveInput, payloadOf, planOf, poolInput } from './test-launches.ts'

const key = () => createKeypair().address
const [wallet, mint, asset] = [key(), key(), key()]
const other = { publicKey: publicKey(key()) } as never
const AGENT = { agentWallet: assetSignerAddress(asset) }

const LONGEST = {
  name: 'x'.repeat(32),
  symbol: 'x'.repeat(10),
  uri: documentUrl('x'.repeat(110), 'a'.repeat(64)),
}

const transactionsOf = (
  payload: object,
  agent?: LaunchPlan['agent'],
  token: Partial<LaunchPlan['token']> = {},
): string[] => {
  const plan = planOf(payload, { mint, agent, token })
  return packSteps(plan, listLaunchSteps(plan), wallet)
}

const sizesOf = (...parameters: Parameters<typeof transactionsOf>): number[] =>
  transactionsOf(...parameters).map(transaction => Buffer.byteLength(transaction, 'base64'))

/** The chain's default limit, because Slipway sets none: it is lower for instructions of built-in programs. */
function unitLimitsOf(...parameters: Parameters<typeof sizesOf>): number[] {
  return transactionsOf(...parameters).map(transaction => {
    const { message } = VersionedTransaction.deserialize(Buffer.from(transaction, 'base64'))
    return message.compiledInstructions.reduce((sum, { programIdIndex }) => {
      const program = message.staticAccountKeys[programIdIndex]?.toBase58()
      expect(program).not.toBe('ComputeBudget111111111111111111111111111111')
      return sum + (program === SYSTEM_PROGRAM ? 3_000 : 200_000)
    }, 0)
  })
}

test('docs/launches.md has the size and the compute limit of every transaction, and each leaves room for instructions of a wallet', () => {
  const agent = { asset, setsToken: false }
  const withToken = { asset, setsToken: true }
  const bought = { firstBuyAmount: 0.1 }
  const launches: Record<string, Parameters<typeof sizesOf>> = {
    'launch pool': [payloadOf(poolInput(wallet))],
    'launch pool, agent': [payloadOf(poolInput(wallet, {}, AGENT)), agent],
    "launch pool, agent's token": [payloadOf(poolInput(wallet, {}, AGENT)), withToken],
    'bonding curve': [payloadOf(curveInput(wallet))],
    'bonding curve, first buy': [payloadOf(curveInput(wallet, bought))],
    'bonding curve, first buy by another wallet': [
      payloadOf(curveInput(wallet, { ...bought, firstBuyWallet: other })),
    ],
    'bonding curve, agent': [payloadOf(curveInput(wallet, {}, AGENT)), agent],
    "bonding curve, agent's token": [payloadOf(curveInput(wallet, {}, AGENT)), withToken],
    'bonding curve, agent, first buy': [payloadOf(curveInput(wallet, bought, AGENT)), agent],
    "bonding curve, agent's token, first buy": [payloadOf(curveInput(wallet, bought, AGENT)), withToken],
  }
  const page = readFileSync(new URL('../../../../docs/launches.md', import.meta.url), 'utf8')
  const number = (value: number) => value.toLocaleString('en')
  for (const [name, parameters] of Object.entries(launches)) {
    const bytes = sizesOf(...parameters)
    const limits = unitLimitsOf(...parameters).map(units => number(units))
    const row = page.split('\n').find(line => line.startsWith(`| ${name} | `))
    expect(row).toBe(`| ${name} | ${bytes.join(', ')} | ${limits.join('; ')} |`)
    expect(Math.max(...bytes)).toBeLessThanOrEqual(1_232 - 96)
  }
})

test('the largest launch that the API accepts fits', () => {
  const agent = { asset, collection: key(), setsToken: true }
  const curve = payloadOf(curveInput(wallet, { firstBuyAmount: 0.1, firstBuyWallet: other }, AGENT))
  // As many buckets as the API accepts. One instruction names all of them.
  const pool = payloadOf(poolInput(wallet, {}, AGENT))
  const [{ launchpoolV2 }, unlocked] = pool.launch.allocations
  launchpoolV2.fundFlows.push(...Array(6).fill(launchpoolV2.fundFlows[0]))
  pool.launch.allocations.push(...Array(6).fill(unlocked))
  for (const payload of [curve, pool])
    expect(Math.max(...sizesOf(payload, agent, LONGEST))).toBeLessThanOrEqual(1_232 - 96)
})

test('the transaction that creates a curve also adds its extensions', () => {
  for (const launch of [{}, { firstBuyAmount: 0.1 }, { firstBuyAmount: 0.1, firstBuyWallet: other }])
    for (const token of [{}, LONGEST])
      for (const agent of [undefined, { asset, setsToken: true }]) {
        const payload = payloadOf(curveInput(wallet, launch, agent ? AGENT : {}))
        const plan = planOf(payload, { mint, agent, token })
        const steps = listLaunchSteps(plan)
        const transactions = packSteps(plan, steps, wallet).map(packed => Buffer.from(packed, 'base64'))
        const transactionOf = (name: string) => {
          const step = steps.find(one => one.name === name) as (typeof steps)[number]
          const data = Buffer.from(encodeStep(plan, step)[0]?.data ?? [])
          return transactions.findIndex(transaction => transaction.includes(data))
        }
        expect(transactionOf('bonding curve')).toBeGreaterThanOrEqual(0)
        expect(transactionOf('extensions of the bonding curve')).toBe(transactionOf('bonding curve'))
      }
})
