import { createV2 } from '@metaplex-foundation/mpl-core'
import { toWeb3JsInstruction } from '@metaplex-foundation/umi-web3js-adapters'
import {
  ComputeBudgetProgram,
  Connection,
  Ed25519Program,
  Keypair,
  PublicKey,
  SystemProgram,
  Transaction,
  TransactionInstruction,
} from '@solana/web3.js'
import { expect, test } from 'vitest'
import { describeModes, startInMode } from '../testing/real-programs.ts'
import { signer, wallet } from '../testing/umi-wallet.ts'

const price = (microLamports: number) => ComputeBudgetProgram.setComputeUnitPrice({ microLamports })
const limit = (units: number) => ComputeBudgetProgram.setComputeUnitLimit({ units })
const memo = new TransactionInstruction({
  programId: new PublicKey('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr'),
  keys: [],
  data: Buffer.from('hi'),
})

describeModes('fees', mode => {
  test('getFeeForMessage returns exactly what the payer is charged', async () => {
    const local = await startInMode(mode)
    const umi = wallet(local)
    const connection = new Connection(local.rpcUrl, 'confirmed')
    const payer = Keypair.fromSecretKey(umi.payer.secretKey)
    const pay = SystemProgram.transfer({
      fromPubkey: payer.publicKey,
      toPubkey: Keypair.generate().publicKey,
      lamports: 1_000_000,
    })
    const asset = signer(umi)
    const [create] = createV2(umi, { asset, name: 'A', uri: 'u' }).getInstructions()
    if (!create) throw new Error('no instruction')
    const core = toWeb3JsInstruction(create)
    const signature = Ed25519Program.createInstructionWithPrivateKey({
      privateKey: payer.secretKey,
      message: Buffer.from('hi'),
    })

    const cases: [TransactionInstruction[], number][] = [
      [[pay], 5_000],
      // Without an explicit limit, a built-in program counts as 3,000 units and any other as 200,000.
      [[price(1_000_000), pay], 5_000 + 6_000],
      [[price(1_000_000), memo, pay], 5_000 + 206_000],
      [[price(10), ...Array<TransactionInstruction>(8).fill(memo)], 5_000 + 14],
      [[limit(5_000), price(1_000_000), pay], 5_000 + 5_000],
      [[limit(1_000), price(777), pay], 5_000 + 1],
      [[signature, pay], 10_000],
      [[price(1_000_000), core], 10_000 + 203_000],
    ]
    for (const [instructions, fee] of cases) {
      const transaction = new Transaction().add(...instructions)
      const { blockhash } = await connection.getLatestBlockhash()
      transaction.feePayer = payer.publicKey
      transaction.recentBlockhash = blockhash
      const quoted = await connection.getFeeForMessage(transaction.compileMessage())
      transaction.sign(
        payer,
        ...(instructions.includes(core) ? [Keypair.fromSecretKey(asset.secretKey)] : []),
      )
      const sent = await connection.sendRawTransaction(transaction.serialize())
      const charged = (await connection.getTransaction(sent))?.meta?.fee
      expect([quoted.value, charged]).toEqual([fee, fee])
    }
  })
})
