import { SYSTEM_PROGRAM } from '../ledger/account.ts'
import { systemTransfer } from '../ledger/system-instructions.ts'
import { type AccountRef, type Invocation, ProgramError } from './stand-in.ts'

/**
 * The first accounts of an instruction by name. Metaplex programs write an optional account that is left out as the
 * program's own address; those come back as `undefined`.
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
 * An instruction's arguments. The official serializer forgives bytes that are missing or too many; Borsh, which reads
 * them in the real program, does not: they must come out the same when they are written again.
 */
export function readArguments<T>(
  serializer: { deserialize(data: Uint8Array): [T, number]; serialize(value: T): Uint8Array },
  data: Uint8Array,
): T {
  try {
    const [value] = serializer.deserialize(data)
    if (Buffer.compare(serializer.serialize(value), data) === 0) return value
  } catch {
    // Said below.
  }
  throw new ProgramError('BorshIoError')
}

export function assertSigner(ref: AccountRef): void {
  if (!ref.isSigner) throw new ProgramError('MissingRequiredSignature')
}

/** Gives an account another size; the payer adds what the rent of the larger one is more. */
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
