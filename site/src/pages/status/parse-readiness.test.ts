import { expect, test } from 'vitest'
import { describeDetail, parseReadiness } from './parse-readiness.ts'

test('each line becomes a part with its state and its figures', () => {
  const text = [
    'store: ok, answered in 400.5 ms',
    'rpc chain-mainnet: ok, slot 7 in 3.1 ms, 1 of 1 endpoints up',
    'indexer chain-devnet: ok, indexed by this node, 900 slots (360.0 s) behind',
    'trades chain-mainnet: ok, complete for 48 of 48 launches',
    'trades chain-devnet: ok, complete for 3 of 48 launches',
    'queue chain-mainnet: ok, newer than this page',
    'listings: failing, unreachable',
    'site: ok, 0 pages being rendered, 2 waiting, 1 restart',
    '<b>nothing of ours</b>',
  ].join('\n')
  const { isReady, parts, note } = parseReadiness(text, 503)
  expect([isReady, note]).toEqual([false, undefined])
  expect(parts.map(({ name, state, ms, slotsBehind }) => [name, state, ms, slotsBehind])).toEqual([
    ['Database', 'slow', 400.5, undefined],
    ['Chain, Mainnet', 'ok', 3.1, undefined],
    ['Index, Devnet', 'slow', undefined, 900],
    ['Trades, Mainnet', 'ok', undefined, undefined],
    ['Trades, Devnet', 'ok', undefined, undefined],
    ['queue chain-mainnet', 'ok', undefined, undefined],
    ['Listings', 'failing', undefined, undefined],
    ['Pages', 'ok', undefined, undefined],
  ])
  expect(parts.filter(({ isPartial }) => isPartial).map(({ name }) => name)).toEqual(['Trades, Devnet'])
})

test('a start, a stop, and an operator who keeps the details private have no parts', () => {
  expect(parseReadiness('starting: opening the database\n', 503)).toEqual({
    isReady: false,
    parts: [],
    note: 'starting: opening the database',
  })
  expect(parseReadiness('ready\n', 200)).toEqual({ isReady: true, parts: [], note: undefined })
  expect(parseReadiness('<html>502</html>', 503)).toEqual({ isReady: false, parts: [], note: undefined })
})

test('people read round numbers, singulars and the names of networks', () => {
  expect(describeDetail('1 pages being rendered, 0 waiting, 1 restarts')).toBe(
    '1 page being rendered, 0 waiting, 1 restart',
  )
  expect(describeDetail('11 pages being rendered')).toBe('11 pages being rendered')
  expect(describeDetail("0.0 s behind the database's")).toBe('In step with the database’s')
  expect(describeDetail("2.5 s ahead of the database's")).toBe('2.5 s ahead of the database’s')
  expect(describeDetail('slot 379007 in 111.7 ms, 1 launches on chain-devnet')).toBe(
    'Slot 379,007 in 112 ms, 1 launch on Devnet',
  )
})
