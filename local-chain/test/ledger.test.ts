import type { Address } from '@solana/kit'
import { expect, test } from 'vitest'
import type { LocalChain } from '../src/index.ts'
import { createHistory, type LandedTransaction } from '../src/ledger/history.ts'
import { createKeypair, type Keypair } from '../src/ledger/keypair.ts'
import { signTransaction } from '../src/ledger/sign-transaction.ts'
import { systemTransfer } from '../src/ledger/system-instructions.ts'
import { associatedToken } from '../src/world/token-accounts.ts'
import { call, startChain } from './start-chain.ts'

const SOL = 1_000_000_000n

async function funded(local: LocalChain): Promise<Keypair> {
  const key = createKeypair()
  local.airdrop(key.address, SOL)
  return key
}

const blockhash = (local: LocalChain) => local.chain.clock.blockhash(local.chain.clock.slot())
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')

function transfer(local: LocalChain, from: Keypair, lamports: bigint, hash = blockhash(local)): string {
  return base64(
    signTransaction([from], [systemTransfer(from.address, createKeypair().address, lamports)], hash),
  )
}

const send = (local: LocalChain, transaction: string, config: object = {}) =>
  call(local, 'sendTransaction', transaction, { encoding: 'base64', ...config })

test('slots follow the wall clock', async () => {
  const local = await startChain()
  const before = (await call(local, 'getSlot', { commitment: 'processed' })).result as number
  await new Promise(resolve => setTimeout(resolve, 1_300))
  const after = (await call(local, 'getSlot', { commitment: 'processed' })).result as number
  expect(after - before).toBeGreaterThanOrEqual(3)
  expect(after - before).toBeLessThanOrEqual(4)
  const time = (await call(local, 'getBlockTime', after)).result as number
  expect(Math.abs(time - Date.now() / 1000)).toBeLessThan(2)
  // The account in which programs read the time tells the same.
  const { result } = await call(local, 'getAccountInfo', 'SysvarC1ock11111111111111111111111111111111', {
    commitment: 'processed',
    encoding: 'base64',
  })
  const { context, value } = result as { context: { slot: number }; value: { data: [string, string] } }
  expect(Buffer.from(value.data[0], 'base64').readBigUInt64LE(0)).toBe(BigInt(context.slot))
})

test('a blockhash is good for 150 blocks and then expires', async () => {
  const local = await startChain({ slotMs: 10 })
  const from = await funded(local)
  const { result } = await call(local, 'getLatestBlockhash', { commitment: 'processed' })
  const { blockhash: hash, lastValidBlockHeight } = (
    result as { value: { blockhash: string; lastValidBlockHeight: number } }
  ).value
  const height = async () =>
    (await call(local, 'getBlockHeight', { commitment: 'processed' })).result as number

  while ((await height()) < lastValidBlockHeight - 40) await new Promise(resolve => setTimeout(resolve, 10))
  expect(await call(local, 'isBlockhashValid', hash, { commitment: 'processed' })).toMatchObject({
    result: { value: true },
  })
  expect((await send(local, transfer(local, from, 1_000_000n, hash))).error).toBeUndefined()
  // A blockhash of a slot that is not final does not exist yet for who asks there.
  const { blockhash: newest } = (
    (await call(local, 'getLatestBlockhash', { commitment: 'processed' })).result as {
      value: { blockhash: string }
    }
  ).value
  expect(await call(local, 'isBlockhashValid', newest)).toMatchObject({ result: { value: false } })

  while ((await height()) <= lastValidBlockHeight) await new Promise(resolve => setTimeout(resolve, 10))
  expect(await call(local, 'isBlockhashValid', hash, { commitment: 'processed' })).toMatchObject({
    result: { value: false },
  })
  expect((await send(local, transfer(local, from, 1_000_000n, hash))).error).toMatchObject({
    code: -32002,
    message: 'Transaction simulation failed: Blockhash not found',
    data: { err: 'BlockhashNotFound' },
  })
})

test('a repeated transaction is refused as already processed', async () => {
  const local = await startChain()
  const from = await funded(local)
  const transaction = transfer(local, from, 1_000_000n)
  const first = await send(local, transaction)
  expect(first.error).toBeUndefined()
  expect((await send(local, transaction)).error).toMatchObject({
    code: -32002,
    message: 'Transaction simulation failed: This transaction has already been processed',
    data: { err: 'AlreadyProcessed' },
  })
  // Without preflight a node takes it and drops it: the answer is the signature, and the money moves once.
  expect((await send(local, transaction, { skipPreflight: true })).result).toBe(first.result)
  expect(local.chain.account(from.address)?.lamports).toBe(SOL - 1_000_000n - 5_000n)
})

