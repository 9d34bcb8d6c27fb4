import {
  type CreateCollectionV1InstructionData,
  type CreateCollectionV2InstructionData,
  Key,
} from '@metaplex-foundation/mpl-core'
import type { PublicKey } from '@metaplex-foundation/umi'
import { systemCreateAccount } from '../../ledger/system-instructions.ts'
import { assertSigner, namedAccounts } from '../instruction-accounts.ts'
import type { Invocation } from '../stand-in.ts'
import { assertSystemProgram, CORE } from './checks.ts'
import { refusePlugins } from './create.ts'
import { coreError } from './errors.ts'
import { encodeCollection } from './layout.ts'

export function createCollection(
  ctx: Invocation,
  args: CreateCollectionV1InstructionData | CreateCollectionV2InstructionData,
): void {
  const accounts = namedAccounts(ctx, CORE, ['collection', 'updateAuthority?', 'payer', 'systemProgram'])
  assertSigner(accounts.collection)
  assertSigner(accounts.payer)
  assertSystemProgram(accounts.systemProgram)
  const authority = accounts.updateAuthority ?? accounts.payer
  const data = encodeCollection({
    key: Key.CollectionV1,
    updateAuthority: authority.address as string as PublicKey,
    name: args.name,
    uri: args.uri,
    numMinted: 0,
    currentSize: 0,
  })
  ctx.invoke(
    systemCreateAccount(accounts.payer.address, accounts.collection.address, {
      lamports: ctx.rentExemptMinimum(data.length),
      space: data.length,
      owner: CORE,
    }),
  )
  const made = ctx.read(accounts.collection.address)
  if (!made) throw coreError('InvalidCollection')
  ctx.write(accounts.collection.address, { ...made, data })
  refusePlugins(args)
}
