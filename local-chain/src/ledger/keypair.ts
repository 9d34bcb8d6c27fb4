import { createPrivateKey, type KeyObject, randomBytes, sign } from 'node:crypto'
import { type Address, getBase58Decoder } from '@solana/kit'
import type { Instruction } from '../programs/stand-in.ts'
import { addressAt } from './address-bytes.ts'
import { compileVersion } from './compile-message.ts'
import {
  encodeWire,
  markVerified,
  type TransactionVersion,
  type WireTransaction,
} from './parse-transaction.ts'

/** A key pair that signs synchronously, unlike Web Crypto. */
export type Keypair = {
  readonly address: Address
  /** 64 bytes, the secret half first: the format of wallets and `demo.json`. */
  readonly secretKey: Uint8Array
  sign(message: Uint8Array): Uint8Array
}

export function createKeypair(seed: Uint8Array = randomBytes(32)): Keypair {
  const key = importSeed(seed)
  const publicKey = Buffer.from(key.export({ format: 'jwk' }).x as string, 'base64url')
  return {
    address: addressAt(publicKey),
    secretKey: Uint8Array.from([...seed, ...publicKey]),
    sign: message => new Uint8Array(sign(null, message, key)),
  }
}

/** The start of an Ed25519 private key in DER. The key's 32 bytes follow. */
const DER_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex')
const isNode20 = process.versions.node.startsWith('20.')

/**
 * Node 20 takes ten times as long to import DER. It ignores the public half of a JWK, and derives its own; Node 26
 * checks it.
 */
function importSeed(seed: Uint8Array): KeyObject {
  if (!isNode20)
    return createPrivateKey({ key: Buffer.concat([DER_PREFIX, seed]), format: 'der', type: 'pkcs8' })
  const d = Buffer.from(seed).toString('base64url')
  return createPrivateKey({ key: { kty: 'OKP', crv: 'Ed25519', d, x: '' }, format: 'jwk' })
}

/** Builds and signs a transaction in one synchronous step; the first signer pays. */
export const signTransaction = (...parameters: Parameters<typeof createTransaction>): Uint8Array =>
  createTransaction(...parameters).wire

/** The same, for a ledger in this process, which then need not parse and verify it. */
export function createTransaction(
  signers: readonly [Keypair, ...Keypair[]],
  instructions: readonly Instruction[],
  blockhash: string,
  version: TransactionVersion = 'legacy',
): WireTransaction {
  const message = compileVersion(version, signers[0].address, instructions, blockhash)
  const signatures = message.keys.slice(0, message.signers).map(key => {
    const signer = signers.find(({ address }) => address === key)
    if (!signer) throw new Error(`no key to sign for ${key}`)
    return signer.sign(message.bytes)
  })
  const [, readonlySigners, readonlyNonSigners] = message.header
  return markVerified({
    wire: encodeWire({ signatures, message: message.bytes }),
    message: message.bytes,
    version,
    signatures,
    signature: getBase58Decoder().decode(signatures[0] as Uint8Array),
    staticKeys: message.keys,
    signers: message.signers,
    readonlySigners,
    readonlyNonSigners,
    blockhash,
    instructions: message.instructions,
    lookups: [],
    ...(message.config && { config: message.config }),
  })
}
