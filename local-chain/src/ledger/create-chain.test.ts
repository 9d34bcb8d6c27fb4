import { createV2 } from '@metaplex-foundation/mpl-core'
import { transferSol } from '@metaplex-foundation/mpl-toolbox'
import { generateSigner, publicKey, sol } from '@metaplex-foundation/umi'
import type { Address } from '@solana/kit'
import { expect, test } from 'vitest'
import { StartError } from '../start-error.ts'
import { type LocalChain, startLocalChain } from '../start-local-chain.ts'
import {
  call,
  createManualChain,
  fundedKeypair,
  latestBlockhash,
  SOL,
  startChain,
  startStoppedChain,
  submit,
  temporaryFolder,
} from '../testing/start-chain.ts'
import { associatedToken } from '../testing/token-accounts.ts'
import { send, wallet } from '../testing/umi-wallet.ts'
import { SYSTEM_PROGRAM } from './account.ts'
import { createChain } from './create-chain.ts'
import { createKeypair, signTransaction } from './keypair.ts'
import { parseTransaction } from './parse-transaction.ts'
import { systemTransfer } from './system-instructions.ts'

test('the same message with a different signature counts as already processed', async () => {
  const local = await startChain()
  const from = fundedKeypair(local)
  const tx = parseTransaction(
    signTransaction(
      [from],
      [systemTransfer(from.address, createKeypair().address, 1_000_000n)],
      latestBlockhash(local),
    ),
  )
  expect(local.chain.precheck(tx)).toBeUndefined()
  expect(local.chain.submit(tx).err).toBeNull()
  const signature = createKeypair().address
  expect(local.chain.precheck({ ...tx, signature })).toBe('AlreadyProcessed')
})

test('a transaction that is refused before it runs leaves no trace, even without preflight', async () => {
  const local = await startChain()
  const [rich, poor] = [fundedKeypair(local), createKeypair()]
  const missingProgram = { program: createKeypair().address, accounts: [], data: new Uint8Array() }
  const count = local.chain.history.count()
  const blockhash = latestBlockhash(local)
  for (const [payer, instruction] of [
    [poor, systemTransfer(poor.address, rich.address, 1n)],
    [rich, missingProgram],
  ] as const) {
    const wire = Buffer.from(signTransaction([payer], [instruction], blockhash)).toString('base64')
    const { result } = await call(local, 'sendTransaction', wire, { encoding: 'base64', skipPreflight: true })
    const status = await call(local, 'getSignatureStatuses', [result], { searchTransactionHistory: true })
    expect(status).toMatchObject({ result: { value: [null] } })
  }
  expect(local.chain.history.count()).toBe(count)
  expect(local.chain.account(rich.address)?.lamports).toBe(SOL)
})

