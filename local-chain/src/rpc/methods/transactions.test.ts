import type { Address } from '@solana/kit'
import { expect, test } from 'vitest'
import { createKeypair, signTransaction } from '../../ledger/keypair.ts'
import { systemTransfer } from '../../ledger/system-instructions.ts'
import {
  base64,
  call,
  fundedKeypair,
  latestBlockhash,
  SOL,
  sendTransaction,
  signedTransfer,
  startChain,
} from '../../testing/start-chain.ts'
import { associatedToken } from '../../testing/token-accounts.ts'

test('a repeated transaction is refused as already processed', async () => {
  const local = await startChain()
  const from = fundedKeypair(local)
  const transaction = signedTransfer(local, from, 1_000_000n)
  const first = await sendTransaction(local, transaction)
  expect(first.error).toBeUndefined()
  expect((await sendTransaction(local, transaction)).error).toMatchObject({
    code: -32002,
    message: 'Transaction simulation failed: This transaction has already been processed',
    data: { err: 'AlreadyProcessed' },
  })
  // Without preflight, a node returns the signature and drops the repeat: the money moves once.
  expect((await sendTransaction(local, transaction, { skipPreflight: true })).result).toBe(first.result)
  expect(local.chain.account(from.address)?.lamports).toBe(SOL - 1_000_000n - 5_000n)
})

test('a transaction with a wrong signature is refused and leaves no trace', async () => {
  const local = await startChain()
  const from = fundedKeypair(local)
  const bytes = Buffer.from(signedTransfer(local, from, 1_000_000n), 'base64')
  bytes[10] = (bytes[10] as number) ^ 1
  expect((await sendTransaction(local, base64(bytes))).error).toMatchObject({
    code: -32003,
    message: 'Transaction signature verification failure',
  })
  await sendTransaction(local, base64(bytes), { skipPreflight: true })
  expect(local.chain.account(from.address)?.lamports).toBe(SOL)
})

test('a transaction with two signers is refused if either signature is forged', async () => {
  const local = await startChain()
  const [payer, other] = [fundedKeypair(local), fundedKeypair(local)]
  const to = createKeypair().address
  const bytes = signTransaction(
    [payer, other],
    [systemTransfer(payer.address, to, 1_000_000n), systemTransfer(other.address, to, 1_000_000n)],
    latestBlockhash(local),
  )
  for (const signature of [0, 1]) {
    const at = 1 + 64 * signature
    const forged = base64(bytes.with(at, (bytes[at] as number) ^ 1))
    expect((await sendTransaction(local, forged)).error).toMatchObject({ code: -32003 })
    await sendTransaction(local, forged, { skipPreflight: true })
    const simulated = await call(local, 'simulateTransaction', forged, {
      encoding: 'base64',
      sigVerify: true,
    })
    expect(simulated.error).toMatchObject({ code: -32003 })
  }
  expect([payer, other].map(({ address }) => local.chain.account(address)?.lamports)).toEqual([SOL, SOL])
  expect((await sendTransaction(local, base64(bytes))).error).toBeUndefined()
  expect(local.chain.account(to)?.lamports).toBe(2_000_000n)
})

test('a failing transaction pays its fee and changes nothing else', async () => {
  const local = await startChain()
  const from = fundedKeypair(local)
  const to = createKeypair().address
  const bytes = signTransaction(
    [from],
    [systemTransfer(from.address, to, 1_000_000n), systemTransfer(from.address, to, 5n * SOL)],
    latestBlockhash(local),
  )
  const refused = await sendTransaction(local, base64(bytes))
  expect(refused.error).toMatchObject({
    code: -32002,
    message: 'Transaction simulation failed: Error processing Instruction 1: custom program error: 0x1',
    data: { err: { InstructionError: [1, { Custom: 1 }] } },
  })
  expect(local.chain.account(from.address)?.lamports).toBe(SOL)
  const { result } = await sendTransaction(local, base64(bytes), { skipPreflight: true })
  expect(local.chain.account(from.address)?.lamports).toBe(SOL - 5_000n)
  expect(local.chain.account(to)).toBeUndefined()
  expect(await call(local, 'getSignatureStatuses', [result])).toMatchObject({
    result: { value: [{ err: { InstructionError: [1, { Custom: 1 }] }, confirmationStatus: 'confirmed' }] },
  })
})

test('a simulation returns inner instructions on request', async () => {
  const local = await startChain()
  const from = fundedKeypair(local)
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
  const creating = base64(signTransaction([from], [create], latestBlockhash(local)))
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

test('a simulation replaces the blockhash, returns accounts and leaves no trace', async () => {
  const local = await startChain()
  const from = fundedKeypair(local)
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
  // A failed simulation has no accounts to return.
  const failing = signTransaction(
    [from],
    [systemTransfer(from.address, to, 5n * SOL)],
    latestBlockhash(local),
  )
  expect(
    await call(local, 'simulateTransaction', base64(failing), {
      encoding: 'base64',
      accounts: { encoding: 'base64', addresses: [from.address, to] },
    }),
  ).toMatchObject({
    result: { value: { err: { InstructionError: [0, { Custom: 1 }] }, accounts: [null, null] } },
  })
  // It runs on the newest state, although the default commitment is `finalized`.
  const { result } = await simulate({ replaceRecentBlockhash: true })
  expect((result as { context: { slot: number } }).context.slot).toBeGreaterThanOrEqual(
    local.chain.clock.slot() - 1,
  )
  expect(local.chain.account(to)).toBeUndefined()
  expect(local.chain.account(from.address)?.lamports).toBe(SOL)
})
