import { expect, test } from 'vitest'
import { createHeavyReads } from '../../chain/heavy-reads.ts'
import { RpcError } from '../../chain/rpc/fault.ts'
import { addressOf } from '../../testing/launch-rows.ts'
import { createHolders } from './holders.ts'

const mint = addressOf('mint')

test('launches of one token share one read of its largest accounts', async () => {
  let reads = 0
  const holders = createHolders({
    rpc: {
      async fetchLargestAccounts() {
        reads += 1
        const details = { code: -32601, endpoint: 'node', detail: 'unknown method', attempts: 1 }
        throw new RpcError('getTokenLargestAccounts', { kind: 'unable', ...details })
      },
    },
    market: { read: async () => ({}) as never },
    heavyReads: createHeavyReads(),
    environment: 'mainnet',
  })
  const read = (name: string) => holders.read({ genesis: addressOf(name), mint, agent: undefined }, 'client')
  for (const result of await Promise.allSettled([read('first'), read('second')]))
    expect(result).toMatchObject({ status: 'rejected', reason: { code: 'HOLDERS_UNAVAILABLE' } })
  expect(reads).toBe(1)
})
