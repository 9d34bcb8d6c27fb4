import type { Address } from '@slipway/schema/address'
import { expect, test } from 'vitest'
import { launchPageUrl } from './listed-launch.ts'

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
