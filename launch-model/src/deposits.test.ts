import {
  findLaunchPoolDepositV2Pda,
  findPresaleDepositV2Pda,
  getBpsFromScheduleV2,
  getLaunchPoolDepositV2AccountDataSerializer,
  getPresaleDepositV2AccountDataSerializer,
  Key,
} from '@metaplex-foundation/genesis'
import { some } from '@metaplex-foundation/umi'
import { createUmi } from '@metaplex-foundation/umi-bundle-defaults'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { depositAddress } from './addresses.ts'
import { decode, encode } from './bytes/codec.ts'
import { costInPool, costInPresale, paidOutOfPool, scheduledBps } from './deposits.ts'
import { launchPool } from './kinds/launch-pool.ts'
import { presale } from './kinds/presale.ts'
import { anyAddress, i64, u64 } from './testing/samples.ts'

test('a deposit is laid out as the official serializers lay it out', () => {
  const fields = fc.record({
    bump: fc.nat(255),
    claimed: fc.boolean(),
    index: fc.nat(2 ** 32 - 1),
    amountClaimed: u64,
    owner: anyAddress,
    bucket: anyAddress,
    timestamp: i64,
    amount: u64,
  })
  fc.assert(
    fc.property(fields, fc.boolean(), u64, (deposit, refunded, weighted) => {
      const { owner: depositor, amount: amountQuoteToken, ...rest } = deposit
      const common = { ...rest, depositor, amountQuoteToken } as never as object
      const inPool = getLaunchPoolDepositV2AccountDataSerializer().serialize({
        ...common,
        key: Key.LaunchPoolDepositV2,
        refunded,
        weightedQuoteToken: weighted,
      } as never)
      const key = launchPool.deposits.key
      expect(decode(launchPool.deposits.layout, inPool)).toEqual({ key, ...deposit, refunded, weighted })
      expect(encode(launchPool.deposits.layout, { key, ...deposit, refunded, weighted })).toEqual(inPool)
      const inPresale = getPresaleDepositV2AccountDataSerializer().serialize({
        ...common,
        key: Key.PresaleDepositV2,
        padding: [0],
      } as never)
      expect(decode(presale.deposits.layout, inPresale)).toEqual({ key: presale.deposits.key, ...deposit })
      expect(encode(presale.deposits.layout, { key: presale.deposits.key, ...deposit })).toEqual(inPresale)
    }),
    { numRuns: 50 },
  )
  expect([launchPool.deposits.key, presale.deposits.key]).toEqual([
    Key.LaunchPoolDepositV2,
    Key.PresaleDepositV2,
  ])
})

test('the address of a deposit is that of the official client', () => {
  fc.assert(
    fc.property(anyAddress, anyAddress, (bucket, recipient) => {
      const seeds = { bucket: bucket as never, recipient: recipient as never }
      const [inPool] = findLaunchPoolDepositV2Pda(umi, seeds)
      const [inPresale] = findPresaleDepositV2Pda(umi, seeds)
      expect(depositAddress('launchpoolV2', bucket, recipient)).toBe(inPool)
      expect(depositAddress('presaleV2', bucket, recipient)).toBe(inPresale)
    }),
    { numRuns: 10 },
  )
})
const umi = createUmi('http://127.0.0.1:1')

const bps = fc.bigInt(-20_000n, 20_000n)
const schedule = fc.record({
  slopeBps: bps,
  interceptBps: bps,
  maxBps: fc.bigInt(0n, 10_000n),
  duration: fc.bigInt(1n, 10_000n),
})

test('a schedule has the basis points of the official client at every time', () => {
  fc.assert(
    fc.property(schedule, fc.bigInt(0n, 12_000n), fc.option(fc.constant(1_000n)), (line, now, start) => {
      const met = start === null ? {} : { triggeredTimestamp: start }
      const official = getBpsFromScheduleV2(
        {
          ...line,
          reserved: new Uint8Array(64),
          startCondition: {
            __kind: 'Always',
            padding: [],
            triggeredTimestamp: start === null ? { __option: 'None' } : some(start),
          },
        },
        now,
      )
      expect(scheduledBps({ ...line, start: { kind: 'Always', ...met } }, now)).toBe(official)
    }),
    { numRuns: 300 },
  )
})

const line = (bps: bigint) => ({
  slopeBps: 0n,
  interceptBps: bps,
  maxBps: 10_000n,
  start: { kind: 'Always', triggeredTimestamp: 0n } as const,
  duration: 100n,
})
const pool = { depositFeeType: 0, depositFee: 200n, withdrawFeeType: 0, withdrawFee: 200n }
const SOL = 1_000_000_000n

test('a deposit’s fee comes out of the amount and its penalty on top, as the program charged 1.098 SOL for one', () => {
  const terms = { ...pool, extensions: { depositPenalty: line(1_000n), bonusSchedule: line(500n) } }
  expect(costInPool(terms, SOL, 50n)).toEqual({
    paid: 1_098_000_000n,
    fee: 20_000_000n,
    penalty: 98_000_000n,
    credited: 980_000_000n,
    weighted: 1_029_000_000n,
    partial: false,
  })
})

test('a withdrawal pays its fee first, and its penalty on the rest', () => {
  const terms = { ...pool, extensions: { withdrawPenalty: line(1_000n) } }
  expect(paidOutOfPool(terms, SOL, 50n)).toEqual({
    fee: 20_000_000n,
    penalty: 98_000_000n,
    receives: 882_000_000n,
  })
})

test('a presale’s cap cuts a deposit, and the fee is that of the part, as the program charged 1.020408163 SOL', () => {
  const sale = { ...pool, allocationQuoteTokenCap: SOL, quoteTokenDepositTotal: 0n }
  expect(costInPresale(sale, 5n * SOL)).toMatchObject({ paid: 1_020_408_163n, credited: SOL, partial: true })
  expect(costInPresale(sale, SOL)).toMatchObject({ paid: SOL, credited: 980_000_000n, partial: false })
})
