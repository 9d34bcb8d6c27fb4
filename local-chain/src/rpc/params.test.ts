import { expect, test } from 'vitest'
import { CONDITIONS } from '../conditions.ts'
import { createKeypair } from '../ledger/keypair.ts'
import { call, startChain } from '../testing/start-chain.ts'
import { methods } from './methods.ts'

const ADDRESS = '11111111111111111111111111111112'

test("invalid parameters get a node's error messages", async () => {
  const local = await startChain()
  const refused = async (method: string, ...params: unknown[]) => (await call(local, method, ...params)).error
  expect(await refused('getBalance')).toEqual({
    code: -32602,
    message: '`params` should have at least 1 argument(s)',
  })
  expect(await refused('getBalance', 5)).toEqual({
    code: -32602,
    message: 'Invalid params: invalid type: integer `5`, expected a string.',
  })
  expect(await refused('getBalance', 'abc')).toEqual({ code: -32602, message: 'Invalid param: WrongSize' })
  expect(await refused('getBalance', '0OIl')).toEqual({ code: -32602, message: 'Invalid param: Invalid' })
  expect(await refused('getBalance', ADDRESS, { commitment: 'sure' })).toMatchObject({ code: -32602 })
  expect(await refused('getBalance', ADDRESS, { minContextSlot: 1e12 })).toMatchObject({
    code: -32016,
    message: 'Minimum context slot has not been reached',
    data: { contextSlot: expect.any(Number) },
  })
  expect(await refused('getMultipleAccounts', Array(101).fill(ADDRESS))).toEqual({
    code: -32602,
    message: 'Too many inputs provided; max 100',
  })
  expect(await refused('getProgramAccounts', ADDRESS, { filters: Array(5).fill({ dataSize: 1 }) })).toEqual({
    code: -32602,
    message: 'Too many filters provided; max 4',
  })
  const filtered = (...filters: unknown[]) => refused('getProgramAccounts', ADDRESS, { filters })
  expect(await filtered({ memcmp: { offset: -1, bytes: '1' } })).toEqual({
    code: -32602,
    message: 'Invalid params: invalid value: integer `-1`, expected usize.',
  })
  expect(await filtered({ dataSize: 1.5 })).toEqual({
    code: -32602,
    message: 'Invalid params: invalid type: floating point `1.5`, expected u64.',
  })
  for (const config of [{ encoding: 'xml' }, { transactionDetails: 'some' }]) {
    expect(await refused('getBlock', 1, config)).toMatchObject({
      code: -32602,
      message: expect.stringMatching(/^Invalid params: unknown variant/),
    })
  }
  expect(await refused('getSignatureStatuses', ['abc'])).toEqual({
    code: -32602,
    message: 'Invalid param: WrongSize',
  })
  expect(await refused('getBlockTime', 1e9)).toEqual({
    code: -32004,
    message: 'Block not available for slot 1000000000',
  })
  expect(await refused('getTransaction', '1'.repeat(64), { commitment: 'processed' })).toEqual({
    code: -32602,
    message: 'Method does not support commitment below `confirmed`',
  })
  expect(await refused('requestAirdrop', createKeypair().address, 5)).toMatchObject({
    code: -32002,
    message:
      'Transaction simulation failed: Transaction results in an account (1) with insufficient funds for rent',
  })
  expect(await refused('sendTransaction', '!!', { encoding: 'base64' })).toMatchObject({ code: -32602 })
  expect(await refused('sendTransaction', 'AAAA', { encoding: 'base64' })).toMatchObject({
    code: -32602,
    message: expect.stringMatching(
      /^failed to deserialize solana_transaction::versioned::VersionedTransaction/,
    ),
  })
  const accepts1 = CONDITIONS.transactionVersions.includes(1)
  for (const [config, message] of [
    [
      { encoding: 'base64' },
      `base64 encoded TYPE too large: 5500 bytes (max: encoded/raw ${accepts1 ? '5464/4096' : '1644/1232'})`,
    ],
    [{ encoding: 'base58' }, 'base58 encoded TYPE too large: 5500 bytes (max: encoded/raw 1683/1232)'],
  ] as const)
    expect(await refused('sendTransaction', 'A'.repeat(5_500), config)).toEqual({
      code: -32602,
      message: message.replace('TYPE', 'solana_transaction::versioned::VersionedTransaction'),
    })
})

