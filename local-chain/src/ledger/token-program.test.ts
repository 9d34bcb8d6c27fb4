import { WRAPPED_NATIVE_MINT as WRAPPED_SOL } from '@slipway/launch-model/programs'
import type { Address } from '@solana/kit'
import { expect, test } from 'vitest'
import { rentFor } from '../conditions.ts'
import type { Instruction } from '../programs/stand-in.ts'
import { fundedKeypair, latestBlockhash, SOL, startChain } from '../testing/start-chain.ts'
import {
  associatedToken,
  createAssociatedAccount,
  createMint,
  syncNative,
} from '../testing/token-accounts.ts'
import { TOKEN_PROGRAM } from './account.ts'
import { createKeypair, createTransaction } from './keypair.ts'
import { systemTransfer } from './system-instructions.ts'
import { decodeTokenAccount } from './token-balances.ts'

const u64 = (value: bigint): number[] => [...Buffer.from(BigUint64Array.of(value).buffer)]
const call = (data: readonly number[], writable: readonly Address[], signer: Address): Instruction => ({
  program: TOKEN_PROGRAM,
  accounts: [
    ...writable.map(address => ({ address, isSigner: false, isWritable: true })),
    { address: signer, isSigner: true, isWritable: false },
  ],
  data: Uint8Array.from(data),
})
/** Many calls in one instruction, each after the numbers of its accounts and bytes. */
const batch = (calls: readonly Instruction[]): Instruction => ({
  program: TOKEN_PROGRAM,
  accounts: calls.flatMap(({ accounts }) => accounts),
  data: Uint8Array.from([
    255,
    ...calls.flatMap(({ accounts, data }) => [accounts.length, data.length, ...data]),
  ]),
})

test("the token program's new instructions run: batch, unwrap_lamports and withdraw_excess_lamports", async () => {
  const local = await startChain()
  const [owner, other, mint] = [fundedKeypair(local), createKeypair().address, createKeypair()]
  const [from, to] = [owner.address, other].map(of => associatedToken(WRAPPED_SOL, of)) as [Address, Address]
  const lamports = (of: Address) => local.chain.account(of)?.lamports ?? 0n
  const tokens = (of: Address) => decodeTokenAccount(local.chain.account(of))?.amount
  const must = (...instructions: Instruction[]) => {
    const signers = instructions.some(ix =>
      ix.accounts.some(ref => ref.isSigner && ref.address === mint.address),
    )
      ? ([owner, mint] as const)
      : ([owner] as const)
    const { err, logs } = local.chain.submit(createTransaction(signers, instructions, latestBlockhash(local)))
    expect([err, err && logs]).toEqual([null, null])
  }
  const open = (wallet: Address) => createAssociatedAccount(owner.address, wallet, WRAPPED_SOL)
  must(open(owner.address), open(other), systemTransfer(owner.address, from, SOL / 2n), syncNative(from))
  const transfer = (amount: bigint) => call([3, ...u64(amount)], [from, to], owner.address)
  must(batch([transfer(100n), transfer(200n)]))
  expect([tokens(from), tokens(to)]).toEqual([SOL / 2n - 300n, 300n])

  const fresh = createKeypair().address
  must(call([45, 1, ...u64(2_000_000n)], [from, fresh], owner.address))
  expect([lamports(fresh), tokens(from)]).toEqual([2_000_000n, SOL / 2n - 2_000_300n])
  must(call([45, 0], [from, fresh], owner.address))
  expect([lamports(fresh), tokens(from), lamports(from)]).toEqual([SOL / 2n - 300n, 0n, rentFor(165)])

  must(
    ...createMint({ payer: owner.address, mint: mint.address, decimals: 6, rent: rentFor }),
    systemTransfer(owner.address, mint.address, 5_000n),
  )
  must(call([38], [mint.address, fresh], owner.address))
  expect([lamports(mint.address), lamports(fresh)]).toEqual([rentFor(82), SOL / 2n - 300n + 5_000n])
})
