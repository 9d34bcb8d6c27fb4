import { SwapDirection, swapBondingCurveV2 } from '@metaplex-foundation/genesis'
import { createAssociatedToken, syncNative, transferSol } from '@metaplex-foundation/mpl-toolbox'
import { lamports as asLamports, publicKey, transactionBuilder } from '@metaplex-foundation/umi'
import { WRAPPED_NATIVE_MINT as WRAPPED_SOL } from '@slipway/launch-model/programs'
import * as kit from '@solana/kit'
import { Connection } from '@solana/web3.js'
import { expect, test } from 'vitest'
import { CONDITIONS, LAST_SPRING } from '../../conditions.ts'
import { createKeypair, type Keypair } from '../../ledger/keypair.ts'
import { parseTransaction } from '../../ledger/parse-transaction.ts'
import { systemTransfer } from '../../ledger/system-instructions.ts'
import type { Instruction } from '../../programs/stand-in.ts'
import type { LocalChain } from '../../start-local-chain.ts'
import {
  base64,
  call,
  fundedKeypair,
  latestBlockhash,
  SOL,
  sendTransaction,
  startChain,
} from '../../testing/start-chain.ts'
import { associatedToken } from '../../testing/token-accounts.ts'
import { asAddress, wallet } from '../../testing/umi-wallet.ts'
import { buildWorld } from '../../world/build-world.ts'

/** A chain that accepts version 1, whatever the conditions of this run. */
const startNewChain = () =>
  startChain({ conditions: { ...CONDITIONS, transactionVersions: ['legacy', 0, 1] } })

const LIMITS = { computeUnitLimit: 10_000, loadedAccountsDataSizeLimit: 1_000_000 }

/** A transaction of version 1 as Solana's kit builds it. */
async function signed(
  local: LocalChain,
  signer: Keypair,
  instructions: readonly Instruction[],
  config: kit.V1TransactionConfig = LIMITS,
): Promise<string> {
  const message = kit.pipe(
    kit.createTransactionMessage({ version: 1 }),
    m => kit.setTransactionMessageFeePayer(signer.address, m),
    m =>
      kit.setTransactionMessageLifetimeUsingBlockhash(
        { blockhash: kit.blockhash(latestBlockhash(local)), lastValidBlockHeight: 1_000_000_000n },
        m,
      ),
    m => kit.setTransactionMessageConfig(config, m),
    m =>
      kit.appendTransactionMessageInstructions(
        instructions.map(({ program, accounts, data }) => ({
          programAddress: program,
          accounts: accounts.map(({ address, isSigner, isWritable }) => ({
            address,
            role: (isSigner ? 2 : 0) + (isWritable ? 1 : 0),
          })),
          data,
        })),
        m,
      ),
  )
  const keys = await kit.createKeyPairFromBytes(signer.secretKey)
  return kit.getBase64EncodedWireTransaction(
    await kit.signTransaction([keys], kit.compileTransaction(message)),
  )
}

