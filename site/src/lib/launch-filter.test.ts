import { expect, test } from 'vitest'
import { directoryHref, isEverything, parseLaunchFilter, toLaunchRequest } from './launch-filter.ts'

const NETWORKS = ['chain-mainnet', 'chain-devnet']
const parse = (search: string) => parseLaunchFilter(new URLSearchParams(search), NETWORKS)

test('a filter and its address say the same, and values that mean nothing are ignored', () => {
  for (const href of [
    '/?status=live&mechanic=presaleV2&sort=raised&network=chain-devnet&q=Tide+%26+sea&cursor=abc',
    '/?sort=newest',
    '/',
  ])
    expect(directoryHref(parse(href.slice(2)), NETWORKS)).toBe(href)
  expect(directoryHref(parse('status=gone&network=x&q=++&sort=odd&mechanic=&cursor='), NETWORKS)).toBe('/')
  expect(parse(`q=${'a'.repeat(65)}`).text).toHaveLength(64)
})

test('a request has what was chosen, and no empty search', () => {
  expect(toLaunchRequest(parse('status=live&q=tide'))).toEqual({
    network: 'chain-mainnet',
    status: 'live',
    mechanic: undefined,
    sort: 'activity',
    query: 'tide',
  })
  expect(toLaunchRequest(parse(''))).not.toHaveProperty('query')
})

test('only a list without filters, from its start, has everything', () => {
  expect(['', 'sort=raised', 'network=chain-devnet'].map(search => isEverything(parse(search)))).toEqual([
    true,
    true,
    true,
  ])
  for (const search of ['status=live', 'mechanic=presaleV2', 'q=a', 'cursor=x'])
    expect(isEverything(parse(search))).toBe(false)
})
