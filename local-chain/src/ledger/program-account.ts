import { type Address, getAddressEncoder } from '@solana/kit'
import { type ChainAccount, UPGRADEABLE_LOADER } from './account.ts'

/**
 * What a reader finds at the address of a program that we stand in for: an executable account like any other, whose
 * program data nobody holds. It is never given to the virtual machine, which would look for the binary.
 */
export function programAccount(address: Address): ChainAccount {
  const data = new Uint8Array(36)
  data[0] = 2
  data.set(getAddressEncoder().encode(address), 4)
  return { lamports: 1_141_440n, owner: UPGRADEABLE_LOADER, data, executable: true }
}
