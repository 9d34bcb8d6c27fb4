import type { Address } from '@solana/kit'
import { bytesOf } from './address-bytes.ts'

/** An account on the chain. A missing account is `undefined`, never a zeroed value. */
export type ChainAccount = {
  readonly lamports: bigint
  readonly owner: Address
  readonly data: Uint8Array
  readonly executable: boolean
}

/** Changed accounts with their new state; `undefined` means that the account no longer exists. */
export type AccountChanges = ReadonlyMap<Address, ChainAccount | undefined>

export type Commitment = 'processed' | 'confirmed' | 'finalized'

export { SYSTEM_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '@slipway/launch-model/programs'

export const UPGRADEABLE_LOADER = 'BPFLoaderUpgradeab1e11111111111111111111111' as Address

export function sameAccount(a: ChainAccount | undefined, b: ChainAccount | undefined): boolean {
  if (a === b) return true
  if (!a || !b) return false
  return (
    a.lamports === b.lamports &&
    a.owner === b.owner &&
    a.executable === b.executable &&
    Buffer.compare(a.data, b.data) === 0
  )
}

/**
 * The account that readers see at the address of a stand-in: executable, but without a binary. It is never passed to
 * the VM, which would look for the binary.
 */
export function standInAccount(address: Address): ChainAccount {
  const data = new Uint8Array(36)
  data[0] = 2
  data.set(bytesOf(address), 4)
  return { lamports: 1_141_440n, owner: UPGRADEABLE_LOADER, data, executable: true }
}
