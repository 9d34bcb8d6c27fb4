import { expect, test } from 'vitest'
import { parseWebLink } from './links.ts'

test('a host with accents is accepted as often as it is sent', () => {
  const parsed = new Set(Array.from({ length: 20_000 }, () => parseWebLink('https://café.example/é')))
  expect([...parsed]).toEqual(['https://xn--caf-dma.example/%C3%A9'])
})
