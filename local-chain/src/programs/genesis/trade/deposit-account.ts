import {
  findLaunchPoolDepositV2Pda,
  getLaunchPoolDepositV2AccountDataSerializer,
  Key,
  type LaunchPoolDepositV2AccountData,
} from '@metaplex-foundation/genesis'
import { createAccount } from '../../create-account.ts'
import type { AccountRef, Invocation } from '../../stand-in.ts'
import { umi } from '../../umi-context.ts'
import { blank } from '../blank.ts'
import { asKey, GENESIS } from '../checks.ts'
import { genesisError } from '../errors.ts'

type Deposit = LaunchPoolDepositV2AccountData
type Owner = { readonly depositPda: AccountRef; readonly bucket: AccountRef; readonly owner: AccountRef }

const serializer = getLaunchPoolDepositV2AccountDataSerializer()

/** The deposit of one wallet in a launch pool; `undefined` if there is none. Throws if the account has another address. */
export function findDeposit(
  ctx: Invocation,
  { depositPda, bucket, owner }: Owner,
): { readonly bump: number; readonly deposit: Deposit | undefined } {
  const seeds = { bucket: asKey(bucket.address), recipient: asKey(owner.address) }
  const [address, bump] = findLaunchPoolDepositV2Pda(umi, seeds)
  if (address !== asKey(depositPda.address)) throw genesisError('InvalidDepositPdaDerivation')
  const account = ctx.read(depositPda.address)
  const exists = account?.owner === GENESIS && account.data[0] === Key.LaunchPoolDepositV2
  return { bump, deposit: exists ? serializer.deserialize(account.data)[0] : undefined }
}

export function loadDeposit(ctx: Invocation, owner: Owner): Deposit {
  const { deposit } = findDeposit(ctx, owner)
  if (!deposit) throw genesisError('InvalidDepositPdaAccount')
  return deposit
}

export function createDeposit(
  ctx: Invocation,
  { depositPda, payer }: { depositPda: AccountRef; payer: AccountRef },
  fields: Partial<Deposit>,
): void {
  const data = serializer.serialize({ ...blank(serializer, Key.LaunchPoolDepositV2), ...fields })
  createAccount(ctx, { created: depositPda, payer, owner: GENESIS }, data)
}

export function saveDeposit(ctx: Invocation, depositPda: AccountRef, deposit: Deposit): void {
  const account = ctx.read(depositPda.address)
  if (!account) throw genesisError('InvalidDepositPdaAccount')
  ctx.write(depositPda.address, { ...account, data: serializer.serialize(deposit) })
}

/** Removes a deposit. The payer of the withdrawal gets its rent. */
export function closeDeposit(ctx: Invocation, depositPda: AccountRef, receiver: AccountRef): void {
  const lamports = ctx.read(depositPda.address)?.lamports ?? 0n
  ctx.write(depositPda.address, undefined)
  const account = ctx.read(receiver.address)
  if (account) ctx.write(receiver.address, { ...account, lamports: account.lamports + lamports })
}
