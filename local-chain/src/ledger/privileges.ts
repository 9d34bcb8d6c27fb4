import type { Address } from '@solana/kit'
import { type AccountRef, ProgramError } from '../programs/stand-in.ts'

/**
 * A program passes on no more than it was given: what it invokes may write or count as signed only what it could write
 * and what was signed for it, besides the addresses that are derived from its own.
 */
export function assertPrivileges(
  given: readonly AccountRef[],
  passed: readonly AccountRef[],
  derived: readonly Address[],
  say: (line: string) => void,
): void {
  for (const { address, isSigner, isWritable } of passed) {
    const known = given.filter(ref => ref.address === address)
    if (known.length === 0) {
      say(`Instruction references an unknown account ${address}`)
      throw new ProgramError('MissingAccount')
    }
    if (isWritable && !known.some(ref => ref.isWritable)) {
      say(`${address}'s writable privilege escalated`)
      throw new ProgramError('PrivilegeEscalation')
    }
    if (isSigner && !known.some(ref => ref.isSigner) && !derived.includes(address)) {
      say(`${address}'s signer privilege escalated`)
      throw new ProgramError('PrivilegeEscalation')
    }
  }
}
