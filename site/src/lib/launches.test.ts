import { expect, test } from 'vitest'
import { PARAMETER_VALUES } from '../server/protocol.ts'
import { changeFilter, directoryHref, isEverything, parseLaunchFilter, toLaunchRequests } from './launches.ts'

const NETWORKS = ['chain-mainnet', 'chain-devnet']
const parse = (search: string) => parseLaunchFilter(new URLSearchParams(search), NETWORKS)

test('a filter and its address say the same, and values that mean nothing are ignored', () => {
  for (const href of [
    '/?status=live&mechanic=presaleV2&sort=raised&network=chain-devnet&q=Tide+%26+sea&cursor=abc',
    '/?sort=newest',
    '/?sort=activity',
    '/?status=closed&sort=raised',
    '/',
  ])
    expect(directoryHref(parse(href.slice(2)), NETWORKS)).toBe(href)
  expect(directoryHref(parse('status=gone&network=x&q=++&sort=odd&mechanic=&cursor='), NETWORKS)).toBe('/')
  expect(parse(`q=${'a'.repeat(65)}`).text).toHaveLength(64)
})

test('the server renders every status that the directory links to', () => {
  for (const status of ['live', 'upcoming', 'closed', 'graduated'] as const) {
    const address = directoryHref(changeFilter(parse(''), { status }), NETWORKS)
    expect(address).toBe(`/?status=${status}`)
    expect(PARAMETER_VALUES.status).toContain(status)
  }
})

test('a request has what was chosen, and no empty search', () => {
  expect(toLaunchRequests(parse('status=live&q=tide'))).toEqual([
    {
      network: 'chain-mainnet',
      status: 'live',
      closed: false,
      mechanic: undefined,
      sort: 'activity',
      query: 'tide',
    },
  ])
  expect(toLaunchRequests(parse('sort=newest'))[0]).not.toHaveProperty('query')
})

test('all launches are asked for by what people can do with them, unless another order is chosen', () => {
  expect(toLaunchRequests(parse('')).map(({ status, closed, sort }) => [status, closed, sort])).toEqual([
    ['live', false, 'activity'],
    ['upcoming', undefined, 'ending'],
    ['live', true, 'ending'],
    ['graduated', undefined, 'activity'],
  ])
  expect(toLaunchRequests(parse('sort=raised'))).toHaveLength(1)
})

test('another filter keeps the order that was chosen, and otherwise has its usual one', () => {
  const change = (search: string, changes: object) =>
    directoryHref(changeFilter(parse(search), changes), NETWORKS)
  expect(change('status=live', { status: undefined })).toBe('/')
  expect(change('', { status: 'closed' })).toBe('/?status=closed')
  expect(change('sort=raised', { status: 'closed' })).toBe('/?status=closed&sort=raised')
  expect(change('status=live&cursor=x', { sort: 'newest' })).toBe('/?status=live&sort=newest')
  expect(change('q=tide', { text: '' })).toBe('/')
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
