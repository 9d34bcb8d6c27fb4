import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { createKeypair } from '../src/ledger/keypair.ts'
import { openJournal } from '../src/storage/journal.ts'
import { call, startChain, temporaryFolder } from './start-chain.ts'

let full = false
vi.mock('node:fs', async original => {
  const fs = await original<typeof import('node:fs')>()
  return {
    ...fs,
    writeSync: ((...args: Parameters<typeof fs.writeSync>) => {
      if (!full) return fs.writeSync(...args)
      // Half of it still fits, as on a real disk.
      const [file, bytes, offset] = args as unknown as [number, Buffer, number]
      if (offset === 0) return fs.writeSync(file, bytes, 0, 5)
      throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
    }) as typeof fs.writeSync,
  }
})

test.each([
  ['in its first journal', undefined],
  ['behind a snapshot', 9_000],
])(
  'what cannot be written has not happened, and the chain goes on when there is room again, %s',
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
    // The half record is gone from the file: a restart reads past it.
    await local.close()
    const again = await startChain({ dataDir })
    expect(again.chain.account(second)?.lamports).toBe(1_000_000n)
    expect(again.chain.account(first)).toBeUndefined()
  },
)

test('a snapshot that does not fit is taken back whole, and leaves the journal in use', () => {
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