test('a wrong signature is refused and leaves no trace', async () => {
  const local = await startChain()
  const from = await funded(local)
  const bytes = Buffer.from(transfer(local, from, 1_000_000n), 'base64')
  bytes[10] = (bytes[10] as number) ^ 1
  expect((await send(local, base64(bytes))).error).toMatchObject({
    code: -32003,
    message: 'Transaction signature verification failure',
  })
  await send(local, base64(bytes), { skipPreflight: true })
  expect(local.chain.account(from.address)?.lamports).toBe(SOL)
})

test('a failing transaction pays its fee and changes nothing else', async () => {
  const local = await startChain()
  const from = await funded(local)
  const to = createKeypair().address
  const bytes = signTransaction(
    [from],
    [systemTransfer(from.address, to, 1_000_000n), systemTransfer(from.address, to, 5n * SOL)],
    blockhash(local),
  )
  const refused = await send(local, base64(bytes))
  expect(refused.error).toMatchObject({
    code: -32002,
    message: 'Transaction simulation failed: Error processing Instruction 1: custom program error: 0x1',
    data: { err: { InstructionError: [1, { Custom: 1 }] } },
  })
  expect(local.chain.account(from.address)?.lamports).toBe(SOL)
  const { result } = await send(local, base64(bytes), { skipPreflight: true })
  expect(local.chain.account(from.address)?.lamports).toBe(SOL - 5_000n)
  expect(local.chain.account(to)).toBeUndefined()
  expect(await call(local, 'getSignatureStatuses', [result])).toMatchObject({
    result: { value: [{ err: { InstructionError: [1, { Custom: 1 }] }, confirmationStatus: 'confirmed' }] },
  })
})

test('readers at finalized see the chain as it was 32 slots ago', async () => {
  const local = await startChain({ slotMs: 20 })
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
  await expect.poll(() => balance('finalized'), { timeout: 10_000 }).toBe(Number(SOL))
  expect(await found('finalized')).toMatchObject({ meta: { err: null } })
})

test('a status is forgotten after 150 slots, unless the whole history is searched', async () => {
  const local = await startChain({ slotMs: 5 })
  const { result: signature } = await call(local, 'requestAirdrop', createKeypair().address, 1_000_000)
  const status = async (config: object) =>
    ((await call(local, 'getSignatureStatuses', [signature], config)).result as { value: unknown[] }).value[0]
  expect(await status({})).toMatchObject({ err: null, status: { Ok: null } })
  await expect.poll(() => status({}), { timeout: 10_000 }).toBeNull()
  expect(await status({ searchTransactionHistory: true })).toMatchObject({ confirmationStatus: 'finalized' })
})

test('a memo is told with the signature, and what a program invoked with its simulation', async () => {
  const local = await startChain()
  const from = await funded(local)
  const memo = {
    program: 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr' as Address,
    accounts: [],
    data: new TextEncoder().encode('for "the" boat'),
  }
  const bytes = base64(signTransaction([from], [memo], blockhash(local)))
  const { result: signature } = await send(local, bytes)
  expect(
    (await call(local, 'getSignaturesForAddress', from.address, { commitment: 'confirmed', limit: 1 }))
      .result,
  ).toMatchObject([{ signature, memo: '[14] for "the" boat' }])

  const [mint, owner] = ['So11111111111111111111111111111111111111112' as Address, createKeypair().address]
  const account = associatedToken(mint, owner)
  const ref = (address: Address, isWritable = false) => ({ address, isSigner: false, isWritable })
  const create = {
    program: 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL' as Address,
    accounts: [
      { address: from.address, isSigner: true, isWritable: true },
      ref(account, true),
      ref(owner),
      ref(mint),
      ref('11111111111111111111111111111111' as Address),
      ref('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA' as Address),
    ],
    data: Uint8Array.of(1),
  }
  const creating = base64(signTransaction([from], [create], blockhash(local)))
  const simulate = async (config: object) =>
    (
      (await call(local, 'simulateTransaction', creating, { encoding: 'base64', ...config })).result as {
        value: { err: unknown; innerInstructions: { index: number; instructions: object[] }[] | null }
      }
    ).value
  expect(await simulate({})).toMatchObject({ err: null, innerInstructions: null })
  const { innerInstructions } = await simulate({ innerInstructions: true })
  expect(innerInstructions).toMatchObject([{ index: 0 }])
  expect(innerInstructions?.[0]?.instructions).toContainEqual({
    accounts: [from.address, account],
    data: expect.any(String),
    programId: '11111111111111111111111111111111',
    stackHeight: 2,
  })
})

