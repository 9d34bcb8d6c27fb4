import type { Address } from '@solana/kit'
import { systemAllocate, systemAssign, systemTransfer } from '../ledger/system-instructions.ts'
import { type AccountRef, type Invocation, ProgramError } from './stand-in.ts'

/**
 * Creates an account at one of the program's derived addresses. It works even if the address already has lamports,
 * which then count toward the rent.
 */
export function createAccount(
  ctx: Invocation,
  { created, payer, owner }: { created: AccountRef; payer: AccountRef; owner: Address },
  data: Uint8Array,
  /** Has the payer if it is a derived address of the program too. */
  derivedSigners: readonly Address[] = [],
): void {
  const missing = ctx.rentExemptMinimum(data.length) - (ctx.read(created.address)?.lamports ?? 0n)
  if (missing > 0n) ctx.invoke(systemTransfer(payer.address, created.address, missing), derivedSigners)
  ctx.invoke(systemAllocate(created.address, data.length), [created.address])
  ctx.invoke(systemAssign(created.address, owner), [created.address])
  const made = ctx.read(created.address)
  if (!made) throw new ProgramError('UninitializedAccount')
  ctx.write(created.address, { ...made, data })
}
