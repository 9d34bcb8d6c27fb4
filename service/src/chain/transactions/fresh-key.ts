import { createPrivateKey, createPublicKey, randomBytes, sign } from 'node:crypto'
import { addressAt } from '@slipway/launch-model/bytes/base58'
import type { Address } from '@slipway/schema/address'

interface FreshKey {
  address: Address
  /** Adds the key's signature to a transaction in which it is a signer. Base64 in and out. */
  signTransaction(transaction: string): string
}

const SIGNATURE_BYTES = 64
const KEY_BYTES = 32
/** The version, and three counts of accounts. */
const HEADER_BYTES = 4
/** The start of an Ed25519 private key in DER. The key's 32 bytes follow. */
const DER_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex')

/**
 * The key of an account that does not exist yet. It signs only the transaction that creates the account, and is then
 * dropped: it never leaves the process and cannot move anyone's funds.
 */
export function createFreshKey(): FreshKey {
  const der = Buffer.concat([DER_PREFIX, randomBytes(KEY_BYTES)])
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  const key = createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).subarray(-KEY_BYTES)
  return {
    address: addressAt(key),
    signTransaction(transaction) {
      const bytes = Buffer.from(transaction, 'base64')
      // Both lengths fit in one byte: a transaction has far fewer than 128 signers and accounts.
      const signers = bytes[0] as number
      const message = bytes.subarray(1 + signers * SIGNATURE_BYTES)
      for (let at = 0; at < signers; at += 1) {
        const start = HEADER_BYTES + 1 + at * KEY_BYTES
        if (!key.equals(message.subarray(start, start + KEY_BYTES))) continue
        bytes.set(sign(null, message, privateKey), 1 + at * SIGNATURE_BYTES)
        return bytes.toString('base64')
      }
      throw new Error('the fresh key is no signer of the transaction')
    },
  }
}
