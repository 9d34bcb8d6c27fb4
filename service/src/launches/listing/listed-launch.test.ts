import type { Address } from '@slipway/schema/address'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { launchRecord } from '../../testing/launch-rows.ts'
import { buildLaunchData, createListedLaunch, launchPageUrl } from './listed-launch.ts'

const address = 'FfRoem2QSNzGXctC4bEf9JXXg4fN7HqbEFomB3rYtJuw' as Address

test.each([
  ['https://a.example/launches/{genesisAddress}', '', '?network=chain-devnet'],
  ['https://a.example/?launch={genesisAddress}', '', '&network=chain-devnet'],
])('%s gets any network except the default as a query parameter', (pattern, byDefault, onDevnet) => {
  const page = pattern.replace('{genesisAddress}', address)
  expect(launchPageUrl(pattern, 'chain-mainnet', address)).toBe(page + byDefault)
  expect(launchPageUrl(pattern, 'chain-devnet', address)).toBe(page + onDevnet)
})

test('a pattern may contain the network and may end in a fragment', () => {
  const pattern = 'https://{network}.a.example/{genesisAddress}'
  expect(launchPageUrl(pattern, 'chain-mainnet', address)).toBe(`https://chain-mainnet.a.example/${address}`)
  expect(launchPageUrl('https://a.example/{genesisAddress}#top', 'chain-devnet', address)).toBe(
    `https://a.example/${address}?network=chain-devnet#top`,
  )
})

test('a listed launch is written as JSON.stringify writes it', () => {
  const text = fc.string({ unit: 'binary' })
  const time = fc.date({ noInvalidDate: true })
  const record = fc.record({
    genesisAddress: fc.constant(address),
    mechanic: fc.constantFrom('launchpoolV2' as const, 'presaleV2' as const),
    spotlight: fc.boolean(),
    startsAt: time,
    endsAt: time,
    graduatedAt: fc.option(time),
    lastActivityAt: time,
    heroUrl: fc.option(text),
    website: text,
    socials: fc.record({ x: text, telegram: text }, { requiredKeys: [] }),
    token: fc.record({
      address: fc.constant(address),
      name: text,
      symbol: text,
      image: text,
      description: text,
    }),
  })
  fc.assert(
    fc.property(record, text, (fields, launchPage) => {
      const launch = { ...launchRecord('any'), ...fields }
      const { json } = createListedLaunch(launch, launchPage, 0)
      expect(json).toBe(JSON.stringify(buildLaunchData(launch, launchPage, 0)))
    }),
  )
})
