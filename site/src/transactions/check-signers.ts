import type { Address } from '@slipway/launch-model/programs'
import {
  getPublicKeyFromAddress,
  type Address as KitAddress,
  type SignatureBytes,
  verifySignature,
} from '@solana/kit'
import type { DecodedTransaction } from './decode-transaction.ts'
import { refuse } from './unexpected.ts'

/**
 * The connected wallet pays the fee and signs. The only other signers are keys of accounts that the transaction
 * creates, and they have already signed.
 */
export async function assertSigners(
  { signers, message }: DecodedTransaction,
  wallet: Address,
  newAccounts: readonly Address[],
): Promise<void> {
  const [payer, ...others] = signers
  if (payer?.address !== wallet) refuse(`The fee would be paid by ${payer?.address}, not by your wallet.`)
  for (const { address, signature } of others) {
    if (!newAccounts.includes(address))
      refuse(`The transaction also needs the signature of ${address}, which this page didn’t ask for.`)
    if (!signature || !(await isValid(address, signature, message)))
      refuse(`The signature of the new account ${address} is missing or wrong.`)
  }
}

/** Browsers that can't check Ed25519 leave it to the network, which refuses a wrong signature too. */
async function isValid(address: Address, signature: Uint8Array, message: Uint8Array): Promise<boolean> {
  const key = await getPublicKeyFromAddress(address as KitAddress).catch(() => undefined)
  return !key || verifySignature(key, signature as SignatureBytes, message)
}