test('lamports sent to a built-in account arrive and survive a restart', async () => {
  const dataDir = temporaryFolder()
  const first = await startLocalChain({ network: 'chain-mainnet', dataDir, port: 0 })
  const from = fundedKeypair(first)
  const places = [
    'So11111111111111111111111111111111111111112',
    'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  ] as Address[]
  const lamports = (local: LocalChain) => places.map(place => local.chain.account(place)?.lamports ?? 0n)
  const before = lamports(first)
  const run = submit(first, from, ...places.map(place => systemTransfer(from.address, place, 1_000_000n)))
  expect(run.err).toBeNull()
  expect(lamports(first)).toEqual(before.map(amount => amount + 1_000_000n))
  const [landed] = [...first.chain.history.ofAddress(from.address)]
  expect(landed?.fee).toBe(5_000n)
  await first.close()
  const second = await startChain({ dataDir })
  expect(lamports(second)).toEqual(before.map(amount => amount + 1_000_000n))
  // The program still runs.
  const [mint, owner] = [places[0] as Address, createKeypair().address]
  const ref = (address: Address, isWritable = false) => ({ address, isSigner: false, isWritable })
  const make = {
    program: 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL' as Address,
    accounts: [
      { address: from.address, isSigner: true, isWritable: true },
      ref(associatedToken(mint, owner), true),
      ref(owner),
      ref(mint),
      ref('11111111111111111111111111111111' as Address),
      ref(places[1] as Address),
    ],
    data: Uint8Array.of(1),
  }
  expect(submit(second, from, make).err).toBeNull()
})

test('a program that has a stand-in cannot receive lamports', async () => {
  const local = await startChain()
  const from = fundedKeypair(local)
  for (const program of local.chain.standIns) {
    const before = local.chain.account(program)
    const { err } = submit(local, from, systemTransfer(from.address, program, 1_000_000n))
    expect(err).toBe('InvalidWritableAccount')
    expect(local.chain.account(program)).toEqual(before)
  }
  expect(local.chain.account(from.address)?.lamports).toBe(SOL)

  // The same holds in a transaction that also calls the program.
  const [umi, [core]] = [wallet(local), local.chain.standIns as [Address]]
  const before = local.chain.account(core)
  const pay = transferSol(umi, { destination: publicKey(core), amount: sol(1) })
  const { err } = await send(
    local,
    umi,
    createV2(umi, { asset: generateSigner(umi), name: 'A', uri: 'u' }).add(pay),
  )
  expect(err).toEqual({ InstructionError: [1, 'ReadonlyLamportChange'] })
  expect(local.chain.account(core)).toEqual(before)
})

test('reads at finalized return the chain as it was 32 slots ago', async () => {
  const { local, advance } = await startStoppedChain()
  const key = createKeypair()
  local.airdrop(key.address, SOL)
  const balance = async (commitment: string) =>
    ((await call(local, 'getBalance', key.address, { commitment })).result as { value: number }).value
  expect(await balance('confirmed')).toBe(Number(SOL))
  expect(await balance('finalized')).toBe(0)
  expect(
    await call(local, 'getProgramAccounts', '11111111111111111111111111111111', { encoding: 'base64' }),
  ).not.toMatchObject({
    result: expect.arrayContaining([expect.objectContaining({ pubkey: key.address })]),
  })
  const [signature] = [...local.chain.history.ofAddress(key.address)].map(tx => tx.signature)
  const found = async (commitment: string) =>
    (await call(local, 'getTransaction', signature, { commitment, encoding: 'json' })).result
  expect([await found('finalized'), await found('confirmed')]).toEqual([null, expect.any(Object)])
  advance(32)
  expect(await balance('finalized')).toBe(Number(SOL))
  expect(await found('finalized')).toMatchObject({ meta: { err: null } })
})

test('a commit becomes final exactly 32 slots later', () => {
  const { chain, advance } = createManualChain()
  const { address } = createKeypair()
  const finalized: { slot: number; commitSlot: number }[] = []
  chain.on('slot', (slot, commits) => {
    for (const commit of commits) finalized.push({ slot, commitSlot: commit.slot })
  })
  const commitSlot = chain.clock.slot()
  chain.mint(address, 1_000_000n)
  advance(31)
  expect([finalized, chain.account(address, 'finalized')]).toEqual([[], undefined])
  expect([...chain.programAccounts(SYSTEM_PROGRAM, 'finalized')]).toEqual([])
  advance(1)
  expect(finalized).toEqual([{ slot: commitSlot + 32, commitSlot }])
  expect(chain.account(address, 'finalized')?.lamports).toBe(1_000_000n)
  expect([...chain.programAccounts(SYSTEM_PROGRAM, 'finalized')]).toHaveLength(1)
})

test('the faucet keeps working after requests for more than it can hold', async () => {
  const local = await startChain()
  const { address } = createKeypair()
  for (let n = 0; n < 60; n++)
    expect((await call(local, 'requestAirdrop', address, 1.8e19)).error).toMatchObject({ code: -32002 })
  expect((await call(local, 'requestAirdrop', address, 1_000_000)).error).toBeUndefined()
  expect(local.chain.account(address)?.lamports).toBe(1_000_000n)
})

test('a binary that cannot be loaded stops start-up with an error that says what to do', () => {
  const start = () =>
    createChain({
      directory: temporaryFolder(),
      programs: new Map([[createKeypair().address, Uint8Array.of(0x7f, 0x45, 0x4c, 0x46)]]),
      standIns: [],
      onError: () => {},
    })
  expect(start).toThrow(/^programs\/\w+\.so cannot be loaded \(.*\)\. Fetch it again or remove it\.$/)
  expect(start).toThrow(StartError)
})
