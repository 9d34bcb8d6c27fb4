import {
  type Address,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
  WRAPPED_NATIVE_MINT,
} from '@slipway/launch-model/programs'
import { createKeypair } from '@slipway/local-chain/ledger/keypair'
import { getAddressEncoder } from '@solana/kit'
import { expect, test } from 'vitest'
import { compareAccounts } from './simulate.ts'

const newAddress = () => createKeypair().address as string as Address
const [wallet, other, mint, program] = [newAddress(), newAddress(), newAddress(), newAddress()]

/** A token account as an RPC returns it. */
function tokenAccount(owner: Address, amount: bigint, token = mint) {
  const data = Buffer.alloc(72)
  data.set(getAddressEncoder().encode(token as never))
  data.set(getAddressEncoder().encode(owner as never), 32)
  data.writeBigUInt64LE(amount, 64)
  const wrapped = token === WRAPPED_NATIVE_MINT ? Number(amount) : 0
  return { lamports: 2_039_280 + wrapped, owner: TOKEN_PROGRAM, data: [data.toString('base64'), 'base64'] }
}
const plain = (owner: Address, lamports: number) => ({ lamports, owner, data: ['', 'base64'] })

test('the deposit of a new account counts as the wallet’s own or as another’s; SOL that was sent is no deposit', () => {
  const after = [
    tokenAccount(wallet, 5n),
    tokenAccount(other, 7n),
    plain(program, 1_614_720),
    plain(SYSTEM_PROGRAM, 900_000_000),
    tokenAccount(wallet, 400n, WRAPPED_NATIVE_MINT),
  ]
  expect(
    compareAccounts(
      after.map(() => null),
      after,
      wallet,
    ),
  ).toEqual({
    ownDeposits: 2n * 2_039_280n,
    otherDeposits: 2_039_280n + 1_614_720n,
    returnedDeposits: 0n,
    tokens: [
      { owner: wallet, mint, change: 5n },
      { owner: other, mint, change: 7n },
      { owner: wallet, mint: WRAPPED_NATIVE_MINT, change: 400n },
    ],
  })
})

test('a closed account returns its deposit, and what it held is a change of tokens', () => {
  const before = [
    tokenAccount(wallet, 400n, WRAPPED_NATIVE_MINT),
    plain(program, 1_614_720),
    plain(program, 10),
  ]
  const after = [null, plain(SYSTEM_PROGRAM, 0), plain(program, 20)]
  expect(compareAccounts(before, after, wallet)).toEqual({
    ownDeposits: 0n,
    otherDeposits: 0n,
    returnedDeposits: 2_039_280n + 1_614_720n,
    tokens: [{ owner: wallet, mint: WRAPPED_NATIVE_MINT, change: -400n }],
  })
})

test('an answer without balances is not used', () => {
  expect(() => compareAccounts([{ owner: program, data: ['', 'base64'] }], [null], wallet)).toThrow()
})
