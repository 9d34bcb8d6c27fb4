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

type Owner = { readonly depositPda: AccountRef; readonly bucket: AccountRef; readonly owner: AccountRef }
type Finder = (context: typeof umi, seeds: { bucket: PublicKey; recipient: PublicKey }) => Pda

/** The accounts of one kind of deposit: each wallet has one per bucket. */
function depositAccounts<Args, Deposit extends Args & { depositor: PublicKey; bucket: PublicKey }>(
  key: Key,
  serializer: Serializer<Args, Deposit>,
  findPda: Finder,
) {
  /** `deposit` is undefined if the wallet has none. Throws if the account has another address. */
  function find(ctx: Invocation, { depositPda, bucket, owner }: Owner) {
    const seeds = { bucket: asKey(bucket.address), recipient: asKey(owner.address) }
    const [address, bump] = findPda(umi, seeds)
    if (address !== asKey(depositPda.address)) throw genesisError('InvalidDepositPdaDerivation')
    const account = ctx.read(depositPda.address)
    const exists = account?.owner === GENESIS && account.data[0] === key
    return {
      deposit: exists ? serializer.deserialize(account.data)[0] : undefined,
      /** What a new deposit begins with. */
      created: { bump, depositor: seeds.recipient, bucket: seeds.bucket },
    }
  }
  return {
    find,

    load(ctx: Invocation, owner: Owner): Deposit {
      const { deposit } = find(ctx, owner)
      if (!deposit) throw genesisError('InvalidDepositPdaAccount')
      return deposit
    },

    /** Writes a deposit. If it is new, the payer pays its rent. */
    save(
      ctx: Invocation,
      { depositPda, payer }: Record<'depositPda' | 'payer', AccountRef>,
      fields: Partial<Deposit>,
    ): void {
      const data = serializer.serialize({ ...blank(serializer, key), ...fields })
      const account = ctx.read(depositPda.address)
      if (account?.owner === GENESIS) ctx.write(depositPda.address, { ...account, data })
      else createAccount(ctx, { created: depositPda, payer, owner: GENESIS }, data)
    },

    /** Removes a deposit. The payer of the withdrawal gets its rent. */
    close(ctx: Invocation, depositPda: AccountRef, receiver: AccountRef): void {
      const lamports = ctx.read(depositPda.address)?.lamports ?? 0n
      ctx.write(depositPda.address, undefined)
      const account = ctx.read(receiver.address)
      if (account) ctx.write(receiver.address, { ...account, lamports: account.lamports + lamports })
    },
  }
}

export const poolDeposits = depositAccounts(
  Key.LaunchPoolDepositV2,
  getLaunchPoolDepositV2AccountDataSerializer(),
  findLaunchPoolDepositV2Pda,
)
export const presaleDeposits = depositAccounts(
  Key.PresaleDepositV2,
  getPresaleDepositV2AccountDataSerializer(),
  findPresaleDepositV2Pda,
)
