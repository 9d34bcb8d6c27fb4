import { expect, test } from 'vitest'
import { FIRST_FLOW, isSameLaunch, type LaunchEvent, reduceLaunch } from './launch-flow.ts'
import type { StartedLaunch } from './started-launches.tsx'

const STARTED = {
  network: 'chain-mainnet',
  genesisAccount: 'genesis',
  request: { launch: { name: 'Glasswater', symbol: 'GLW' } },
} as unknown as StartedLaunch

const follow = (...events: LaunchEvent[]) => events.reduce(reduceLaunch, FIRST_FLOW)

test('a draft with the name and the symbol of a launch that was begun on the same network is that launch', () => {
  const draft = { name: ' Glasswater ', symbol: 'GLW' }
  expect(isSameLaunch(draft, 'chain-mainnet', STARTED)).toBe(true)
  expect(isSameLaunch(draft, 'chain-devnet', STARTED)).toBe(false)
  expect(isSameLaunch({ ...draft, symbol: 'GLASS' }, 'chain-mainnet', STARTED)).toBe(false)
})

test('a fault of the API stays at its field until that field is edited', () => {
  const refusal = { faults: { name: 'Too long', symbol: 'Taken' }, others: ['Not now'] }
  const flow = follow({ type: 'refused', refusal }, { type: 'edited', change: { name: 'Tidewater' } })
  expect(flow.refusal).toEqual({ faults: { symbol: 'Taken' }, others: ['Not now'] })
  expect(reduceLaunch(flow, { type: 'submitted' }).refusal).toEqual({ faults: {}, others: [] })
})

test('a proof of an account is kept until the link or the launch changes', () => {
  const account = { username: 'tidewater', token: 'token', expiresAt: new Date(0) }
  const verified = follow({ type: 'verified', account })
  expect(reduceLaunch(verified, { type: 'edited', change: { name: 'Other' } }).verified).toBe(account)
  expect(reduceLaunch(verified, { type: 'edited', change: { social: '@other' } }).verified).toBeUndefined()
  expect(reduceLaunch(verified, { type: 'registered' }).verified).toBeUndefined()
})

test('why a launch could not be continued is forgotten when it is continued', () => {
  const stopped = follow({ type: 'not-continued', genesisAccount: 'genesis', text: 'No' })
  expect(stopped.problem).toMatchObject({ genesisAccount: 'genesis', text: 'No' })
  expect(reduceLaunch(stopped, { type: 'continued', started: STARTED }).problem).toBeUndefined()
  expect(reduceLaunch(stopped, { type: 'completed', started: STARTED })).toMatchObject({
    complete: STARTED,
    problem: undefined,
  })
})
