import type { Address } from '@solana/kit'
import { expect, test } from 'vitest'
import { createFaucet } from '../../ledger/faucet.ts'
import { createKeypair, signTransaction } from '../../ledger/keypair.ts'
import { systemTransfer } from '../../ledger/system-instructions.ts'
import {
  base64,
  call,
  createManualChain,
  fundedKeypair,
  latestBlockhash,
  sendTransaction,
  startChain,
  startStoppedChain,
} from '../../testing/start-chain.ts'
import type { MethodName } from '../params.ts'
import { parseParams } from '../params.ts'
import { historyMethods } from './history.ts'

test('a signature status is available for 150 slots, and longer with searchTransactionHistory', async () => {
  const { local, advance } = await startStoppedChain()
  const { result: signature } = await call(local, 'requestAirdrop', createKeypair().address, 1_000_000)
  const status = async (config: object) =>
    ((await call(local, 'getSignatureStatuses', [signature], config)).result as { value: unknown[] }).value[0]
  expect(await status({})).toMatchObject({ err: null, status: { Ok: null } })
  advance(151)
  expect(await status({})).toBeNull()
  expect(await status({ searchTransactionHistory: true })).toMatchObject({ confirmationStatus: 'finalized' })
})

test('getSignaturesForAddress returns the newest first and pages between any two signatures', async () => {
  const local = await startChain()
  const [from, other] = [fundedKeypair(local), createKeypair().address]
  const signatures: string[] = []
  for (let n = 0; n < 6; n++) {
    const to = n % 2 === 0 ? other : createKeypair().address
    const bytes = signTransaction(
      [from],
      [systemTransfer(from.address, to, 1_000_000n + BigInt(n))],
      latestBlockhash(local),
    )
    signatures.push((await sendTransaction(local, base64(bytes))).result as string)
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
  // These two transactions don't involve the address, but they still mark positions in time.
  expect(await of({ before: s3, until: s1 })).toEqual([s2])
  expect(await of({ until: s0, before: null })).toEqual([s4, s2])
  const unknown = '1'.repeat(64)
  for (const config of [{ before: unknown }, { until: unknown }])
    expect((await call(local, 'getSignaturesForAddress', other, config)).error).toMatchObject({
      code: -32020,
    })
  expect((await call(local, 'getSignaturesForAddress', other)).result).toEqual([])
})

test('a memo is listed with the signature of its transaction', async () => {
  const local = await startChain()
  const from = fundedKeypair(local)
  const memo = {
    program: 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr' as Address,
    accounts: [],
    data: new TextEncoder().encode('for "the" boat'),
  }
  const bytes = base64(signTransaction([from], [memo], latestBlockhash(local)))
  const { result: signature } = await sendTransaction(local, bytes)
  expect(
    (await call(local, 'getSignaturesForAddress', from.address, { commitment: 'confirmed', limit: 1 }))
      .result,
  ).toMatchObject([{ signature, memo: '[14] for "the" boat' }])
})

test('a transaction is reported as finalized exactly 32 slots after it landed', () => {
  const { chain, advance } = createManualChain()
  const faucet = createFaucet(chain)
  const { address } = createKeypair()
  const { signature } = faucet.airdrop(address, 1_000_000n)
  const ask = (method: MethodName, ...params: unknown[]) =>
    historyMethods[method]?.({ chain, faucet }, parseParams(method, params))
  advance(31)
  expect(ask('getSignatureStatuses', [signature])).toMatchObject({
    value: [{ confirmationStatus: 'confirmed', confirmations: 31 }],
  })
  expect([ask('getTransaction', signature), ask('getSignaturesForAddress', address)]).toEqual([null, []])
  advance(1)
  expect(ask('getSignatureStatuses', [signature])).toMatchObject({
    value: [{ confirmationStatus: 'finalized', confirmations: null }],
  })
  expect(ask('getTransaction', signature)).toMatchObject({ meta: { err: null } })
  expect(ask('getSignaturesForAddress', address)).toMatchObject([
    { signature, confirmationStatus: 'finalized' },
  ])
})