test("every method refuses too many parameters, and missing ones get a node's error messages", async () => {
  const local = await startChain()
  const refused = async (method: string, ...params: unknown[]) => (await call(local, method, ...params)).error
  expect(await refused('requestAirdrop')).toEqual({
    code: -32602,
    message: '`params` should have at least 2 argument(s)',
  })
  expect(await refused('getBalance', ADDRESS, {}, 1)).toEqual({
    code: -32602,
    message: 'Invalid parameters: Expected from 1 to 2 parameters.',
    data: '"Got: 3"',
  })
  expect(await refused('getBlockTime')).toEqual({
    code: -32602,
    message: 'Invalid params: invalid length 0, expected a tuple of size 1.',
  })
  expect(await refused('getBlockTime', 1, 2)).toEqual({
    code: -32602,
    message: 'Invalid params: invalid length 2, expected fewer elements in array.',
  })
  expect(await refused('getHealth', 1)).toEqual({
    code: -32602,
    message: 'Invalid parameters: No parameters were expected',
  })
  for (const method of methods.keys()) {
    const { code, message } = (await refused(method, null, null, null, null)) ?? {}
    expect([method, code, message]).toEqual([
      method,
      -32602,
      expect.stringMatching(/No parameters were expected|Expected from \d to \d|expected fewer elements/),
    ])
  }
})

test("invalid filters, encodings and commitments get a node's error messages", async () => {
  const local = await startChain()
  const message = async (method: string, ...params: unknown[]) =>
    (await call(local, method, ...params)).error?.message
  const filtered = (memcmp: object) => message('getProgramAccounts', ADDRESS, { filters: [{ memcmp }] })
  expect(await filtered({ offset: 0, bytes: 'a0' })).toBe(
    "Invalid param: Base58DecodeError(InvalidCharacter { character: '0', index: 1 })",
  )
  for (const memcmp of [
    { offset: 0, bytes: '1'.repeat(129) },
    { offset: 0, bytes: 'z'.repeat(176) },
    { offset: 0, bytes: 'A'.repeat(176), encoding: 'base64' },
    { offset: 0, bytes: Array(129).fill(1) },
  ])
    expect(await filtered(memcmp)).toBe('Invalid param: DataTooLarge')
  expect(await filtered({ offset: 0, bytes: 'A!', encoding: 'base64' })).toMatch(/Base64DecodeError/)
  expect(await filtered({ offset: 0, bytes: '1', encoding: 'hex' })).toBe(
    'Invalid params: unknown variant `hex`, expected one of `base58`, `base64`, `bytes`.',
  )
  for (const bytes of [7, [256], ['x']])
    expect(await filtered({ offset: 0, bytes })).toMatch(/did not match any variant/)
  expect(await message('isBlockhashValid', 'abc')).toBe('Invalid param: WrongSize')
  for (const [method, ...params] of [
    ['getBlock', 1],
    ['getBlocks', 1, 2],
    ['getBlocks', 1],
    ['getBlocksWithLimit', 1, 2],
    ['getSignaturesForAddress', ADDRESS],
  ] as [string, ...unknown[]][]) {
    expect(await message(method, ...params, { commitment: 'processed' })).toBe(
      'Method does not support commitment below `confirmed`',
    )
  }
  expect(await message('getBlocks', 1, 2, { minContextSlot: 1e12 })).toMatch(/^Minimum context slot/)
  expect(await message('getSlotLeaders', 1, 5_001)).toBe('Invalid limit; max 5000')
  // Objects that throw when they are converted to a string.
  const odd = { toString: 1, valueOf: 1 }
  expect(await message('getAccountInfo', ADDRESS, { encoding: odd })).toMatch(/invalid type: map/)
  expect(await message('sendTransaction', 'x', { encoding: odd })).toMatch(/invalid type: map/)
  expect(await message('sendTransaction', 'x', { encoding: 'json' })).toBe(
    'unsupported encoding: json. Supported encodings: base58, base64',
  )
})
