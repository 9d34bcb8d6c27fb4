import { bucketSignerAddress } from '@slipway/launch-model/addresses'
import { type Call, encodeCall } from '@slipway/launch-model/call'
import {
  claimDepositCall,
  claimUnlockedCall,
  depositCall,
  refundCall,
  triggerBehaviorsCall,
  triggerConditionsCall,
  withdrawCall,
} from '@slipway/launch-model/calls/deposits'
import { graduateCall } from '@slipway/launch-model/calls/graduate'
import { GUARD_UNITS } from '@slipway/launch-model/plan-deposit'
import { TOKEN_PROGRAM, WRAPPED_NATIVE_MINT } from '@slipway/launch-model/programs'
import { fundsSteps } from '@slipway/launch-model/trade/wrap-native'
import { rentFor } from '@slipway/local-chain/conditions'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { depositsWithUmi } from '../../official-clients/deposits-with-umi.ts'
import { stockUmi } from '../../official-clients/stock-umi.ts'
import { anyAddress, u64 } from '../accounts/test-accounts.ts'
import { packGroups } from './pack-groups.ts'

const aCase = fc.record({
  genesis: anyAddress,
  address: anyAddress,
  other: anyAddress,
  mint: anyAddress,
  owner: anyAddress,
  payer: anyAddress,
  amount: u64,
  environment: fc.constantFrom('mainnet' as const, 'devnet' as const),
  paysCreator: fc.boolean(),
})

const encoded = (call: Call) => {
  const { program, accounts, data } = encodeCall(call)
  return {
    program,
    accounts: accounts.map(({ address, role }) => [address, role]),
    data: Buffer.from(data).toString('hex'),
  }
}

test('every instruction about deposits has the accounts and bytes of the official builders', () => {
  fc.assert(
    fc.property(
      aCase,
      ({ genesis, address, other, mint, owner, payer, amount, environment, paysCreator }) => {
        const tokens = {
          base: { mint, program: TOKEN_PROGRAM },
          quote: { mint: WRAPPED_NATIVE_MINT, program: TOKEN_PROGRAM },
        }
        const parties = { owner, payer }
        for (const kind of ['launchpoolV2', 'presaleV2'] as const) {
          const at = { genesis, tokens, bucket: { kind, address } }
          const official = depositsWithUmi(stockUmi(payer), at, { ...parties, amount })
          expect(encoded(depositCall(at, parties, amount))).toEqual(official.deposit)
          expect(encoded(claimDepositCall(at, parties))).toEqual(official.claim)
          if (kind === 'presaleV2') continue
          expect(encoded(withdrawCall(at, parties, amount))).toEqual(official.withdraw)
          expect(encoded(refundCall(at, parties))).toEqual(official.refund)
          expect(encoded(triggerConditionsCall(at, [other], payer))).toEqual(official.conditions([other]))
          const destinations = [
            { kind: 'unlockedV2' as const, address: other },
            { kind: 'raydiumCpmmV2' as const, address: owner },
          ]
          expect(encoded(triggerBehaviorsCall(at, destinations, payer))).toEqual(
            official.behaviors([
              { bucket: other, holder: other },
              { bucket: owner, holder: bucketSignerAddress(owner) },
            ]),
          )
          expect(
            encoded(graduateCall({ genesis, bucket: address, tokens, environment, paysCreator, payer })),
          ).toEqual(official.graduate(environment, paysCreator))
        }
        const unlocked = { genesis, tokens, bucket: { kind: 'unlockedV2' as const, address } }
        const official = depositsWithUmi(stockUmi(payer), unlocked, { ...parties, amount })
        expect(encoded(claimUnlockedCall(unlocked, parties))).toEqual(official.unlocked)
      },
    ),
    { numRuns: 6 },
  )
})

test('graduation leaves 100 bytes for instructions that a wallet adds, and the rest goes into a transaction of its own', () => {
  fc.assert(
    fc.property(aCase, ({ genesis, address, other, mint, payer, environment, paysCreator, owner }) => {
      const tokens = {
        base: { mint, program: TOKEN_PROGRAM },
        quote: { mint: WRAPPED_NATIVE_MINT, program: TOKEN_PROGRAM },
      }
      const at = { genesis, tokens, bucket: { kind: 'launchpoolV2' as const, address: other } }
      const funds = {
        tokens,
        trader: payer,
        payer,
        isAgent: false,
        holds: { hasBase: true, quote: undefined },
        accountRent: rentFor(165),
        priorityFee: 1n,
      }
      const { free } = fundsSteps(funds)
      const graduate = graduateCall({ genesis, bucket: address, tokens, environment, paysCreator, payer })
      const trigger = triggerBehaviorsCall(at, [{ kind: 'raydiumCpmmV2', address }], payer)
      const groups = [trigger, graduate].map(call => ({ units: GUARD_UNITS, steps: [free(call)] }))
      const sizes = packGroups(groups, funds, owner).map(({ tx }) => Buffer.from(tx, 'base64').length)
      expect(sizes).toHaveLength(2)
      for (const size of sizes) expect(size).toBeLessThanOrEqual(1_132)
    }),
    { numRuns: 5 },
  )
})
