import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startLocalChain } from '@slipway/local-chain'
import type { Address } from '@slipway/schema/address'
import { Connection, Keypair, PublicKey, SystemProgram, Transaction } from '@solana/web3.js'
import { expect, onTestFinished, test } from 'vitest'
import { createBlockhashSource } from '../blockhash.ts'
import { rpcOver, startTestNode } from './test-node.ts'

const SYSTEM = '11111111111111111111111111111111' as Address
const TOKEN = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA' as Address

async function startChain(options: { port?: number; dataDir?: string } = {}) {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'slipway-rpc-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  const local = await startLocalChain({ network: 'chain-mainnet', port: 0, wsPort: 0, ...options, dataDir })
  onTestFinished(() => local.close())
  return { ...local, dataDir, port: Number(new URL(local.rpcUrl).port) }
}

const confirm = (connection: Connection, signature: string) =>
  expect
    .poll(async () => (await connection.getSignatureStatus(signature)).value?.confirmationStatus, {
      timeout: 30_000,
    })
    .toMatch(/confirmed|finalized/)

test('accounts are read exactly as web3.js reads them', async () => {
  const chain = await startChain()
  const { rpc, outcomes } = rpcOver([chain.rpcUrl])
  const [rich, poor, unfunded] = [Keypair.generate(), Keypair.generate(), Keypair.generate()]
  chain.airdrop(rich.publicKey.toBase58() as Address, 9_007_199_254_740_993n)
  chain.airdrop(poor.publicKey.toBase58() as Address, 1_000_001n)
  const named = [rich, poor, unfunded].map(({ publicKey }) => publicKey.toBase58() as Address)
  const { slot, accounts } = await rpc.fetchAccounts(named)
  expect(slot).toBeGreaterThan(0)
  expect(accounts).toEqual([
    {
      exists: true,
      address: named[0],
      owner: SYSTEM,
      lamports: 9_007_199_254_740_993n,
      data: new Uint8Array(),
    },
    { exists: true, address: named[1], owner: SYSTEM, lamports: 1_000_001n, data: new Uint8Array() },
    { exists: false, address: named[2] },
  ])

  const connection = new Connection(chain.rpcUrl, 'confirmed')
  // Every chain has the native mint.
  const mint = 'So11111111111111111111111111111111111111112' as Address
  const [ours] = (await rpc.fetchAccounts([mint])).accounts
  const theirs = await connection.getAccountInfo(new PublicKey(mint))
  expect(ours).toMatchObject({ exists: true, owner: TOKEN })
  expect(ours?.exists && Buffer.compare(ours.data, theirs?.data as Uint8Array)).toBe(0)

  const made = Keypair.generate()
  const lamports = await connection.getMinimumBalanceForRentExemption(82)
  const createAccount = SystemProgram.createAccount({
    fromPubkey: rich.publicKey,
    newAccountPubkey: made.publicKey,
    lamports,
    space: 82,
    programId: new PublicKey(TOKEN),
  })
  await confirm(
    connection,
    await connection.sendTransaction(new Transaction().add(createAccount), [rich, made]),
  )
  // The system program's address is 32 zero bytes.
  const filters = [
    { dataSize: 82 },
    { memcmp: { offset: 0, bytes: new Uint8Array(4) } },
    { memcmp: { offset: 4, bytes: SYSTEM } },
  ]
  const found = await rpc.fetchProgramAccounts(TOKEN, { filters, dataSlice: { offset: 80, length: 8 } })
  expect(found.slot).toBeGreaterThanOrEqual(slot)
  expect(found.accounts).toEqual([
    {
      exists: true,
      address: made.publicKey.toBase58(),
      owner: TOKEN,
      lamports: BigInt(lamports),
      data: new Uint8Array(2),
    },
  ])
  const none = await rpc.fetchProgramAccounts(TOKEN, { filters: [{ memcmp: { offset: 0, bytes: TOKEN } }] })
  expect(none.accounts).toEqual([])
  expect(new Set(outcomes())).toEqual(new Set(['ok']))
})

test('a transaction on our blockhash lands and is visible to the next read', async () => {
  const chain = await startChain()
  const { rpc } = rpcOver([chain.rpcUrl])
  const blockhash = createBlockhashSource(rpc, { refreshMs: 100 })
  blockhash.start()
  onTestFinished(() => blockhash.stop())
  const [from, to] = [Keypair.generate(), Keypair.generate()]
  chain.airdrop(from.publicKey.toBase58() as Address, 5_000_000_000n)
  const address = to.publicKey.toBase58() as Address
  expect((await rpc.fetchAccounts([address])).accounts).toEqual([{ exists: false, address }])

  const connection = new Connection(chain.rpcUrl, 'confirmed')
  const { blockhash: recentBlockhash, lastValidBlockHeight } = await blockhash.latest()
  expect(lastValidBlockHeight).toBeGreaterThan(await connection.getBlockHeight())
  const transaction = new Transaction({ feePayer: from.publicKey, recentBlockhash }).add(
    SystemProgram.transfer({ fromPubkey: from.publicKey, toPubkey: to.publicKey, lamports: 2_000_000_000 }),
  )
  transaction.sign(from)
  const signature = await connection.sendRawTransaction(transaction.serialize())
  await confirm(connection, signature)
  expect((await rpc.fetchAccounts([address])).accounts).toMatchObject([{ lamports: 2_000_000_000n }])

  const [seen] = await rpc.fetchSignatures(address, { limit: 5 })
  expect(seen).toMatchObject({ signature, failed: false })
  expect(await rpc.fetchSignatures(address, { before: signature })).toEqual([])
  expect(await rpc.fetchBlockTime(seen?.slot as number)).toBe(seen?.blockTime)
  expect(await rpc.fetchSlot()).toBeGreaterThanOrEqual(seen?.slot as number)
  expect(await rpc.fetchBlockTime(10 ** 12)).toBeUndefined()
})

test('a process ends by itself once its RPC and blockhash source are closed', async () => {
  const node = await startTestNode()
  const folder = fileURLToPath(new URL('..', import.meta.url))
  const program = `
    import { createRpc } from '${folder}rpc/create-rpc.ts'
    import { createBlockhashSource } from '${folder}blockhash.ts'
    const rpc = createRpc({ urls: ['${node.url}', 'http://127.0.0.1:1/'], cluster: 'any' })
    const kept = createBlockhashSource(rpc)
    kept.start()
    await kept.latest()
    await Promise.all([rpc.fetchSlot(), rpc.fetchAccounts(['${SYSTEM}']), rpc.health()])
    kept.stop()
    await rpc.close()
    console.log('done')
  `
  const child = spawn('node', [await bundle(program)], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  let doneMs = 0
  child.stdout.on('data', () => {
    doneMs = performance.now()
  })
  const code = await new Promise(resolve => child.on('close', resolve))
  expect(code).toBe(0)
  expect(doneMs).toBeGreaterThan(0)
  // An idle connection lives for half a minute.
  expect(performance.now() - doneMs).toBeLessThan(15_000)
})

/** Bundles the program, because Node 20 cannot run TypeScript. */
async function bundle(source: string): Promise<string> {
  const { build } = await import('esbuild')
  const folder = mkdtempSync(join(tmpdir(), 'slipway-rpc-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const outfile = join(folder, 'program.mjs')
  await build({
    stdin: { contents: source, resolveDir: fileURLToPath(new URL('.', import.meta.url)), loader: 'ts' },
    bundle: true,
    outfile,
    platform: 'node',
    format: 'esm',
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
  })
  return outfile
}
