import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { type Address, getAddressEncoder } from '@solana/kit'
import {
  type AddressLookupTableAccount,
  Connection,
  Keypair,
  PublicKey,
  SystemProgram,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import { build } from 'esbuild'
import { expect, onTestFinished, test } from 'vitest'
import { startLocalChain } from '../src/index.ts'
import { createKeypair } from '../src/ledger/keypair.ts'
import { parseTransaction } from '../src/ledger/parse-transaction.ts'
import { systemTransfer } from '../src/ledger/system-instructions.ts'
import { openJournal } from '../src/storage/journal.ts'
import { call, startChain, submit, temporaryFolder } from './start-chain.ts'

test('a restart continues with the same accounts, transactions, blockhashes and a later slot', async () => {
  const dataDir = temporaryFolder()
  const key = createKeypair()
  const first = await startLocalChain({ network: 'chain-mainnet', dataDir, port: 0 })
  const { result: signature } = await call(first, 'requestAirdrop', key.address, 5_000_000)
  const hash = first.chain.clock.blockhash(first.chain.clock.slot())
  const genesis = first.chain.genesisHash()
  const slot = first.chain.clock.slot()
  const transactions = first.chain.history.count()
  await first.close()

  const second = await startChain({ dataDir })
  expect(second.chain.genesisHash()).toBe(genesis)
  expect(second.chain.account(key.address)?.lamports).toBe(5_000_000n)
  expect(second.chain.clock.validSlotOf(hash)).toBeDefined()
  expect(second.chain.clock.slot()).toBeGreaterThanOrEqual(slot)
  expect(second.chain.history.count()).toBe(transactions)
  // What a chain starts with is final, whoever asks.
  const { result } = await call(second, 'getTransaction', signature)
  expect(result).toMatchObject({ meta: { err: null, fee: 5_000 } })
  expect(await call(second, 'getBalance', key.address)).toMatchObject({ result: { value: 5_000_000 } })
  expect(await call(second, 'getSignatureStatuses', [signature])).toMatchObject({
    result: { value: [{ confirmationStatus: 'finalized', confirmations: null }] },
  })
  // The machine has the money too, not only our copy: it can be spent.
  const other = createKeypair().address
  const spent = submit(second, key, systemTransfer(key.address, other, 1_000_000n))
  expect([spent.err, second.chain.account(other)?.lamports]).toEqual([null, 1_000_000n])
})

test('a restarted chain still knows a lookup table that no transaction has named since', async () => {
  const dataDir = temporaryFolder()
  const [key, to, table] = [createKeypair(), createKeypair().address, createKeypair().address]
  const first = await startLocalChain({ network: 'chain-mainnet', dataDir, port: 0 })
  first.airdrop(key.address, 5_000_000n)
  // Kind, never deactivated, extended in slot 0, frozen; then its one address.
  const data = new Uint8Array(56 + 32)
  data.set([1, 0, 0, 0, ...Array(8).fill(0xff)])
  data.set(getAddressEncoder().encode(to), 56)
  const owner = 'AddressLookupTab1e1111111111111111111111111' as Address
  first.chain.writeAccounts(new Map([[table, { lamports: 2_000_000n, owner, data, executable: false }]]))
  await first.close()

  const second = await startChain({ dataDir })
  const message = new TransactionMessage({
    payerKey: new PublicKey(key.address),
    recentBlockhash: second.chain.clock.blockhash(second.chain.clock.slot()),
    instructions: [
      SystemProgram.transfer({
        fromPubkey: new PublicKey(key.address),
        toPubkey: new PublicKey(to),
        lamports: 1_000_000,
      }),
    ],
  })
  const connection = new Connection(second.rpcUrl, 'confirmed')
  const { value } = await connection.getAddressLookupTable(new PublicKey(table))
  const transaction = new VersionedTransaction(
    message.compileToV0Message([value as AddressLookupTableAccount]),
  )
  transaction.sign([Keypair.fromSecretKey(key.secretKey)])
  expect(transaction.message.addressTableLookups).toHaveLength(1)
  expect(second.chain.submit(parseTransaction(transaction.serialize())).err).toBeNull()
  expect(second.chain.account(to)?.lamports).toBe(1_000_000n)
})

test('a program that was deployed runs, and still does after a restart', async () => {
  const dataDir = temporaryFolder()
  const first = await startLocalChain({ network: 'chain-mainnet', dataDir, port: 0 })
  const key = createKeypair()
  first.airdrop(key.address, 1_000_000_000n)
  // Any program will do: the machine brings this one along, as a binary in one account.
  const memo = first.chain.account('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr' as Address)
  const elf = memo?.data.subarray(memo.data.indexOf(0x7f)) as Uint8Array
  const [program, data] = [createKeypair().address, createKeypair().address]
  const owner = 'BPFLoaderUpgradeab1e11111111111111111111111' as Address
  const account = (bytes: number[] | Uint8Array, executable: boolean) => ({
    lamports: 10n ** 10n,
    owner,
    data: Uint8Array.from(bytes),
    executable,
  })
  first.chain.writeAccounts(
    new Map([
      [data, account([3, 0, 0, 0, ...new Uint8Array(41), ...elf], false)],
      [program, account([2, 0, 0, 0, ...getAddressEncoder().encode(data)], true)],
    ]),
  )
  const say = (text: string) => ({ program, accounts: [], data: new TextEncoder().encode(text) })
  expect(submit(first, key, say('hello'))).toMatchObject({ err: null })
  await first.close()
  const second = await startChain({ dataDir })
  const said = submit(second, key, say('still here'))
  expect([said.err, said.logs.join()]).toEqual([null, expect.stringContaining('still here')])
})

test('snapshots replace the journal and lose nothing', async () => {
  const dataDir = temporaryFolder()
  const keys = Array.from({ length: 60 }, () => createKeypair().address)
  const first = await startLocalChain({ network: 'chain-mainnet', dataDir, port: 0, journalBytesMax: 8_000 })
  for (const key of keys) first.airdrop(key, 2_000_000n)
  const count = first.chain.history.count()
  await first.close()
  const files = readdirSync(join(dataDir, 'chain', 'chain-mainnet'))
  expect(files).toHaveLength(2)
  expect(files.every(name => Number.parseInt(name, 10) >= 2)).toBe(true)

  const second = await startChain({ dataDir })
  expect(keys.map(key => second.chain.account(key)?.lamports)).toEqual(keys.map(() => 2_000_000n))
  expect(second.chain.history.count()).toBe(count)
})

test('a large state is not written again until the journal behind it is as large', () => {
  const folder = temporaryFolder()
  const journal = openJournal(folder, { restore: () => {}, bytesMax: 100 })
  const fill = () => {
    let count = 0
    for (; !journal.wantsSnapshot; count++) journal.append({ text: 'x'.repeat(50) })
    return count
  }
  const small = fill()
  journal.snapshot(Array.from({ length: 100 }, () => ({ text: 'x'.repeat(50) })))
  const large = fill()
  journal.close()
  expect([small, large]).toEqual([2, 101])
  // Nor after a restart.
  const again = openJournal(folder, { restore: () => {}, bytesMax: 100 })
  expect(again.wantsSnapshot).toBe(true)
  again.snapshot(Array.from({ length: 200 }, () => ({ text: 'x'.repeat(50) })))
  again.close()
  const third = openJournal(folder, { restore: () => {}, bytesMax: 100 })
  third.append({ text: 'x'.repeat(200) })
  expect(third.wantsSnapshot).toBe(false)
  third.close()
})

test.each([
  ['', ''],
  [' whose name is long', 'x'.repeat(120)],
])('one process at a time uses a folder%s, and a second one says so', async (_, below) => {
  const dataDir = join(temporaryFolder(), below)
  const [tmp, other] = [process.env.TMPDIR, temporaryFolder()]
  onTestFinished(() => {
    if (tmp === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = tmp
  })
  await startChain({ dataDir })
  // Not even one that has another temporary folder, as services have.
  if (!below) process.env.TMPDIR = other
  await expect(startLocalChain({ network: 'chain-mainnet', dataDir, port: 0 })).rejects.toThrow(
    /Another process is using the chain/,
  )
})

test('a journal that a crash cut anywhere is good up to its last whole record', () => {
  const folder = temporaryFolder()
  const journal = openJournal(folder, { restore: () => {} })
  for (let n = 0; n < 5; n++) journal.append({ n, text: 'x'.repeat(50) })
  journal.close()
  const path = join(folder, '0.journal')
  const whole = statSync(path).size
  const record = whole / 5

  for (let cut = whole; cut >= 0; cut--) {
    truncateSync(path, cut)
    const seen: unknown[] = []
    openJournal(folder, { restore: value => seen.push(value) }).close()
    expect(seen).toHaveLength(Math.floor(cut / record))
  }
})

test('a damaged record ends the journal, whichever of its bytes was damaged, and is reported', () => {
  const folder = temporaryFolder()
  const journal = openJournal(folder, { restore: () => {} })
  for (let n = 0; n < 3; n++) journal.append({ n })
  journal.close()
  const path = join(folder, '0.journal')
  const good = readFileSync(path)
  const record = good.length / 3
  for (let at = 0; at < good.length; at++) {
    const bad = Buffer.from(good)
    bad[at] = (bad[at] as number) ^ 0x40
    writeFileSync(path, bad)
    const [seen, errors]: [unknown[], Error[]] = [[], []]
    openJournal(folder, { restore: value => seen.push(value), onError: error => errors.push(error) }).close()
    expect(seen).toEqual([0, 1, 2].slice(0, Math.floor(at / record)).map(n => ({ n })))
    expect(errors).toHaveLength(1)
  }
})

test('rubbish behind the journal is dropped, and what is written next is kept', () => {
  const folder = temporaryFolder()
  const first = openJournal(folder, { restore: () => {} })
  first.append({ n: 1 })
  first.close()
  appendFileSync(join(folder, '0.journal'), Buffer.from([9, 0, 0, 0, 1, 2, 3, 4, 5, 6]))
  const second = openJournal(folder, { restore: () => {} })
  second.append({ n: 2 })
  second.close()
  const seen: unknown[] = []
  openJournal(folder, { restore: value => seen.push(value) }).close()
  expect(seen).toEqual([{ n: 1 }, { n: 2 }])
})

test('a snapshot that was never finished is ignored', () => {
  const folder = temporaryFolder()
  const first = openJournal(folder, { restore: () => {} })
  first.append({ n: 1 })
  first.close()
  writeFileSync(join(folder, '1.snapshot.tmp'), 'half of it')
  writeFileSync(join(folder, '1.journal'), '')
  const seen: unknown[] = []
  openJournal(folder, { restore: value => seen.push(value) }).close()
  expect(seen).toEqual([{ n: 1 }])
})

test('a snapshot that was cut anywhere stops the start, and is not taken for all there was', () => {
  const folder = temporaryFolder()
  const journal = openJournal(folder, { restore: () => {} })
  journal.snapshot([{ n: 1 }, { n: 2 }])
  journal.close()
  const path = join(folder, '1.snapshot')
  for (let size = statSync(path).size - 1; size >= 0; size--) {
    truncateSync(path, size)
    expect(() => openJournal(folder, { restore: () => {} })).toThrow(/1\.snapshot is damaged\. Remove/)
  }
})

test('a journal that was begun for a snapshot that never came to be is not taken for the next', () => {
  const folder = temporaryFolder()
  const first = openJournal(folder, { restore: () => {} })
  first.append({ n: 1 })
  first.close()
  writeFileSync(join(folder, '1.journal'), readFileSync(join(folder, '0.journal')))
  const second = openJournal(folder, { restore: () => {} })
  second.snapshot([{ n: 2 }])
  second.append({ n: 3 })
  second.close()
  const seen: unknown[] = []
  openJournal(folder, { restore: value => seen.push(value) }).close()
  expect(seen).toEqual([{ n: 2 }, { n: 3 }])
})

test('killing the process at any moment leaves a chain that starts with everything it had answered', async () => {
  const here = fileURLToPath(new URL('.', import.meta.url))
  const script = join(here, '..', 'dist', 'kill-child.mjs')
  await build({
    entryPoints: [join(here, 'kill-child.ts')],
    outfile: script,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
  })
  const dataDir = temporaryFolder()
  const answered: { address: string; lamports: number }[] = []
  const runs = 4
  for (let run = 0; run < runs; run++) {
    const child = spawn(process.execPath, [script, dataDir], { stdio: ['ignore', 'pipe', 'inherit'] })
    onTestFinished(() => void child.kill('SIGKILL'))
    await countLines(child, 1 + run * 17, line => answered.push(JSON.parse(line)))
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  const local = await startChain({ dataDir })
  expect(answered.length).toBeGreaterThan(runs * 17)
  for (const { address, lamports } of answered) {
    expect(local.chain.account(address as never)?.lamports).toBe(BigInt(lamports))
  }
}, 60_000)

/** Resolves in the middle of the child's work, not at a line's end: the next line may be half-written. */
async function countLines(child: ChildProcess, count: number, take: (line: string) => void): Promise<void> {
  let seen = 0
  await new Promise<void>((resolve, reject) => {
    child.once('exit', code => reject(new Error(`the child ended by itself with ${code}`)))
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', line => {
      take(line)
      if (++seen === count) resolve()
    })
  })
  child.removeAllListeners('exit')
}
