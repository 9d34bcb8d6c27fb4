import { readdirSync } from 'node:fs'
import { join } from 'node:path'
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
import { expect, test } from 'vitest'
import { startLocalChain } from '../start-local-chain.ts'
import { call, startChain, submit, temporaryFolder } from '../testing/start-chain.ts'
import { createKeypair } from './keypair.ts'
import { parseTransaction } from './parse-transaction.ts'
import { systemTransfer } from './system-instructions.ts'

test('a restart keeps accounts, transactions and blockhashes, and never moves to an earlier slot', async () => {
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
  // Everything that a chain starts with is final.
  const { result } = await call(second, 'getTransaction', signature)
  expect(result).toMatchObject({ meta: { err: null, fee: 5_000 } })
  expect(await call(second, 'getBalance', key.address)).toMatchObject({ result: { value: 5_000_000 } })
  expect(await call(second, 'getSignatureStatuses', [signature])).toMatchObject({
    result: { value: [{ confirmationStatus: 'finalized', confirmations: null }] },
  })
  // The VM has the lamports too, not only our copy of the accounts: they can be spent.
  const other = createKeypair().address
  const spent = submit(second, key, systemTransfer(key.address, other, 1_000_000n))
  expect([spent.err, second.chain.account(other)?.lamports]).toEqual([null, 1_000_000n])
})

test('a second chain cannot open a data folder that is in use', async () => {
  const dataDir = temporaryFolder()
  await startChain({ dataDir })
  await expect(startChain({ dataDir })).rejects.toThrow(/Another process is using the chain/)
})

test('a lookup table still works after a restart', async () => {
  const dataDir = temporaryFolder()
  const [key, to, table] = [createKeypair(), createKeypair().address, createKeypair().address]
  const first = await startLocalChain({ network: 'chain-mainnet', dataDir, port: 0 })
  first.airdrop(key.address, 5_000_000n)
  // Type, never deactivated, last extended in slot 0, no authority; then its only address.
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

test('a deployed program runs before and after a restart', async () => {
  const dataDir = temporaryFolder()
  const first = await startLocalChain({ network: 'chain-mainnet', dataDir, port: 0 })
  const key = createKeypair()
  first.airdrop(key.address, 1_000_000_000n)
  // Any program will do: LiteSVM ships this one, with its binary in a single account.
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
