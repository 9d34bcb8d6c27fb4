import type { Address } from '@slipway/schema/address'
import { expect, test } from 'vitest'
import { launchPageUrl } from './launch-page.ts'

const address = 'FfRoem2QSNzGXctC4bEf9JXXg4fN7HqbEFomB3rYtJuw' as Address

test.each([
  ['https://a.example/launches/{genesisAddress}', '', '?network=chain-devnet'],
  ['https://a.example/?launch={genesisAddress}', '', '&network=chain-devnet'],
])('%s names the other network in a parameter', (pattern, usual, other) => {
  const page = pattern.replace('{genesisAddress}', address)
  expect(launchPageUrl(pattern, 'chain-mainnet', address)).toBe(page + usual)
  expect(launchPageUrl(pattern, 'chain-devnet', address)).toBe(page + other)
})

test('a pattern may say where the network goes, and may end in a fragment', () => {
  const pattern = 'https://{network}.a.example/{genesisAddress}'
  expect(launchPageUrl(pattern, 'chain-mainnet', address)).toBe(`https://chain-mainnet.a.example/${address}`)
  expect(launchPageUrl('https://a.example/{genesisAddress}#top', 'chain-devnet', address)).toBe(
    `https://a.example/${address}?network=chain-devnet#top`,
  )
})
