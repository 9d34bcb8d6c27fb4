import type { Address } from '@solana/kit'
import { type AccountRef, ProgramError } from '../programs/stand-in.ts'

/**
 * A program can pass on only the privileges that it has: an invoked instruction may write only what the program may
 * write, and its signers must have signed for the program or be addresses derived from it.
 */
export function assertPrivileges(
  given: readonly AccountRef[],
  passed: readonly AccountRef[],
  derived: readonly Address[],
  log: (line: string) => void,
): void {
  for (const { address, isSigner, isWritable } of passed) {
    const known = given.filter(ref => ref.address === address)
    if (known.length === 0) {
      log(`Instruction references an unknown account ${address}`)
      throw new ProgramError('MissingAccount')
    }
    if (isWritable && !known.some(ref => ref.isWritable)) {
      log(`${address}'s writable privilege escalated`)
      throw new ProgramError('PrivilegeEscalation')
    }
    if (isSigner && !known.some(ref => ref.isSigner) && !derived.includes(address)) {
      log(`${address}'s signer privilege escalated`)
      throw new ProgramError('PrivilegeEscalation')
    }
  }
}
