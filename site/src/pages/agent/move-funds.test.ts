import type { Agent, Slipway, WalletToken } from '@slipway/client'
import { WRAPPED_NATIVE_MINT } from '@slipway/launch-model/programs'
import { expect, test } from 'vitest'
import { createMove, listAssets } from './move-funds.ts'

const tokenOf = (mint: string, fields: Partial<WalletToken> = {}): WalletToken => ({
  ...{
    mint,
    amount: '1480000000',
    decimals: 9,
    symbol: 'KELP',
    name: 'Kelp',
    known: true,
    restriction: null,
  },
  ...fields,
})
const agent = { address: 'agent', walletAddress: 'wallet', name: 'Tidewatch' } as Agent
const TOKENS = [
  tokenOf(WRAPPED_NATIVE_MINT),
  tokenOf('kelp', { restriction: 'fee' }),
  tokenOf('stranger', { known: false }),
  tokenOf('stuck', { restriction: 'frozen' }),
]

test('only what can be moved is offered, and a token that is not known is named with its mint', () => {
  const namesOf = (way: 'fund' | 'withdraw') => listAssets(way, '5', TOKENS).map(({ symbol }) => symbol)
  expect(namesOf('withdraw')).toEqual(['SOL', 'wrapped SOL', 'KELP', 'KELP stranger'])
  // Wrapped SOL is paid in as SOL.
  expect(namesOf('fund')).toEqual(['SOL', 'KELP', 'KELP stranger'])
})

test('all wrapped SOL is withdrawn as a whole, and the page says what that brings', async () => {
  const asked: unknown[] = []
  const slipway = {
    agents: {
      withdraw: async (...request: unknown[]) => {
        asked.push(request[1])
        return { tx: 'bytes', blockhash: {} }
      },
    },
  } as unknown as Slipway
  const [, wrapped] = listAssets('withdraw', '5', TOKENS)
  const moveOf = (units: bigint) =>
    createMove(slipway, {
      ...{ way: 'withdraw', agent, network: 'chain-mainnet', sender: 'owner', note: '' },
      ...{ asset: wrapped as NonNullable<typeof wrapped>, units },
    })
  const { signal } = new AbortController()
  expect(await moveOf(1_480_000_000n).build(signal)).toMatchObject({
    income: [{ units: 1_480_000_000n, symbol: 'SOL' }],
    intent: { kind: 'withdraw-token', amount: 'all' },
  })
  expect(await moveOf(480_000_000n).build(signal)).not.toHaveProperty('income')
  expect(asked).toMatchObject([{ amount: 'all' }, { amount: '0.48' }])
  expect(moveOf(480_000_000n).paymentNote).toBe('1 wrapped SOL stays in the agent’s wallet')
  expect(moveOf(1_480_000_000n).paymentNote).toBeUndefined()
})
