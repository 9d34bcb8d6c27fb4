import { expect, test } from 'vitest'
import {
  call,
  fundedKeypair,
  sendTransaction,
  signedTransfer,
  startStoppedChain,
} from '../../testing/start-chain.ts'

test('slots follow the wall clock', async () => {
  const { local, advance } = await startStoppedChain()
  const before = (await call(local, 'getSlot', { commitment: 'processed' })).result as number
  const nowMs = advance(3.25)
  const after = (await call(local, 'getSlot', { commitment: 'processed' })).result as number
  expect(after - before).toBe(3)
  const time = (await call(local, 'getBlockTime', after)).result as number
  expect(Math.abs(time - nowMs / 1000)).toBeLessThan(2)
  // The clock sysvar, which programs read, agrees.
  const { result } = await call(local, 'getAccountInfo', 'SysvarC1ock11111111111111111111111111111111', {
    commitment: 'processed',
    encoding: 'base64',
  })
  const { context, value } = result as { context: { slot: number }; value: { data: [string, string] } }
  expect(Buffer.from(value.data[0], 'base64').readBigUInt64LE(0)).toBe(BigInt(context.slot))
})

test('a blockhash is valid for 150 blocks and then expires', async () => {
  const { local, advance } = await startStoppedChain()
  const from = fundedKeypair(local)
  const { result } = await call(local, 'getLatestBlockhash', { commitment: 'processed' })
  const { blockhash: hash, lastValidBlockHeight } = (
    result as { value: { blockhash: string; lastValidBlockHeight: number } }
  ).value
  const height = async () =>
    (await call(local, 'getBlockHeight', { commitment: 'processed' })).result as number

  advance(150)
  expect(await height()).toBe(lastValidBlockHeight)
  expect(await call(local, 'isBlockhashValid', hash, { commitment: 'processed' })).toMatchObject({
    result: { value: true },
  })
  expect((await sendTransaction(local, signedTransfer(local, from, 1_000_000n, hash))).error).toBeUndefined()
  // At `finalized`, the blockhash of a slot that is not final yet is unknown.
  const { blockhash: newest } = (
    (await call(local, 'getLatestBlockhash', { commitment: 'processed' })).result as {
      value: { blockhash: string }
    }
  ).value
  expect(await call(local, 'isBlockhashValid', newest)).toMatchObject({ result: { value: false } })

  advance(1)
  expect(await call(local, 'isBlockhashValid', hash, { commitment: 'processed' })).toMatchObject({
    result: { value: false },
  })
  expect((await sendTransaction(local, signedTransfer(local, from, 1_000_000n, hash))).error).toMatchObject({
    code: -32002,
    message: 'Transaction simulation failed: Blockhash not found',
    data: { err: 'BlockhashNotFound' },
  })
})
