import fs, { readdirSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createKeypair } from '../ledger/keypair.ts'
import { call, startChain, temporaryFolder } from '../testing/start-chain.ts'
import { openJournal } from './journal.ts'

let full = false
const { writeSync } = fs

beforeEach(() => {
  replaceWriteSync(((...args: Parameters<typeof writeSync>) => {
    if (!full) return writeSync(...args)
    // As on a real disk, the first bytes still fit.
    const [file, bytes, offset] = args as unknown as [number, Buffer, number]
    if (offset === 0) return writeSync(file, bytes, 0, 5)
    throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
  }) as typeof writeSync)
})
afterEach(() => {
  full = false
  replaceWriteSync(writeSync)
})

function replaceWriteSync(write: typeof writeSync) {
  fs.writeSync = write
  // Updates the modules that import it by name.
  syncBuiltinESMExports()
}

test.each([
  ['the first journal', undefined],
  ['a journal after a snapshot', 9_000],
])(
  'a write to %s that fails on a full disk is undone, and the chain continues once there is space',
  async (_, journalBytesMax) => {
    const errors: unknown[] = []
    const dataDir = temporaryFolder()
    const local = await startChain({
      dataDir,
      ...(journalBytesMax && { journalBytesMax }),
      log: { info: () => {}, error: fields => errors.push(fields) },
    })
    const [first, second] = [createKeypair().address, createKeypair().address]
    const generation = () => readdirSync(join(dataDir, 'chain', 'chain-mainnet'))[0]?.charAt(0)
    do await call(local, 'requestAirdrop', createKeypair().address, 1_000_000)
    while (journalBytesMax && generation() === '0')
    full = true
    const refused = await call(local, 'requestAirdrop', first, 1_000_000)
    expect(refused.error).toEqual({ code: -32603, message: 'Internal error' })
    expect(errors).toHaveLength(1)
    expect([local.chain.account(first), local.chain.vm.read(first)]).toEqual([undefined, undefined])
    full = false
    expect((await call(local, 'requestAirdrop', second, 1_000_000)).error).toBeUndefined()
    expect(local.chain.account(second)?.lamports).toBe(1_000_000n)
    // The partial record is gone from the file: a restart reads the records after it.
    await local.close()
    const again = await startChain({ dataDir })
    expect(again.chain.account(second)?.lamports).toBe(1_000_000n)
    expect(again.chain.account(first)).toBeUndefined()
  },
)

test('a snapshot that does not fit on the disk is removed, and the journal stays in use', () => {
  const folder = temporaryFolder()
  const journal = openJournal(folder, { restore: () => {} })
  journal.append({ n: 1 })
  full = true
  expect(() => journal.snapshot([{ n: 1 }])).toThrow('no space left')
  full = false
  expect(readdirSync(folder)).toEqual(['0.journal'])
  journal.append({ n: 2 })
  journal.close()
  const seen: unknown[] = []
  openJournal(folder, { restore: value => seen.push(value) }).close()
  expect(seen).toEqual([{ n: 1 }, { n: 2 }])
})