test('an address has its transactions newest first, between any two others', async () => {
  const local = await startChain()
  const [from, other] = [await funded(local), createKeypair().address]
  const signatures: string[] = []
  for (let n = 0; n < 6; n++) {
    const to = n % 2 === 0 ? other : createKeypair().address
    const bytes = signTransaction(
      [from],
      [systemTransfer(from.address, to, 1_000_000n + BigInt(n))],
      blockhash(local),
    )
    signatures.push((await send(local, base64(bytes))).result as string)
  }
  const [s0, s1, s2, s3, s4] = signatures
  const of = async (config: object) =>
    (
      (await call(local, 'getSignaturesForAddress', other, { commitment: 'confirmed', ...config }))
        .result as { signature: string }[]
    ).map(entry => entry.signature)
  expect(await of({})).toEqual([s4, s2, s0])
  expect(await of({ limit: 2 })).toEqual([s4, s2])
  expect(await of({ before: s4 })).toEqual([s2, s0])
  expect(await of({ until: s0 })).toEqual([s4, s2])
  // Of these two the address knows nothing; they still have their place in time.
  expect(await of({ before: s3, until: s1 })).toEqual([s2])
  expect(await of({ before: '1'.repeat(64) })).toEqual([])
  expect(await of({ until: '1'.repeat(64), before: null })).toEqual([s4, s2, s0])
  expect((await call(local, 'getSignaturesForAddress', other)).result).toEqual([])
})

/** No signature, and a message of its own. */
const wireOf = (message: string) => Uint8Array.from([0, ...Buffer.from(message)])

test('old transactions are forgotten, but none whose blockhash could still be good', () => {
  const history = createHistory(3)
  const [a, b] = [createKeypair().address, createKeypair().address]
  const add = (signature: string, slot: number, keys: Address[]) =>
    history.add({ signature, slot, keys, wire: wireOf(signature) } as unknown as LandedTransaction)
  const of = (address: Address) => [...history.ofAddress(address)].map(tx => tx.signature)
  for (let n = 0; n < 5; n++) add(`early${n}`, n, n === 0 ? [b] : [a])
  expect(of(a)).toEqual(['early4', 'early3', 'early2', 'early1'])
  // All that is too many goes at once when it is old enough.
  add('late', 303, [a])
  expect(of(a)).toEqual(['late', 'early4', 'early3'])
  expect([of(b), history.get('early0'), history.inSlot(0), history.count()]).toEqual([[], undefined, [], 6])
  expect(['early0', 'early3', 'late'].map(name => history.hasMessage(Buffer.from(name)))).toEqual([
    false,
    true,
    true,
  ])
})

test('a simulation replaces the blockhash, returns accounts and leaves no trace', async () => {
  const local = await startChain()
  const from = await funded(local)
  const to = createKeypair().address
  const old = '4sGjMW1sUnHzSxGspuhpqLDx6wiyjNtZAMdL4VZHirAn'
  const bytes = base64(signTransaction([from], [systemTransfer(from.address, to, 1_000_000n)], old))
  const simulate = (config: object) =>
    call(local, 'simulateTransaction', bytes, { encoding: 'base64', ...config })

  expect(await simulate({})).toMatchObject({ result: { value: { err: 'BlockhashNotFound' } } })
  expect(
    await simulate({ replaceRecentBlockhash: true, accounts: { encoding: 'base64', addresses: [to] } }),
  ).toMatchObject({
    result: {
      value: {
        err: null,
        accounts: [{ lamports: 1_000_000 }],
        replacementBlockhash: { blockhash: expect.any(String) },
        logs: expect.arrayContaining(['Program 11111111111111111111111111111111 success']),
      },
    },
  })
  expect((await simulate({ replaceRecentBlockhash: true, sigVerify: true })).error).toMatchObject({
    code: -32602,
    message: 'sigVerify may not be used with replaceRecentBlockhash',
  })
  const wrong = Buffer.from(bytes, 'base64')
  wrong[10] = (wrong[10] as number) ^ 1
  const unsigned = (config: object) =>
    call(local, 'simulateTransaction', base64(wrong), { encoding: 'base64', ...config })
  expect((await unsigned({ sigVerify: true })).error).toMatchObject({ code: -32003 })
  expect(await unsigned({ replaceRecentBlockhash: true })).toMatchObject({ result: { value: { err: null } } })
  // What fails has left nothing to show.
  const failing = signTransaction([from], [systemTransfer(from.address, to, 5n * SOL)], blockhash(local))
  expect(
    await call(local, 'simulateTransaction', base64(failing), {
      encoding: 'base64',
      accounts: { encoding: 'base64', addresses: [from.address, to] },
    }),
  ).toMatchObject({
    result: { value: { err: { InstructionError: [0, { Custom: 1 }] }, accounts: [null, null] } },
  })
  // It ran on the newest state, though the default is an older one.
  const { result } = await simulate({ replaceRecentBlockhash: true })
  expect((result as { context: { slot: number } }).context.slot).toBeGreaterThanOrEqual(
    local.chain.clock.slot() - 1,
  )
  expect(local.chain.account(to)).toBeUndefined()
  expect(local.chain.account(from.address)?.lamports).toBe(SOL)
})
