import { type Instruction, readonly } from '@slipway/launch-model/call'
import { VersionedTransaction } from '@solana/web3.js'
import { expect, test } from 'vitest'
import { addressOf } from '../../testing/launch-rows.ts'
import { compileTransaction, measureTransaction, TransactionTooLarge } from './compile-transaction.ts'

const [payer, program, blockhash] = [addressOf('payer'), addressOf('program'), addressOf('blockhash')]

/** A transaction of exactly this size. A length of 128 or more takes two bytes. */
function instructionsOf(bytes: number, more: Instruction[] = []): Instruction[] {
  const withData = (length: number) => [...more, { program, accounts: [], data: new Uint8Array(length) }]
  return withData(bytes - measureTransaction(payer, withData(128)) + 128)
}

const OTHER: Instruction = {
  program: addressOf('another program'),
  accounts: Array.from({ length: 20 }, (_, at) => readonly(addressOf(`account ${at}`))),
  data: new Uint8Array(3),
}

test.each([
  ['one instruction', []],
  ['many accounts', [OTHER]],
])('a transaction of %s may have 1,232 bytes, and not one more', (_, more) => {
  for (const size of [1_228, 1_229, 1_230, 1_231, 1_232]) {
    const instructions = instructionsOf(size, more)
    const bytes = Buffer.from(compileTransaction(payer, instructions, blockhash), 'base64')
    expect(bytes).toHaveLength(size)
    const { message } = VersionedTransaction.deserialize(bytes)
    expect(message.compiledInstructions.map(({ data }) => data.length)).toEqual(
      instructions.map(({ data }) => data.length),
    )
  }
  for (const size of [1_233, 1_234, 1_300])
    expect(() => compileTransaction(payer, instructionsOf(size, more), blockhash)).toThrow(
      TransactionTooLarge,
    )
})

test('a transaction with too many accounts is refused', () => {
  const accounts = Array.from({ length: 40 }, (_, at) => readonly(addressOf(`account ${at}`)))
  const instructions = [{ program, accounts, data: new Uint8Array() }]
  expect(() => compileTransaction(payer, instructions, blockhash)).toThrow(TransactionTooLarge)
})
