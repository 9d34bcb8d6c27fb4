import { createV2, findAssetSignerPda } from '@metaplex-foundation/mpl-core'
import { transferSol } from '@metaplex-foundation/mpl-toolbox'
import { createNoopSigner, lamports, publicKey } from '@metaplex-foundation/umi'
import { toWeb3JsInstruction, toWeb3JsPublicKey } from '@metaplex-foundation/umi-web3js-adapters'
import {
  AddressLookupTableProgram,
  Connection,
  Keypair,
  SystemProgram,
  type TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import { expect, test } from 'vitest'
import { describeModes, startInMode } from '../testing/real-programs.ts'
import { asAddress, mustSend, signer, wallet, wrapInExecute } from '../testing/umi-wallet.ts'

describeModes('address lookup tables', mode => {
  test('a transaction can take its accounts from a lookup table, directly and inside execute', async () => {
    const local = await startInMode(mode)
    const umi = wallet(local)
    const connection = new Connection(local.rpcUrl, { commitment: 'confirmed', wsEndpoint: local.wsUrl })
    const payer = Keypair.fromSecretKey(umi.payer.secretKey)
    const asset = signer(umi)
    await mustSend(local, umi, createV2(umi, { asset, name: 'Agent', uri: 'u' }))
    const [pda] = findAssetSignerPda(umi, { asset: asset.publicKey })
    local.airdrop(asAddress(pda), 1_000_000_000n)
    const to = Keypair.generate().publicKey

    const land = async (
      instructions: TransactionInstruction[],
      tables: Parameters<TransactionMessage['compileToV0Message']>[0] = [],
    ) => {
      const { blockhash, lastValidBlockHeight } = await connection.getLatestBlockhash()
      const message = new TransactionMessage({
        payerKey: payer.publicKey,
        recentBlockhash: blockhash,
        instructions,
      })
      const transaction = new VersionedTransaction(message.compileToV0Message(tables))
      transaction.sign([payer])
      const signature = await connection.sendTransaction(transaction)
      await connection.confirmTransaction({ signature, blockhash, lastValidBlockHeight })
      return { signature, transaction }
    }
    const recentSlot = (await connection.getSlot()) - 1
    const [create, table] = AddressLookupTableProgram.createLookupTable({
      authority: payer.publicKey,
      payer: payer.publicKey,
      recentSlot,
    })
    const extend = AddressLookupTableProgram.extendLookupTable({
      lookupTable: table,
      authority: payer.publicKey,
      payer: payer.publicKey,
      addresses: [toWeb3JsPublicKey(asset.publicKey), toWeb3JsPublicKey(pda), to],
    })
    await land([create, extend])
    const { value: account } = await connection.getAddressLookupTable(table)
    if (!account) throw new Error('no table')
    // Addresses that are added in one slot can be used from the next slot on.
    const extended = await connection.getSlot()
    await expect.poll(() => connection.getSlot()).toBeGreaterThan(extended)

    await land(
      [SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: to, lamports: 1_000_000 })],
      [account],
    )
    const payment = transferSol(umi, {
      source: createNoopSigner(pda),
      destination: publicKey(to.toBase58()),
      amount: lamports(2_000_000),
    })
    const [execute] = wrapInExecute(umi, asset.publicKey, payment).getInstructions()
    if (!execute) throw new Error('no instruction')
    const { signature, transaction } = await land([toWeb3JsInstruction(execute)], [account])
    expect(transaction.message.addressTableLookups[0]?.writableIndexes).toHaveLength(3)
    expect(await connection.getBalance(to)).toBe(3_000_000)
    const found = await connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 })
    expect(found?.meta?.loadedAddresses?.writable.map(String)).toContain(to.toBase58())
  })
})
