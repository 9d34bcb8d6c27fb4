import { buildOwnerChangeText as buildTextOfService } from '@slipway/schema/owner-change'
import { digestJson } from '@slipway/service/lib/digest-json'
import { getBase58Decoder } from '@solana/kit'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeBase58, encodeBase58 } from './base58.ts'
import { formatAmount } from './format-amount.ts'
import { buildOwnerChangeText } from './owner-change.ts'

const ADDRESS = '11111111111111111111111111111111' as never
const WHEN = { issuedAt: '2026-11-16T12:00:00.000Z', nonce: '0123456789abcdef' }

test('the text to sign is the one that the service checks', async () => {
  await fc.assert(
    fc.asyncProperty(fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue()), async given => {
      // The signed text covers the JSON that is sent.
      const card = JSON.parse(JSON.stringify(given))
      const sha256 = digestJson(card)
      fc.pre(sha256 !== undefined)
      const common = { network: 'chain-devnet', address: ADDRESS } as const
      expect(
        await buildOwnerChangeText(
          { ...common, purpose: 'replace agent card', deployment: 'https://a.example/', card },
          WHEN,
        ),
      ).toBe(
        buildTextOfService({
          ...common,
          ...WHEN,
          purpose: 'replace agent card',
          deployment: 'https://a.example',
          sha256: sha256 as string,
        }),
      )
    }),
    { numRuns: 30 },
  )
  const removal = { purpose: 'remove agent card', deployment: 'https://a.example', address: ADDRESS } as const
  expect(await buildOwnerChangeText(removal, WHEN)).toBe(
    buildTextOfService({ ...removal, ...WHEN, network: 'chain-mainnet' }),
  )
})

test('base58 is written as kit writes it, and read back', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 70 }), fc.nat(3), (bytes, zeros) => {
      const given = Uint8Array.from([...Array(zeros).fill(0), ...bytes])
      expect(encodeBase58(given)).toBe(getBase58Decoder().decode(given))
      expect(decodeBase58(encodeBase58(given))).toEqual(given)
    }),
  )
})

test('amounts are formatted exactly', () => {
  expect(formatAmount(4_190_000_000n, 9)).toBe('4.19')
  expect(formatAmount('1', 9)).toBe('0.000000001')
  expect(formatAmount(0, 9)).toBe('0')
  expect(formatAmount(-1_500n, 3)).toBe('-1.5')
  expect(formatAmount(7, 0)).toBe('7')
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), fc.nat(18), (units, decimals) => {
      const [whole = '', fraction = ''] = formatAmount(units, decimals).split('.')
      expect(BigInt(whole + fraction.padEnd(decimals, '0'))).toBe(units)
    }),
  )
})
