import { expect, test } from 'vitest'
import { isStarted } from './started-launches.tsx'

const LAUNCH = { name: 'Tidewater', symbol: 'TIDE', type: 'launchpool' }
const STARTED = {
  network: 'chain-mainnet',
  genesisAccount: 'genesis',
  mintAddress: 'mint',
  request: { wallet: 'wallet', launch: LAUNCH },
  signatures: ['a'],
  lastValidBlockHeight: 1,
  earlier: 0,
  confirmed: 0,
}

test('a launch that this browser has stored is used only if the record is complete', () => {
  expect(isStarted(STARTED)).toBe(true)
  const withAgent = (agent: unknown) => ({ ...STARTED, request: { ...STARTED.request, agent } })
  expect(isStarted(withAgent({ mint: 'agent', setToken: false }))).toBe(true)
  for (const broken of [
    null,
    {},
    { ...STARTED, signatures: [1] },
    { ...STARTED, mintAddress: undefined },
    { ...STARTED, request: { launch: LAUNCH } },
    { ...STARTED, request: { wallet: 'wallet', launch: { ...LAUNCH, name: {} } } },
    { ...STARTED, verification: null },
    withAgent(null),
    withAgent({ mint: 'agent' }),
    withAgent({ setToken: true }),
  ])
    expect(isStarted(broken), JSON.stringify(broken)).toBe(false)
})
