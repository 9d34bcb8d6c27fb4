import {
  findLaunchPoolDepositV2Pda,
  findPresaleDepositV2Pda,
  getLaunchPoolDepositV2AccountDataSerializer,
  getPresaleDepositV2AccountDataSerializer,
  Key,
} from '@metaplex-foundation/genesis'
import type { Pda, PublicKey } from '@metaplex-foundation/umi'
import type { Serializer } from '@metaplex-foundation/umi/serializers'
import { createAccount } from '../../create-account.ts'
import type { AccountRef, Invocation } from '../../stand-in.ts'
import { umi } from '../../umi-context.ts'
import { blank } from '../blank.ts'
import { asKey, GENESIS } from '../checks.ts'
import { genesisError } from '../errors.ts'

type Deposit = { readonly bucket: PublicKey; readonly depositor: PublicKey; readonly bump: number }
type DepositKind<Args, D extends Args & Deposit> = {
  readonly key: Key
  readonly serializer: Serializer<Args, D>
  readonly find: (context: typeof umi, seeds: { bucket: PublicKey; recipient: PublicKey }) => Pda
}

export const launchPoolDeposit = {
  key: Key.LaunchPoolDepositV2,
  serializer: getLaunchPoolDepositV2AccountDataSerializer(),
  find: findLaunchPoolDepositV2Pda,
}
export const presaleDeposit = {
  key: Key.PresaleDepositV2,
  serializer: getPresaleDepositV2AccountDataSerializer(),
  find: findPresaleDepositV2Pda,
}

type Owner = { readonly depositPda: AccountRef; readonly bucket: AccountRef; readonly owner: AccountRef }

/** The deposit of one wallet in a bucket; `undefined` if there is none. Throws if the account is not at its address. */
export function findDeposit<Args, D extends Args & Deposit>(
  ctx: Invocation,
  { key, serializer, find }: DepositKind<Args, D>,
  { depositPda, bucket, owner }: Owner,
): { readonly bump: number; readonly deposit: D | undefined } {
  const seeds = { bucket: asKey(bucket.address), recipient: asKey(owner.address) }
  const [address, bump] = find(umi, seeds)
  if (address !== asKey(depositPda.address)) throw genesisError('InvalidDepositPdaDerivation')
  const account = ctx.read(depositPda.address)
  if (account?.owner !== GENESIS || account.data[0] !== key) return { bump, deposit: undefined }
  return { bump, deposit: serializer.deserialize(account.data)[0] }
}

export function loadDeposit<Args, D extends Args & Deposit>(
  ctx: Invocation,
  kind: DepositKind<Args, D>,
  owner: Owner,
): D {
  const { deposit } = findDeposit(ctx, kind, owner)
  if (!deposit) throw genesisError('InvalidDepositPdaAccount')
  return deposit
}

export function createDeposit<Args, D extends Args & Deposit>(
  ctx: Invocation,
  { key, serializer }: DepositKind<Args, D>,
  { depositPda, payer }: { depositPda: AccountRef; payer: AccountRef },
  fill: (empty: D) => Args,
): void {
  const data = serializer.serialize(fill(blank(serializer, key)))
  createAccount(ctx, { created: depositPda, payer, owner: GENESIS }, data)
}

export function saveDeposit<Args, D extends Args & Deposit>(
  ctx: Invocation,
  { serializer }: DepositKind<Args, D>,
  depositPda: AccountRef,
  deposit: Args,
): void {
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
