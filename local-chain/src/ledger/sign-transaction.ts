import type { Instruction } from '../programs/stand-in.ts'
import { compileMessage } from './compile-message.ts'
import type { Keypair } from './keypair.ts'

/** Builds and signs a legacy transaction in one synchronous step; the first signer pays. */
export function signTransaction(
  signers: readonly [Keypair, ...Keypair[]],
  instructions: readonly Instruction[],
  blockhash: string,
): Uint8Array {
  const message = compileMessage(signers[0].address, instructions, blockhash)
  const signatures = message.keys.slice(0, message.signers).map(key => {
    const signer = signers.find(({ address }) => address === key)
    if (!signer) throw new Error(`no key to sign for ${key}`)
    return signer.sign(message.bytes)
  })
  return Uint8Array.from([signatures.length, ...signatures.flatMap(bytes => [...bytes]), ...message.bytes])
}
