import type { Address } from '@solana/kit'
import { SYSTEM_PROGRAM } from '../ledger/account.ts'
import { systemAllocate, systemAssign, systemTransfer } from '../ledger/system-instructions.ts'
import { type AccountRef, type Invocation, ProgramError } from './stand-in.ts'

/**
 * The first accounts of an instruction by name. Metaplex clients pass the program's own address for an optional account
 * that is left out; such an account is `undefined`.
 */
export function namedAccounts<const R extends string, const O extends string>(
  { accounts }: Invocation,
  program: string,
  names: readonly (R | `${O}?`)[],
): Record<R, AccountRef> & Partial<Record<O, AccountRef>> {
  if (accounts.length < names.length) throw new ProgramError('NotEnoughAccountKeys')
  const named: Record<string, AccountRef> = {}
  names.forEach((name, index) => {
    const ref = accounts[index] as AccountRef
    const optional = name.endsWith('?')
    if (optional && ref.address === program) return
    named[optional ? name.slice(0, -1) : name] = ref
  })
  return named as Record<R, AccountRef> & Partial<Record<O, AccountRef>>
}

/**
 * Decodes an instruction's arguments. The official serializer tolerates missing and extra bytes, but Borsh in the real
 * program does not, so the arguments must encode to the same bytes again.
 */
export function decodeArguments<T>(
  serializer: { deserialize(data: Uint8Array): [T, number]; serialize(value: T): Uint8Array },
  data: Uint8Array,
): T {
  try {
    const [value] = serializer.deserialize(data)
    if (Buffer.compare(serializer.serialize(value), data) === 0) return value
  } catch {
    // Reported below.
  }
  throw new ProgramError('BorshIoError')
}

export function assertSigner(ref: AccountRef): void {
  if (!ref.isSigner) throw new ProgramError('MissingRequiredSignature')
}

/** Replaces an account's data. If it grows, the payer adds the rent of the new bytes. */
export function resizeAccount(
  ctx: Invocation,
  target: AccountRef,
  payer: AccountRef,
  data: Uint8Array,
): void {
  const account = ctx.read(target.address)
  if (!account) throw new ProgramError('UninitializedAccount')
  const more = ctx.rentExemptMinimum(data.length) - ctx.rentExemptMinimum(account.data.length)
  if (more > 0n) ctx.invoke(systemTransfer(payer.address, target.address, more))
  const paid = ctx.read(target.address)
  if (paid) ctx.write(target.address, { ...paid, data })
}

export const isSystemProgram = (ref: AccountRef): boolean => ref.address === SYSTEM_PROGRAM

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
