import { execute, findAssetSignerPda } from '@metaplex-foundation/mpl-core'
import { mplToolbox, transferSol } from '@metaplex-foundation/mpl-toolbox'
import {
  createNoopSigner,
  lamports,
  type PublicKey,
  signerIdentity,
  type TransactionBuilder,
  type Umi,
} from '@metaplex-foundation/umi'
import { createUmi } from '@metaplex-foundation/umi-bundle-defaults'
import type { Withdrawal } from '../chain/transactions/build-withdraw.ts'

/** Umi as its makers bundle it, for someone who is going to sign: what our transactions are compared with. */
export const stockUmi = (payer: string): Umi =>
  createUmi('http://127.0.0.1:1')
    .use(mplToolbox())
    .use(signerIdentity(createNoopSigner(payer as PublicKey)))

/** A builder's transaction as Umi serializes it, without signatures. */
export function serializeUnsigned(umi: Umi, builder: TransactionBuilder, blockhash: string): string {
  const transaction = builder.setBlockhash(blockhash).build(umi)
  return Buffer.from(umi.transactions.serialize(transaction)).toString('base64')
}

/** A withdrawal as the documentation of the official client has it. */
export function withdrawWithUmi(
  umi: Umi,
  { asset, collection, owner, lamports: amount, blockhash }: Withdrawal,
): string {
  const [signer] = findAssetSignerPda(umi, { asset: asset as string as PublicKey })
  const builder = execute(umi, {
    asset: { publicKey: asset as string as PublicKey },
    ...(collection && { collection: { publicKey: collection as string as PublicKey } }),
    instructions: transferSol(umi, {
      source: createNoopSigner(signer),
      destination: owner as string as PublicKey,
      amount: lamports(amount),
    }),
  })
  return serializeUnsigned(umi, builder, blockhash)
}
