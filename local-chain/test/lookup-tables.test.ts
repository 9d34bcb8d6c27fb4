import { createV2, executeV1, findAssetSignerPda } from '@metaplex-foundation/mpl-core'
import { publicKey } from '@metaplex-foundation/umi'
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
import { describe, expect, test } from 'vitest'
import { systemTransfer } from '../src/ledger/system-instructions.ts'
import { asAddress, modes, mustSend, signer, startWith, wallet } from './programs/on-chain.ts'

describe.each(modes)('address lookup tables, %s', mode => {
  test('a transaction whose accounts come from a table runs, on the machine and through a program', async () => {
    const local = await startWith(mode)
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
    // What was added in a slot can be used from the next one on.
    const extended = await connection.getSlot()
    await expect.poll(() => connection.getSlot()).toBeGreaterThan(extended)

    await land(
      [SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: to, lamports: 1_000_000 })],
      [account],
    )
    const inner = systemTransfer(asAddress(pda), asAddress(to.toBase58()), 2_000_000n)
    const [execute] = executeV1(umi, {
      asset: asset.publicKey,
      programId: publicKey(inner.program),
      instructionData: inner.data,
    })
      .addRemainingAccounts([
        { pubkey: pda, isSigner: false, isWritable: true },
        { pubkey: publicKey(to.toBase58()), isSigner: false, isWritable: true },
      ])
      .getInstructions()
    if (!execute) throw new Error('no instruction')
    const { signature, transaction } = await land([toWeb3JsInstruction(execute)], [account])
    expect(transaction.message.addressTableLookups[0]?.writableIndexes).toHaveLength(3)
    expect(await connection.getBalance(to)).toBe(3_000_000)
    const found = await connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 })
    expect(found?.meta?.loadedAddresses?.writable.map(String)).toContain(to.toBase58())
  })
})
