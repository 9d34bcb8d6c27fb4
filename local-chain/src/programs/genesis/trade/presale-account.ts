import {
  findPresaleDepositV2Pda,
  getPresaleDepositV2AccountDataSerializer,
  Key,
  type PresaleDepositV2AccountData,
} from '@metaplex-foundation/genesis'
import { createAccount } from '../../create-account.ts'
import type { AccountRef, Invocation } from '../../stand-in.ts'
import { umi } from '../../umi-context.ts'
import { blank } from '../blank.ts'
import { asKey, GENESIS } from '../checks.ts'
import { genesisError } from '../errors.ts'

const serializer = getPresaleDepositV2AccountDataSerializer()

/** A wallet's deposit in a presale; `undefined` if it has none. Throws if the account's address is not the expected one. */
export function findPresaleDeposit(
  ctx: Invocation,
  { depositPda, bucket, owner }: Record<'depositPda' | 'bucket' | 'owner', AccountRef>,
): { readonly bump: number; readonly deposit: PresaleDepositV2AccountData | undefined } {
  const seeds = { bucket: asKey(bucket.address), recipient: asKey(owner.address) }
  const [address, bump] = findPresaleDepositV2Pda(umi, seeds)
  if (address !== asKey(depositPda.address)) throw genesisError('InvalidDepositPdaDerivation')
  const account = ctx.read(depositPda.address)
  const exists = account?.owner === GENESIS && account.data[0] === Key.PresaleDepositV2
  return { bump, deposit: exists ? serializer.deserialize(account.data)[0] : undefined }
}

/** Writes a deposit. If it is new, the payer pays its rent. */
export function savePresaleDeposit(
  ctx: Invocation,
  { depositPda, payer }: Record<'depositPda' | 'payer', AccountRef>,
  fields: Partial<PresaleDepositV2AccountData>,
): void {
  const data = serializer.serialize({ ...blank(serializer, Key.PresaleDepositV2), ...fields })
  const account = ctx.read(depositPda.address)
  if (account?.owner === GENESIS) ctx.write(depositPda.address, { ...account, data })
  else createAccount(ctx, { created: depositPda, payer, owner: GENESIS }, data)
}
