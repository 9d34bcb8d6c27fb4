import type { Address } from '@solana/kit'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ChainAccount } from './account.ts'
import { createAccounts } from './accounts.ts'

const ADDRESSES = ['a', 'b', 'c'] as string[] as Address[]
const OWNERS = ['x', 'y'] as string[] as Address[]
const aChange = fc.tuple(
  fc.constantFrom(...ADDRESSES),
  fc.option(fc.tuple(fc.constantFrom(...OWNERS), fc.nat(9)), { nil: undefined }),
)
/** Each step advances some slots, changes some accounts and finalizes everything up to some slot. */
const someSteps = fc.array(
  fc.record({ slots: fc.nat(2), changes: fc.array(aChange, { maxLength: 3 }), finalized: fc.nat(4) }),
  { maxLength: 12 },
)

test('the state at every slot since the last finalized one can be read exactly as it was', () => {
  fc.assert(
    fc.property(someSteps, steps => {
      const accounts = createAccounts(() => undefined)
      // The model: a full copy of the state for each slot.
      const states = new Map<number, Map<Address, ChainAccount>>()
      let [slot, oldest] = [10, 0]
      const state = new Map<Address, ChainAccount>()
      states.set(slot, new Map())
      for (const { slots, changes, finalized } of steps) {
        for (let n = 0; n < slots; n++) states.set(++slot, new Map(state))
        const made = new Map(
          changes.map(([address, change]) => [
            address,
            change && {
              owner: change[0],
              lamports: BigInt(change[1]),
              data: new Uint8Array(),
              executable: false,
            },
          ]),
        )
        accounts.apply(slot, accounts.differing(made))
        for (const [address, account] of made) {
          if (account) state.set(address, account)
          else state.delete(address)
        }
        states.set(slot, new Map(state))
        oldest = Math.max(oldest, slot - finalized)
        accounts.finalize(oldest)

        for (const [at, known] of states) {
          if (at < oldest) continue
          for (const address of ADDRESSES) expect(accounts.getAt(address, at)).toEqual(known.get(address))
          for (const owner of OWNERS) {
            const expected = [...known].filter(([, account]) => account.owner === owner)
            expect(new Map(accounts.ownedBy(owner, at))).toEqual(new Map(expected))
          }
        }
        for (const owner of OWNERS) {
          const expected = [...state].filter(([, account]) => account.owner === owner)
          expect(new Map(accounts.ownedBy(owner))).toEqual(new Map(expected))
        }
      }
    }),
    { numRuns: 300 },
  )
})
