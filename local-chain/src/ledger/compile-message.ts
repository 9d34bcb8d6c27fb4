import { type Address, getCompiledTransactionMessageEncoder } from '@solana/kit'
import type { AccountRef, Instruction } from '../programs/stand-in.ts'

/** Compiles a legacy message. Also returns its accounts in order and the number of signers. */
export function compileMessage(
  payer: Address,
  instructions: readonly Instruction[],
  blockhash: string,
): { bytes: Uint8Array; keys: Address[]; signers: number } {
  const refs = collectAccounts(payer, instructions)
  const keys = refs.map(ref => ref.address)
  const index = new Map(keys.map((key, at) => [key, at]))
  const count = (rank: number) => refs.filter(ref => rankOf(ref) === rank).length
  const signers = count(0) + count(1)
  const bytes = getCompiledTransactionMessageEncoder().encode({
    version: 'legacy',
    header: {
      numSignerAccounts: signers,
      numReadonlySignerAccounts: count(1),
      numReadonlyNonSignerAccounts: count(3),
    },
    staticAccounts: keys,
    lifetimeToken: blockhash,
    instructions: instructions.map(ix => ({
      programAddressIndex: index.get(ix.program) as number,
      accountIndices: ix.accounts.map(ref => index.get(ref.address) as number),
      data: ix.data,
    })),
  } as Parameters<ReturnType<typeof getCompiledTransactionMessageEncoder>['encode']>[0])
  return { bytes: new Uint8Array(bytes), keys, signers }
}

/** Every account once, in message order, with all the privileges that any instruction asks for. */
function collectAccounts(payer: Address, instructions: readonly Instruction[]): AccountRef[] {
  const refs = new Map<Address, AccountRef>()
  const add = ({ address, isSigner, isWritable }: AccountRef) => {
    const known = refs.get(address)
    refs.set(address, {
      address,
      isSigner: isSigner || (known?.isSigner ?? false),
      isWritable: isWritable || (known?.isWritable ?? false),
    })
  }
  add({ address: payer, isSigner: true, isWritable: true })
  for (const ix of instructions) {
    for (const ref of ix.accounts) add(ref)
    add({ address: ix.program, isSigner: false, isWritable: false })
  }
  // The sort is stable, so the payer stays first among the writable signers.
  return [...refs.values()].sort((a, b) => rankOf(a) - rankOf(b))
}

// Writable signers, read-only signers, writable non-signers, read-only non-signers.
const rankOf = (ref: AccountRef): number => (ref.isSigner ? 0 : 2) + (ref.isWritable ? 0 : 1)