test('a purchase that the official client builds as version 1 lands and reads back', async () => {
  const local = await startNewChain()
  const { launches } = await buildWorld(local, {
    documentsUrl: 'http://127.0.0.1:1',
    environment: 'mainnet',
    size: 'small',
  })
  const launch = launches.find(({ entry }) => entry.slug === 'mudlark')
  if (!launch) throw new Error('there is no such launch')
  const umi = wallet(local)
  const owner = umi.payer.publicKey
  const [wrapped, mint] = [publicKey(WRAPPED_SOL), publicKey(launch.mint)]
  const [quote, base] = [WRAPPED_SOL, launch.mint].map(of => publicKey(associatedToken(of, asAddress(owner))))
  if (!quote || !base) throw new Error('unreachable')
  const priorityFeeLamports = 12_345
  const builder = transactionBuilder()
    .add(createAssociatedToken(umi, { mint: wrapped, owner }))
    .add(transferSol(umi, { destination: quote, amount: asLamports(SOL) }))
    .add(syncNative(umi, { account: quote }))
    .add(
      swapBondingCurveV2(umi, {
        genesisAccount: publicKey(launch.genesisAddress),
        bucket: publicKey(launch.addresses.primary),
        baseMint: mint,
        baseTokenAccount: base,
        quoteTokenAccount: quote,
        swapDirection: SwapDirection.Buy,
        amount: SOL,
        minAmountOutScaled: 0n,
      }),
    )
    .useV1()
    .setTransactionConfig({ computeUnitLimit: 400_000, priorityFee: asLamports(priorityFeeLamports) })
  const before = local.chain.account(asAddress(owner))?.lamports ?? 0n
  const bytes = await builder.send(umi)
  const signature = kit.getBase58Decoder().decode(bytes)

  const connection = new Connection(local.rpcUrl, 'confirmed')
  const found = await connection.getTransaction(signature, { maxSupportedTransactionVersion: 1 })
  expect(found).toMatchObject({ version: 1, meta: { err: null, fee: 5_000 + priorityFeeLamports } })
  const bought = found?.meta?.postTokenBalances?.find(
    entry => entry.mint === launch.mint && entry.owner === owner,
  )
  expect(Number(bought?.uiTokenAmount.amount)).toBeGreaterThan(0)
  const rpc = kit.createSolanaRpc(local.rpcUrl)
  const json = await rpc
    .getTransaction(kit.signature(signature), {
      encoding: 'json',
      maxSupportedTransactionVersion: 1,
      commitment: 'confirmed',
    })
    .send()
  expect(json?.transaction.message).toMatchObject({
    transactionConfig: {
      computeUnitLimit: 400_000,
      heapSize: null,
      priorityFee: BigInt(priorityFeeLamports),
    },
  })
  expect(await umi.rpc.getTransaction(bytes)).toMatchObject({ meta: { err: null } })
  const paid = before - (local.chain.account(asAddress(owner))?.lamports ?? 0n)
  expect(paid).toBeGreaterThan(SOL)

  // A reader that doesn't declare version 1 is refused, whether it asks for the transaction or its block.
  const slot = found?.slot as number
  for (const [method, of] of [
    ['getTransaction', signature],
    ['getBlock', slot],
  ] as const) {
    for (const config of [{}, { maxSupportedTransactionVersion: 0 }])
      expect((await call(local, method, of, { commitment: 'confirmed', ...config })).error).toMatchObject({
        code: -32015,
        message: expect.stringContaining('"maxSupportedTransactionVersion": 1'),
      })
    const config = { commitment: 'confirmed', maxSupportedTransactionVersion: 1 }
    expect((await call(local, method, of, config)).error).toBeUndefined()
  }
})

test('the limits of the header hold exactly, and one that is not set is zero', async () => {
  const local = await startNewChain()
  const from = fundedKeypair(local)
  const to = createKeypair().address
  const memo = {
    program: 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr' as kit.Address,
    accounts: [],
    data: new TextEncoder().encode('hi'),
  }
  const both = [systemTransfer(from.address, to, 1_000_000n), memo]
  const simulate = async (config: kit.V1TransactionConfig) => {
    const { result, error } = await call(
      local,
      'simulateTransaction',
      await signed(local, from, both, config),
      {
        encoding: 'base64',
        sigVerify: true,
      },
    )
    expect(error).toBeUndefined()
    return (result as { value: { err: unknown; unitsConsumed: number; logs: string[] } }).value
  }
  const { err, unitsConsumed, logs } = await simulate(LIMITS)
  expect(err).toBeNull()
  expect(logs.filter(line => / invoke /.test(line))).toHaveLength(2)
  expect((await simulate({ ...LIMITS, computeUnitLimit: unitsConsumed })).err).toBeNull()
  const exceeded = [
    { InstructionError: [1, 'ComputationalBudgetExceeded'] },
    { InstructionError: [1, 'ProgramFailedToComplete'] },
  ]
  expect(exceeded).toContainEqual((await simulate({ ...LIMITS, computeUnitLimit: unitsConsumed - 1 })).err)
  expect((await simulate({ loadedAccountsDataSizeLimit: 1_000_000 })).err).toEqual({
    InstructionError: [0, 'ComputationalBudgetExceeded'],
  })
  expect((await simulate({ computeUnitLimit: 10_000 })).err).toBe('MaxLoadedAccountsDataSizeExceeded')
  expect((await simulate({ ...LIMITS, heapSize: 65_536 })).err).toBeNull()
  expect(local.chain.account(from.address)?.lamports).toBe(SOL)
})

