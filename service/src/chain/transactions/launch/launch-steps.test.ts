import { firstBuyTokens } from '@slipway/launch-model/plan/launch-plan'
import { listLaunchSteps } from '@slipway/launch-model/plan/launch-steps'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { quoteFirstBuy } from '../../../official-clients/first-buy-with-umi.ts'
import { countSteps, launchStepsWithUmi, launchWithUmi } from '../../../official-clients/launch-with-umi.ts'
import { serializeUnsigned, stockUmi } from '../../../official-clients/stock-umi.ts'
import { anyAddress } from '../../accounts/test-accounts.ts'
import { compileTransaction, measureTransaction, TRANSACTION_BYTES_MAX } from '../compile-transaction.ts'
import { encodeStep, packSteps } from './pack-steps.ts'
import { anyCurve, anyFirstBuy, anyPlan } from './test-plans.ts'

const BLOCKHASH = fc.sample(anyAddress, 1)[0] as string

test('every step of a launch has the same bytes as one from the official builders', () => {
  fc.assert(
    fc.property(anyPlan, plan => {
      const umi = stockUmi(plan.wallet)
      const official = launchStepsWithUmi(umi, plan).map(step => serializeUnsigned(umi, step, BLOCKHASH))
      const steps = listLaunchSteps(plan)
      const encoded = steps.map(step => encodeStep(plan, step))
      const ours = encoded.map(instructions => compileTransaction(plan.wallet, instructions, BLOCKHASH))
      expect(ours).toEqual(official)
      expect(encoded.map(instructions => measureTransaction(plan.wallet, instructions))).toEqual(
        ours.map(transaction => Buffer.byteLength(transaction, 'base64')),
      )
    }),
    { numRuns: 15 },
  )
})

test('a first buy accepts exactly what the official client expects from it', () => {
  fc.assert(
    fc.property(anyCurve, anyFirstBuy, (curve, firstBuy) => {
      expect(firstBuyTokens(curve, firstBuy.amount)).toBe(quoteFirstBuy(curve, firstBuy.amount))
    }),
    { numRuns: 300 },
  )
})

test('a packed launch has the same bytes as the same steps together from the official builders', () => {
  fc.assert(
    fc.property(anyPlan, plan => {
      const umi = stockUmi(plan.wallet)
      const packed = packSteps(plan, listLaunchSteps(plan), BLOCKHASH)
      const counts = countSteps(umi, plan, BLOCKHASH, packed)
      expect(launchWithUmi(umi, plan, BLOCKHASH, counts)).toEqual(packed)
      const steps = listLaunchSteps(plan)
      expect(counts.reduce((sum, count) => sum + count)).toBe(steps.length)
      // A curve that exists without its extensions would be open to everyone.
      for (const count of counts)
        expect(steps.splice(0, count)[0]?.name).not.toBe('extensions of the bonding curve')
      for (const transaction of packed)
        expect(Buffer.byteLength(transaction, 'base64')).toBeLessThanOrEqual(TRANSACTION_BYTES_MAX)
    }),
    { numRuns: 6 },
  )
})
