import type { Address } from '@slipway/schema/address'
import { associatedTokenAddress } from '../addresses.ts'
import { struct, u8, u32, u64 } from '../bytes/codec.ts'
import {
  type Call,
  type CallAccount,
  call,
  defineCall,
  opened,
  readonly,
  readonlySigner,
  writable,
  writableSigner,
} from '../call.ts'
import {
  ASSOCIATED_TOKEN_PROGRAM,
  COMPUTE_BUDGET_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '../programs.ts'
import { TOKEN_ACCOUNT_BYTES } from '../rent.ts'

/** A mint and the program that owns it and its token accounts. */
export interface Token {
  mint: Address
  program: Address
  /** Size of its associated accounts. Absent: the mint's extensions add nothing to it. */
  accountBytes?: number | undefined
}

/** Token-2022 adds the immutable-owner extension to associated accounts. */
export const TOKEN_2022_ACCOUNT_BYTES = 170

/**
 * A token account that the instruction creates where it is missing. It is there for good if its owner is a derived
 * address, and the program never closes it.
 */
export function openedTokens(
  { mint, program, accountBytes }: Token,
  owner: Address,
  name: string,
  { isForGood = false } = {},
): CallAccount {
  const bytes =
    accountBytes ?? (program === TOKEN_2022_PROGRAM ? TOKEN_2022_ACCOUNT_BYTES : TOKEN_ACCOUNT_BYTES)
  const closer = isForGood ? undefined : owner
  return opened(associatedTokenAddress(mint, owner, program), name, { bytes, closer })
}

/** `CreateIdempotent` of the associated token program: creates the account unless it exists. */
export const openTokenAccount = defineCall('openTokenAccount', ASSOCIATED_TOKEN_PROGRAM, 1, struct({}))

export const openTokenAccountCall = (payer: Address, owner: Address, token: Token): Call =>
  call(openTokenAccount, {}, [
    writableSigner(payer, 'the payer'),
    openedTokens(token, owner, 'the new token account'),
    readonly(owner, 'its owner'),
    readonly(token.mint, 'its token'),
    readonly(SYSTEM_PROGRAM, 'the system program'),
    readonly(token.program, 'the token program'),
  ])

/** `Transfer` of the system program. */
export const transfer = defineCall('transfer', SYSTEM_PROGRAM, [2, 0, 0, 0], struct({ lamports: u64 }))

export const transferCall = (from: Address, to: Address, lamports: bigint): Call =>
  call(transfer, { lamports }, [writableSigner(from, 'the sender'), writable(to, 'the recipient')])

/** `SyncNative` of the token program: counts the lamports that have arrived in the account as wrapped tokens. */
export const syncNative = defineCall('syncNative', TOKEN_PROGRAM, 17, struct({}))

export const syncNativeCall = (account: Address): Call =>
  call(syncNative, {}, [writable(account, 'the account')])

/** `CloseAccount` of the token program. Wrapped native currency in the account becomes native again. */
export const closeTokenAccount = defineCall('closeTokenAccount', TOKEN_PROGRAM, 9, struct({}))

export const closeTokenAccountCall = (account: Address, recipient: Address, owner: Address): Call =>
  call(closeTokenAccount, {}, [
    writable(account, 'the account'),
    writable(recipient, 'the recipient'),
    readonlySigner(owner, 'its owner'),
  ])

/** `TransferChecked` of either token program: fails if the mint has other decimals. */
export const transferTokens = defineCall(
  'transferTokens',
  TOKEN_PROGRAM,
  12,
  struct({ amount: u64, decimals: u8 }),
)

export const transferTokensCall = (
  { mint, program, decimals }: { mint: Address; program: Address; decimals: number },
  { from, to, owner, amount }: { from: Address; to: Address; owner: Address; amount: bigint },
): Call =>
  call({ ...transferTokens, program }, { amount, decimals }, [
    writable(from, 'the sender’s account'),
    readonly(mint, 'the token'),
    writable(to, 'the recipient’s account'),
    readonlySigner(owner, 'the sender'),
  ])

/** `SetComputeUnitLimit` and `SetComputeUnitPrice` of the compute-budget program. */
export const setComputeLimit = defineCall(
  'setComputeLimit',
  COMPUTE_BUDGET_PROGRAM,
  2,
  struct({ units: u32 }),
)
export const setComputePrice = defineCall(
  'setComputePrice',
  COMPUTE_BUDGET_PROGRAM,
  3,
  struct({ microLamports: u64 }),
)
export const setComputeLimitCall = (units: number): Call => call(setComputeLimit, { units }, [])
export const setComputePriceCall = (microLamports: bigint): Call =>
  call(setComputePrice, { microLamports }, [])
