import type { Address } from '@solana/kit'

/** An account as the chain holds it. An account that does not exist is `undefined`, never a zeroed value. */
export type ChainAccount = {
  readonly lamports: bigint
  readonly owner: Address
  readonly data: Uint8Array
  readonly executable: boolean
}

/** What a commit did to the accounts: `undefined` means that the account is gone. */
export type AccountChanges = ReadonlyMap<Address, ChainAccount | undefined>

export type Commitment = 'processed' | 'confirmed' | 'finalized'

export const SYSTEM_PROGRAM = '11111111111111111111111111111111' as Address
export const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA' as Address
export const TOKEN_2022_PROGRAM = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb' as Address
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
