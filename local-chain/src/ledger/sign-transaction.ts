import { type Address, getCompiledTransactionMessageEncoder } from '@solana/kit'
import type { InnerInstruction } from '../programs/stand-in.ts'
import type { Keypair } from './keypair.ts'

/** Builds and signs a legacy transaction in one synchronous step; the first signer pays. */
export function signTransaction(
  signers: readonly [Keypair, ...Keypair[]],
  instructions: readonly InnerInstruction[],
  blockhash: string,
): Uint8Array {
  const flags = new Map<Address, { signer: boolean; writable: boolean }>()
  const add = (address: Address, signer: boolean, writable: boolean) => {
    const known = flags.get(address)
    flags.set(address, {
      signer: signer || (known?.signer ?? false),
      writable: writable || (known?.writable ?? false),
    })
  }
  add(signers[0].address, true, true)
  for (const ix of instructions) {
    for (const ref of ix.accounts) add(ref.address, ref.isSigner, ref.isWritable)
    add(ix.program, false, false)
  }
  const rank = ({ signer, writable }: { signer: boolean; writable: boolean }) =>
    (signer ? 0 : 2) + (writable ? 0 : 1)
  // The sort is stable, so the payer stays in front of the other writable signers.
  const keys = [...flags].sort(([, a], [, b]) => rank(a) - rank(b))
  const count = (wanted: number) => keys.filter(([, flag]) => rank(flag) === wanted).length
  const index = (address: Address) => keys.findIndex(([key]) => key === address)
  const message = new Uint8Array(
    getCompiledTransactionMessageEncoder().encode({
      version: 'legacy',
      header: {
        numSignerAccounts: count(0) + count(1),
        numReadonlySignerAccounts: count(1),
        numReadonlyNonSignerAccounts: count(3),
      },
      staticAccounts: keys.map(([key]) => key),
      lifetimeToken: blockhash,
      instructions: instructions.map(ix => ({
        programAddressIndex: index(ix.program),
        accountIndices: ix.accounts.map(ref => index(ref.address)),
        data: ix.data,
      })),
    } as Parameters<ReturnType<typeof getCompiledTransactionMessageEncoder>['encode']>[0]),
  )
  const required = keys.filter(([, flag]) => flag.signer).map(([key]) => key)
  const signatures = required.map(key => {
    const signer = signers.find(({ address }) => address === key)
    if (!signer) throw new Error(`no key to sign for ${key}`)
    return signer.sign(message)
  })
  return Uint8Array.from([signatures.length, ...signatures.flatMap(bytes => [...bytes]), ...message])
}
