import { createPrivateKey, createPublicKey, randomBytes, sign } from 'node:crypto'
import { type Address, getAddressDecoder } from '@solana/kit'

/** A key of the demo or of the faucet: signing here is synchronous, unlike in a browser. */
export type Keypair = {
  readonly address: Address
  /** 64 bytes, the secret half first, as wallets and `demo.json` have it. */
  readonly secretKey: Uint8Array
  sign(message: Uint8Array): Uint8Array
}

const DER_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex')

export function createKeypair(seed: Uint8Array = randomBytes(32)): Keypair {
  const key = createPrivateKey({ key: Buffer.concat([DER_HEAD, seed]), format: 'der', type: 'pkcs8' })
  const publicKey = createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32)
  return {
    address: getAddressDecoder().decode(publicKey),
    secretKey: Uint8Array.from([...seed, ...publicKey]),
    sign: message => new Uint8Array(sign(null, message, key)),
  }
}
