import { mplToolbox, transferSol } from '@metaplex-foundation/mpl-toolbox'
import { generateSigner, publicKey, sol } from '@metaplex-foundation/umi'
import { createUmi } from '@metaplex-foundation/umi-bundle-defaults'
import * as kit from '@solana/kit'
import {
  Connection,
  Keypair,
  LAMPORTS_PER_SOL,
  SystemProgram,
  sendAndConfirmTransaction,
  Transaction,
} from '@solana/web3.js'
import { expect, test } from 'vitest'
import { createKeypair } from '../ledger/keypair.ts'
import { systemTransfer } from '../ledger/system-instructions.ts'
import { call, startChain } from '../testing/start-chain.ts'

test('web3.js airdrops, sends, confirms over WebSocket and reads back', async () => {
  const local = await startChain()
  const connection = new Connection(local.rpcUrl, { commitment: 'confirmed', wsEndpoint: local.wsUrl })
  const payer = Keypair.generate()
  const other = Keypair.generate().publicKey

  const airdrop = await connection.requestAirdrop(payer.publicKey, LAMPORTS_PER_SOL)
  await connection.confirmTransaction({ signature: airdrop, ...(await connection.getLatestBlockhash()) })
  const changes: number[] = []
  connection.onAccountChange(other, account => changes.push(account.lamports))
  await expect.poll(() => local.subscriptions()).toBeGreaterThan(0)

  const transaction = new Transaction().add(
    SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: other, lamports: 2_000_000 }),
  )
  const signature = await sendAndConfirmTransaction(connection, transaction, [payer])

  expect(await connection.getBalance(other)).toBe(2_000_000)
  expect(await connection.getBalance(payer.publicKey)).toBe(LAMPORTS_PER_SOL - 2_000_000 - 5_000)
  const found = await connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 })
  expect(found?.meta?.fee).toBe(5_000)
  expect(found?.blockTime).toBeCloseTo(Date.now() / 1000, -2)
  const parsed = await connection.getParsedTransaction(signature, { maxSupportedTransactionVersion: 0 })
  expect(parsed?.transaction.message.accountKeys[0]?.pubkey.toBase58()).toBe(payer.publicKey.toBase58())
  const history = await connection.getSignaturesForAddress(other)
  expect(history.map(entry => entry.signature)).toEqual([signature])
  // It is final after 32 slots, or 13 seconds.
  const { value: status } = await connection.getSignatureStatus(signature)
  expect(status?.confirmationStatus).toMatch(/confirmed|finalized/)
  const block = await connection.getBlock(found?.slot as number, { maxSupportedTransactionVersion: 0 })
  expect(block?.transactions.flatMap(({ transaction }) => transaction.signatures)).toContain(signature)
  const participants = await connection.getBlock(found?.slot as number, {
    maxSupportedTransactionVersion: 0,
    transactionDetails: 'accounts',
  })
  expect(participants?.transactions.at(-1)).toMatchObject({
    meta: { fee: 5_000 },
    transaction: {
      accountKeys: [
        { signer: true, writable: true },
        { signer: false, writable: true },
        { signer: false, writable: false },
      ],
      signatures: [signature],
    },
  })
  await expect.poll(() => changes).toEqual([2_000_000])
})

test('Umi airdrops, sends, confirms and reads back', async () => {
  const local = await startChain()
  const umi = createUmi(local.rpcUrl, { commitment: 'confirmed', wsEndpoint: local.wsUrl }).use(mplToolbox())
  const payer = generateSigner(umi)
  umi.identity = payer
  umi.payer = payer
  const other = generateSigner(umi).publicKey

  await umi.rpc.airdrop(payer.publicKey, sol(1))
  const { result } = await transferSol(umi, { destination: other, amount: sol(0.25) }).sendAndConfirm(umi)

  expect(result.value.err).toBeNull()
  expect((await umi.rpc.getBalance(other)).basisPoints).toBe(250_000_000n)
  const accounts = await umi.rpc.getAccounts([other, publicKey('11111111111111111111111111111112')])
  expect(accounts.map(account => account.exists)).toEqual([true, false])
})

