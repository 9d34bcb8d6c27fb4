import { transactionBuilder } from '@metaplex-foundation/umi'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { launchStepsWithUmi } from '../../../official-clients/launch-with-umi.ts'
import { serializeUnsigned, stockUmi } from '../../../official-clients/stock-umi.ts'
import { anyAddress } from '../../accounts/test-accounts.ts'
import { compileTransaction, TRANSACTION_BYTES_MAX } from '../compile-transaction.ts'
import type { LaunchPlan } from './launch-plan.ts'
import { listLaunchSteps } from './launch-steps.ts'
import { packSteps } from './pack-steps.ts'
import { anyPlan } from './test-plans.ts'

const BLOCKHASH = fc.sample(anyAddress, 1)[0] as string

test('every step of a launch has the same bytes as one from the official builders', () => {
  fc.assert(
    fc.property(anyPlan, plan => {
      const umi = stockUmi(plan.wallet)
      const official = launchStepsWithUmi(umi, plan).map(step => serializeUnsigned(umi, step, BLOCKHASH))
      const ours = listLaunchSteps(plan).map(({ instructions }) =>
        compileTransaction(plan.wallet, instructions, BLOCKHASH),
      )
      expect(ours).toEqual(official)
    }),
    { numRuns: 40 },
  )
}, 120_000)

test('a packed launch has the same bytes as the same steps together from the official builders', () => {
  fc.assert(
    fc.property(anyPlan, plan => {
      const umi = stockUmi(plan.wallet)
      const steps = launchStepsWithUmi(umi, plan)
      let at = 0
      for (const transaction of packSteps(plan.wallet, listLaunchSteps(plan), BLOCKHASH)) {
        expect(Buffer.byteLength(transaction, 'base64')).toBeLessThanOrEqual(TRANSACTION_BYTES_MAX)
        const sizes = steps.slice(at).map((_, count) => count + 1)
        const found = sizes.find(count => officialBytes(plan, steps.slice(at, at + count)) === transaction)
        at += found ?? Number.NaN
      }
      expect(at).toBe(steps.length)
    }),
    { numRuns: 15 },
  )
}, 120_000)

function officialBytes(
  { wallet }: LaunchPlan,
  steps: ReturnType<typeof launchStepsWithUmi>,
): string | undefined {
  const umi = stockUmi(wallet)
  try {
    return serializeUnsigned(umi, transactionBuilder().add(steps), BLOCKHASH)
  } catch {
    // Umi refuses to serialize what is far too large.
    return undefined
  }
}
