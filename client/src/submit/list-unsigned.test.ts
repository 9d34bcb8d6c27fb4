import * as kit from '@solana/kit'
import { expect, test } from 'vitest'
import { listUnsigned } from './list-unsigned.ts'

const MEMO = kit.address('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr')
const BLOCKHASH = {
  blockhash: kit.blockhash('11111111111111111111111111111111'),
  lastValidBlockHeight: 1n,
}

/** A transaction that two accounts have to sign, with the signatures of some of them. */
async function build(version: 'legacy' | 0 | 1, signs: readonly [boolean, boolean]) {
  const signers = await Promise.all([kit.generateKeyPairSigner(), kit.generateKeyPairSigner()])
  const [payer, other] = signers
  const instruction = {
    programAddress: MEMO,
    accounts: [{ address: other.address, role: kit.AccountRole.READONLY_SIGNER }],
    data: new Uint8Array(300).fill(7),
  }
  const message = kit.pipe(
    kit.createTransactionMessage({ version } as { version: 0 }),
    m => kit.setTransactionMessageFeePayer(payer.address, m),
    m => kit.setTransactionMessageLifetimeUsingBlockhash(BLOCKHASH, m),
    m => kit.appendTransactionMessageInstruction(instruction, m),
  )
  const keys = signers.filter((_, at) => signs[at]).map(({ keyPair }) => keyPair)
  const signed = await kit.partiallySignTransaction(keys, kit.compileTransaction(message))
  const wire = new Uint8Array(kit.getTransactionEncoder().encode(signed))
  return { wire, addresses: signers.map(({ address }) => address) }
}

test.each(['legacy', 0, 1] as const)('names who has to sign a transaction of version %s', async version => {
  for (const signs of [
    [false, false],
    [true, false],
    [false, true],
    [true, true],
  ] as const) {
    const { wire, addresses } = await build(version, signs)
    expect(listUnsigned(wire)).toEqual(addresses.filter((_, at) => !signs[at]))
  }
})
