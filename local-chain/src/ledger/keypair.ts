import { createPrivateKey, createPublicKey, randomBytes, sign } from 'node:crypto'
import { type Address, getAddressDecoder, getBase58Decoder } from '@solana/kit'
import type { Instruction } from '../programs/stand-in.ts'
import { compileMessage } from './compile-message.ts'
import { markVerified, type WireTransaction } from './parse-transaction.ts'

/** A key pair that signs synchronously, unlike Web Crypto. */
export type Keypair = {
  readonly address: Address
  /** 64 bytes, the secret half first: the format of wallets and `demo.json`. */
  readonly secretKey: Uint8Array
  sign(message: Uint8Array): Uint8Array
}

// The fixed DER prefix of an Ed25519 private key: Node cannot import a raw key.
const DER_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex')

export function createKeypair(seed: Uint8Array = randomBytes(32)): Keypair {
  const key = createPrivateKey({ key: Buffer.concat([DER_PREFIX, seed]), format: 'der', type: 'pkcs8' })
  const publicKey = createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32)
  return {
    address: getAddressDecoder().decode(publicKey),
    secretKey: Uint8Array.from([...seed, ...publicKey]),
    sign: message => new Uint8Array(sign(null, message, key)),
  }
}

/** Builds and signs a legacy transaction in one synchronous step; the first signer pays. */
export const signTransaction = (...parameters: Parameters<typeof createTransaction>): Uint8Array =>
  createTransaction(...parameters).wire

/** The same, for a ledger in this process, which then need not parse and verify it. */
export function createTransaction(
  signers: readonly [Keypair, ...Keypair[]],
  instructions: readonly Instruction[],
  blockhash: string,
): WireTransaction {
  const message = compileMessage(signers[0].address, instructions, blockhash)
  const signatures = message.keys.slice(0, message.signers).map(key => {
    const signer = signers.find(({ address }) => address === key)
    if (!signer) throw new Error(`no key to sign for ${key}`)
    return signer.sign(message.bytes)
  })
  const [, readonlySigners, readonlyNonSigners] = message.header
  return markVerified({
    wire: Uint8Array.from(Buffer.concat([Uint8Array.of(signatures.length), ...signatures, message.bytes])),
    message: message.bytes,
    version: 'legacy',
    signatures,
    signature: getBase58Decoder().decode(signatures[0] as Uint8Array),
    staticKeys: message.keys,
    signers: message.signers,
    readonlySigners,
    readonlyNonSigners,
    blockhash,
    instructions: message.instructions,
    lookups: [],
  })
}