test('the priority fee is a total, and a failing transaction pays it too', async () => {
  const local = await startNewChain()
  const from = fundedKeypair(local)
  const config = { ...LIMITS, priorityFeeLamports: 777n }
  const pay = (lamports: bigint) => [systemTransfer(from.address, createKeypair().address, lamports)]
  const good = await signed(local, from, pay(1_000_000n), config)
  const message = base64(parseTransaction(Buffer.from(good, 'base64')).message)
  expect(await call(local, 'getFeeForMessage', message, { commitment: 'confirmed' })).toMatchObject({
    result: { value: 5_777 },
  })
  expect((await sendTransaction(local, good)).error).toBeUndefined()
  expect(local.chain.account(from.address)?.lamports).toBe(SOL - 1_005_777n)
  const bad = await signed(local, from, pay(5n * SOL), config)
  await sendTransaction(local, bad, { skipPreflight: true })
  expect(local.chain.account(from.address)?.lamports).toBe(SOL - 1_011_554n)
  expect((await sendTransaction(local, bad, { skipPreflight: true })).error).toBeUndefined()
  const [failed, landed] = [...local.chain.history.ofAddress(from.address)]
  expect([failed, landed]).toMatchObject([
    { err: { InstructionError: [0, { Custom: 1 }] }, fee: 5_777n },
    { err: null, fee: 5_777n },
  ])
  const poor = createKeypair()
  local.airdrop(poor.address, 1_000_000n)
  const greedy = await signed(local, poor, [], { ...LIMITS, priorityFeeLamports: 999_999n })
  expect((await sendTransaction(local, greedy)).error).toMatchObject({
    data: { err: 'InsufficientFundsForFee' },
  })
  expect(local.chain.account(poor.address)?.lamports).toBe(1_000_000n)
})

test('compute-budget instructions do nothing', async () => {
  const local = await startNewChain()
  const from = fundedKeypair(local)
  const budget = (...data: number[]) => ({
    program: 'ComputeBudget111111111111111111111111111111' as kit.Address,
    accounts: [],
    data: Uint8Array.from(data),
  })
  const to = createKeypair().address
  // A limit of one unit, twice, and an instruction that doesn't exist.
  const instructions = [
    budget(2, 1, 0, 0, 0),
    budget(2, 1, 0, 0, 0),
    budget(99),
    systemTransfer(from.address, to, 1_000_000n),
  ]
  expect((await sendTransaction(local, await signed(local, from, instructions))).error).toBeUndefined()
  expect(local.chain.account(to)?.lamports).toBe(1_000_000n)
})

test('a forged or malformed transaction of version 1 is refused', async () => {
  const local = await startNewChain()
  const from = fundedKeypair(local)
  const good = Buffer.from(
    await signed(local, from, [systemTransfer(from.address, createKeypair().address, SOL / 2n)]),
    'base64',
  )
  const refused = async (change: (bytes: Buffer) => Buffer) =>
    (await sendTransaction(local, base64(change(Buffer.from(good))))).error?.code
  const flip = (at: number) => (bytes: Buffer) => {
    bytes.writeUInt8(bytes.readUInt8(bytes.length - at) ^ 1, bytes.length - at)
    return bytes
  }
  // The signature, the last byte that is signed, and the mask.
  expect(await refused(flip(1))).toBe(-32003)
  expect(await refused(flip(65))).toBe(-32003)
  const withMask = (bit: number) => (bytes: Buffer) => {
    bytes.writeUInt32LE((bytes.readUInt32LE(4) | bit) >>> 0, 4)
    return bytes
  }
  for (const bit of [0b1, 0b10, 0b10_0000, 0x8000_0000]) expect(await refused(withMask(bit))).toBe(-32602)
  expect(await refused(bytes => Buffer.concat([bytes, Buffer.alloc(1)]))).toBe(-32602)
  expect(
    await refused(bytes => Buffer.concat([bytes.subarray(0, -64), Buffer.alloc(1), bytes.subarray(-64)])),
  ).toBe(-32602)
  // The address at 42 + 32 once more, as the last one.
  expect(
    await refused(bytes =>
      Buffer.concat([bytes.subarray(0, 106), bytes.subarray(74, 106), bytes.subarray(138)]),
    ),
  ).toBe(-32602)
  expect(await refused(bytes => Buffer.concat([bytes, Buffer.alloc(4_097 - bytes.length)]))).toBe(-32602)
  expect((await sendTransaction(local, base64(good))).error).toBeUndefined()
})

test('one transaction carries what took several', async () => {
  const local = await startNewChain()
  const from = fundedKeypair(local)
  const to = Array.from({ length: 60 }, () => createKeypair().address)
  const bytes = await signed(
    local,
    from,
    to.map(address => systemTransfer(from.address, address, 1_000_000n)),
  )
  expect(Buffer.from(bytes, 'base64').length).toBeGreaterThan(1_232)
  expect((await sendTransaction(local, bytes)).error).toBeUndefined()
  expect(to.map(address => local.chain.account(address)?.lamports)).toEqual(to.map(() => 1_000_000n))
})

test('a chain of last spring refuses version 1', async () => {
  const local = await startChain({ conditions: LAST_SPRING })
  const from = fundedKeypair(local)
  const bytes = await signed(local, from, [systemTransfer(from.address, createKeypair().address, SOL / 2n)])
  expect((await sendTransaction(local, bytes)).error).toMatchObject({
    code: -32602,
    message: 'invalid transaction: Transaction version is unsupported',
  })
})
