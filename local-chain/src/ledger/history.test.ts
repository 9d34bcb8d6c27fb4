import type { Address } from '@solana/kit'
import { expect, test } from 'vitest'
import { createHistory, type LandedTransaction } from './history.ts'
import { createKeypair } from './keypair.ts'

/** The bytes of a transaction without signatures. */
const wireOf = (message: string) => Uint8Array.from([0, ...Buffer.from(message)])

test('old transactions are dropped, except those whose blockhash could still be valid', () => {
  const history = createHistory(3)
  const [a, b] = [createKeypair().address, createKeypair().address]
  const add = (signature: string, slot: number, keys: Address[]) =>
    history.add({ signature, slot, keys, wire: wireOf(signature) } as unknown as LandedTransaction)
  const of = (address: Address) => [...history.ofAddress(address)].map(tx => tx.signature)
  for (let n = 0; n < 5; n++) add(`early${n}`, n, n === 0 ? [b] : [a])
  expect(of(a)).toEqual(['early4', 'early3', 'early2', 'early1'])
  // All transactions beyond the limit are dropped as soon as they are old enough.
  add('late', 303, [a])
  expect(of(a)).toEqual(['late', 'early4', 'early3'])
  expect([of(b), history.get('early0'), history.inSlot(0), history.count()]).toEqual([[], undefined, [], 6])
  expect(['early0', 'early3', 'late'].map(name => history.hasMessage(Buffer.from(name)))).toEqual([
    false,
    true,
    true,
  ])
})