test('kit airdrops, sends, confirms over its subscriptions and reads back', async () => {
  const local = await startChain()
  const rpc = kit.createSolanaRpc(local.rpcUrl)
  const rpcSubscriptions = kit.createSolanaRpcSubscriptions(local.wsUrl)
  const payer = await kit.generateKeyPairSigner()
  const other = (await kit.generateKeyPairSigner()).address
  const commitment = 'confirmed'

  const airdrop = kit.airdropFactory({ rpc: rpc as never, rpcSubscriptions: rpcSubscriptions as never })
  await airdrop({ commitment, recipientAddress: payer.address, lamports: kit.lamports(1_000_000_000n) })
  const { value: blockhash } = await rpc.getLatestBlockhash({ commitment }).send()
  const { program, accounts, data } = systemTransfer(payer.address, other, 3_000_000n)
  const message = kit.pipe(
    kit.createTransactionMessage({ version: 0 }),
    tx => kit.setTransactionMessageFeePayerSigner(payer, tx),
    tx => kit.setTransactionMessageLifetimeUsingBlockhash(blockhash, tx),
    tx =>
      kit.appendTransactionMessageInstruction(
        {
          programAddress: program,
          accounts: [
            { address: payer.address, role: kit.AccountRole.WRITABLE_SIGNER },
            { address: accounts[1]?.address as kit.Address, role: kit.AccountRole.WRITABLE },
          ],
          data,
        },
        tx,
      ),
  )
  const signed = await kit.signTransactionMessageWithSigners(message)
  kit.assertIsTransactionWithBlockhashLifetime(signed)
  kit.assertIsTransactionWithinSizeLimit(signed)
  await kit.sendAndConfirmTransactionFactory({ rpc, rpcSubscriptions })(signed, { commitment })

  expect((await rpc.getBalance(other, { commitment }).send()).value).toBe(3_000_000n)
  const account = await kit.fetchEncodedAccount(rpc, other, { commitment })
  expect(account.exists && account.programAddress).toBe('11111111111111111111111111111111')
  const found = await rpc
    .getTransaction(kit.getSignatureFromTransaction(signed), {
      commitment,
      encoding: 'json',
      maxSupportedTransactionVersion: 0,
    })
    .send()
  expect(found?.meta?.fee).toBe(5_000n)
  expect(found?.version).toBe(0)
  // A client that does not declare support for version 0 is not given such a transaction.
  const signature = kit.getSignatureFromTransaction(signed)
  for (const [method, of] of [
    ['getTransaction', signature],
    ['getBlock', Number(found?.slot)],
  ]) {
    expect((await call(local, method as string, of, { commitment, encoding: 'json' })).error).toMatchObject({
      code: -32015,
      message: expect.stringContaining('"maxSupportedTransactionVersion": 0'),
    })
  }
  const slots = await rpcSubscriptions
    .slotNotifications()
    .subscribe({ abortSignal: AbortSignal.timeout(60_000) })
  for await (const notification of slots) {
    expect(notification.slot - notification.parent).toBe(1n)
    break
  }
})

test('kit receives account, program and log notifications', async () => {
  const local = await startChain()
  const subscriptions = kit.createSolanaRpcSubscriptions(local.wsUrl)
  const abortSignal = AbortSignal.timeout(60_000)
  const [account, program] = [createKeypair().address, createKeypair().address]
  const options = { commitment: 'confirmed', encoding: 'base64' } as const
  const accounts = await subscriptions.accountNotifications(account, options).subscribe({ abortSignal })
  const programs = await subscriptions.programNotifications(program, options).subscribe({ abortSignal })
  const logs = await subscriptions
    .logsNotifications({ mentions: [account] }, { commitment: 'confirmed' })
    .subscribe({ abortSignal })
  const first = async <T>(stream: AsyncIterable<T>): Promise<T | undefined> => {
    for await (const notification of stream) return notification
    return undefined
  }
  // kit drops notifications that arrive before the stream is read.
  const received = Promise.all([first(accounts), first(programs), first(logs)])
  local.airdrop(account, 5_000_000n)
  const owned = { lamports: 2_000_000n, owner: program, data: Uint8Array.of(1, 2), executable: false }
  local.chain.writeAccounts(new Map([[createKeypair().address, owned]]))
  const [changed, made, logged] = await received
  expect(changed?.value.lamports).toBe(5_000_000n)
  expect(made?.value.account.data).toEqual(['AQI=', 'base64'])
  expect(logged?.value.err).toBeNull()
})
