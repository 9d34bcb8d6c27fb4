import { planDeposit, planTrigger, type StepGroup } from '@slipway/launch-model/plan-deposit'
import type { Owed } from '@slipway/launch-model/position'
import { createKeypair } from '@slipway/local-chain/ledger/keypair'
import type { Address } from '@slipway/schema/address'
import { beforeEach, expect, test } from 'vitest'
import { packGroups } from '../../chain/transactions/pack-groups.ts'
import { toTime } from './build-position.ts'
import { openBuilder } from './builder.ts'
import { planClaims } from './claim.ts'
import { chooseWrapped } from './deposit.ts'
import { SOL, startSale, TIMES } from './test-sale.ts'

type Opened = Awaited<ReturnType<typeof openBuilder>>
let opened: Opened
let bucket: { kind: 'launchpoolV2'; address: Address }
beforeEach(async () => {
  const sale = await startSale()
  sale.advanceTo(TIMES.start)
  bucket = { kind: 'launchpoolV2', address: sale.bucket }
  const wallet = sale.wallet().address
  opened = await openBuilder(sale.parts, { genesis: sale.genesis, wallet, priorityFee: 0n }, [])
})

const someBuckets = (count: number) =>
  Array.from({ length: count }, () => ({ kind: 'unlockedV2' as const, address: createKeypair().address }))
const behaviors = (count: number) => ({
  kind: 'behaviors' as const,
  bucket,
  destinations: someBuckets(count),
})
const proceeds = (triggers: Owed['triggers']): Owed => ({
  kind: 'unlocked',
  bucket: { kind: 'unlockedV2', address: createKeypair().address },
  tokens: 5n,
  quote: 7n,
  triggers,
})
const options = { unwraps: false, hasFeeAccount: true }
const namesOf = ({ steps }: StepGroup) => steps.map(({ call }) => call.kind.name)

test('proceeds are claimed only in the transaction that sends them', () => {
  const claim: Owed = { ...proceeds([]), kind: 'claim', bucket }
  const trigger = behaviors(1)
  const both = [claim, proceeds([trigger]), proceeds([trigger])]
  const { owed, groups } = planClaims(opened.funds, both, options)
  expect(owed).toHaveLength(3)
  expect(groups.map(namesOf)).toEqual([
    ['claimFromLaunchPool'],
    ['triggerBehaviors', 'claimUnlocked', 'claimUnlocked'],
  ])
  expect(planClaims(opened.funds, [proceeds([]), proceeds([])], options).groups.map(namesOf)).toEqual([
    ['claimUnlocked'],
    ['claimUnlocked'],
  ])
})

test('if the triggers leave no room for the claim, they are sent first, and nothing is received yet', () => {
  const { owed, groups } = planClaims(opened.funds, [proceeds([behaviors(7)])], options)
  expect(groups.map(namesOf)).toEqual([['triggerBehaviors']])
  expect(owed).toMatchObject([{ kind: 'start', tokens: 0n, quote: 0n }])
})

test('instructions that must run together and are too long for a transaction are refused with the reason', () => {
  const trigger = planTrigger(opened.funds, behaviors(12))
  expect(() => packGroups([trigger], opened.funds, opened.recent.blockhash)).toThrow(
    expect.objectContaining({
      code: 'TRANSACTION_WOULD_FAIL',
      details: [{ path: '', message: 'The launch involves more buckets than one transaction has room for' }],
    }),
  )
})

test('the compute limit grows with the buckets that a trigger is about', () => {
  const units = (count: number) => planTrigger(opened.funds, behaviors(count)).units
  expect(units(4) - units(1)).toBeGreaterThanOrEqual(3 * 20_000)
  const references = (count: number) =>
    planTrigger(opened.funds, {
      kind: 'conditions',
      bucket,
      references: someBuckets(count).map(({ address }) => address),
    }).units
  expect(references(4)).toBeGreaterThan(references(1))
  const deposit = planDeposit(opened.funds, bucket, { amount: 1n, wraps: 1n })
  const all = [...Array.from({ length: 4 }, () => planTrigger(opened.funds, behaviors(1))), deposit]
  for (const { steps } of packGroups(all, opened.funds, opened.recent.blockhash))
    expect(steps[0]?.call.args).toMatchObject({ units: expect.toSatisfy(units => units <= 1_400_000) })
})

test('for a growing penalty, more is wrapped than is due now, within the limit and the balance', () => {
  const choose = (has: bigint, maxCost?: bigint) =>
    chooseWrapped({ paid: SOL, worst: SOL + 90n, maxCost, has })
  expect(choose(2n * SOL)).toBe(SOL + 90n)
  expect(choose(2n * SOL, SOL + 5n)).toBe(SOL + 5n)
  expect(choose(2n * SOL, 3n * SOL)).toBe(SOL + 90n)
  expect(choose(SOL)).toBe(SOL)
})

test('a time beyond the calendar is shown as its last instant', () => {
  expect(toTime(2n ** 63n)).toBe('9999-12-31T23:59:59.000Z')
  expect(toTime(-(2n ** 63n))).toBe('1970-01-01T00:00:00.000Z')
  expect(toTime(1_000_000_000n)).toBe('2001-09-09T01:46:40.000Z')
})
