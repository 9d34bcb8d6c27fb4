import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CONDITIONS, LAST_SPRING } from './conditions.ts'
import { createKeypair } from './ledger/keypair.ts'
import { systemTransfer } from './ledger/system-instructions.ts'
import { startLocalChain } from './start-local-chain.ts'
import { openJournal } from './storage/journal.ts'
import { call, fundedKeypair, startChain, submit, temporaryFolder } from './testing/start-chain.ts'

test.for([5_080n, 696n])(
  'at %i lamports per byte, the VM, the sysvar and the RPC agree',
  async rentPerByte => {
    const local = await startChain({ conditions: { ...CONDITIONS, rentPerByte } })
    const sysvar = await call(local, 'getAccountInfo', 'SysvarRent111111111111111111111111111111111', {
      encoding: 'base64',
    })
    const { value } = sysvar.result as { value: { data: [string, string] } }
    expect(Buffer.from(value.data[0], 'base64').readBigUInt64LE(0)).toBe(rentPerByte)
    expect(await call(local, 'getMinimumBalanceForRentExemption', 165)).toMatchObject({
      result: Number((128n + 165n) * rentPerByte),
    })
    const from = fundedKeypair(local)
    const pay = (lamports: bigint) =>
      submit(local, from, systemTransfer(from.address, createKeypair().address, lamports)).err
    expect(pay(128n * rentPerByte - 1n)).toEqual({ InsufficientFundsForRent: { account_index: 1 } })
    expect(pay(128n * rentPerByte)).toBeNull()
  },
)

test('performance samples tell the slot time', async () => {
  const local = await startChain({ conditions: { ...CONDITIONS, slotMs: 50 } })
  const { result } = await call(local, 'getRecentPerformanceSamples', 2)
  const [newest, before] = result as { slot: number; numSlots: number; samplePeriodSecs: number }[]
  expect(newest).toMatchObject({ numSlots: 1_200, samplePeriodSecs: 60 })
  expect((newest?.slot ?? 0) - (before?.slot ?? 0)).toBe(1_200)
  expect(local.chain.clock.slot() - (newest?.slot ?? 0)).toBeLessThan(1_200)
})

test('a chain keeps the conditions that it was created with', async () => {
  const dataDir = temporaryFolder()
  const conditions = { ...CONDITIONS, slotMs: 1_000, rentPerByte: 1n }
  const first = await startLocalChain({ network: 'chain-mainnet', dataDir, port: 0, conditions })
  const slot = first.chain.clock.slot()
  await first.close()
  const second = await startChain({ dataDir })
  expect(second.chain.conditions).toEqual(conditions)
  expect(second.chain.clock.slot() - slot).toBeLessThan(100)
  expect(second.chain.vm.rentExemptMinimum(0)).toBe(128n)
})

test("a chain that doesn't name its conditions is one of last spring", async () => {
  const dataDir = temporaryFolder()
  const journal = openJournal(join(dataDir, 'chain', 'chain-mainnet'), { restore() {} })
  const genesisMs = Date.now() - 10_000 * LAST_SPRING.slotMs
  journal.append({ kind: 'genesis', seed: new Uint8Array(32).fill(7), genesisMs, firstSlot: 9_000 })
  journal.close()
  const { chain } = await startChain({ dataDir })
  expect(chain.clock.slot() - 10_000).toBeLessThan(100)
  expect(chain.vm.rentExemptMinimum(0)).toBe(128n * LAST_SPRING.rentPerByte)
})
