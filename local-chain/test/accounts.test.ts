import type { Address } from '@solana/kit'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ChainAccount } from '../src/ledger/account.ts'
import { createAccounts } from '../src/ledger/accounts.ts'

const ADDRESSES = ['a', 'b', 'c'] as string[] as Address[]
const OWNERS = ['x', 'y'] as string[] as Address[]
const aChange = fc.tuple(
  fc.constantFrom(...ADDRESSES),
  fc.option(fc.tuple(fc.constantFrom(...OWNERS), fc.nat(9)), { nil: undefined }),
)
/** Slots pass, accounts change in them, and now and then all is final up to one of them. */
const aStory = fc.array(
  fc.record({ slots: fc.nat(2), changes: fc.array(aChange, { maxLength: 3 }), finalized: fc.nat(4) }),
  { maxLength: 12 },
)

test('the past is told as it was, for every slot that is not forgotten', () => {
  fc.assert(
    fc.property(aStory, story => {
      const accounts = createAccounts(() => undefined)
      // The plain way: the whole state, once for each slot.
      const states = new Map<number, Map<Address, ChainAccount>>()
      let [slot, oldest] = [10, 0]
      const state = new Map<Address, ChainAccount>()
      states.set(slot, new Map())
      for (const { slots, changes, finalized } of story) {
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
