import type { Address } from '@slipway/schema/address'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { PoolState } from '../chain/accounts/pool-state.ts'
import { claimableOf, compareRewards, type Reward } from './read-rewards.ts'

const wallet = '11111111111111111111111111111111' as Address
const u64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })
const pool = (quote: bigint, base: bigint): PoolState => ({
  environment: 'mainnet',
  creatorFees: { base, quote },
  heldFees: { base, quote },
})

test('if accrued counts up forever, exactly what was not claimed yet is claimable', () => {
  fc.assert(
    fc.property(u64, u64, (owed, claimed) => {
      const fee = { wallet, accrued: claimed + owed, claimed }
      expect(claimableOf(fee)).toEqual({ claimable: owed, uncollected: 0n })
    }),
  )
})

test('if a claim resets accrued, all of it is claimable, whatever was claimed before', () => {
  fc.assert(
    fc.property(u64, u64, (accrued, more) => {
      const claimed = accrued + more + 1n
      expect(claimableOf({ wallet, accrued, claimed }).claimable).toBe(accrued)
    }),
  )
})

test('nothing is claimable if nothing is accrued or all of it is claimed', () => {
  fc.assert(
    fc.property(u64, amount => {
      expect(claimableOf({ wallet, accrued: amount, claimed: amount }).claimable).toBe(0n)
      expect(claimableOf({ wallet, accrued: 0n, claimed: amount }).claimable).toBe(0n)
    }),
  )
})

test('quote fees in the pool are added; base fees are not', () => {
  fc.assert(
    fc.property(u64, u64, u64, u64, (accrued, claimed, quote, base) => {
      const fee = { wallet, accrued, claimed }
      const { claimable, uncollected } = claimableOf(fee, pool(quote, base))
      expect(claimable).toBe(claimableOf(fee).claimable + quote)
      expect(uncollected).toBe(quote)
    }),
  )
  expect(claimableOf({ wallet, accrued: 0n, claimed: 0n }, pool(0n, 5n)).claimable).toBe(0n)
})

test('rewards sort largest first, ties by address, whatever their original order', () => {
  const reward = fc
    .record({ claimable: fc.bigInt({ min: 0n, max: 3n }), address: fc.uuid() })
    .map(fields => fields as unknown as Reward)
  fc.assert(
    fc.property(
      fc.uniqueArray(reward, { selector: ({ address }) => address }),
      fc.infiniteStream(fc.nat()),
      (rewards, random) => {
        const sorted = [...rewards].sort(compareRewards)
        const shuffled = rewards
          .map(reward => ({ reward, at: random.next().value }))
          .sort((a, b) => a.at - b.at)
        expect(shuffled.map(({ reward }) => reward).sort(compareRewards)).toEqual(sorted)
        for (const [at, { claimable, address }] of sorted.entries()) {
          const before = sorted[at - 1]
          if (!before) continue
          expect(before.claimable >= claimable).toBe(true)
          if (before.claimable === claimable) expect(before.address < address).toBe(true)
        }
      },
    ),
  )
})
