import { createV2 } from '@metaplex-foundation/mpl-core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createKeypair, createTransaction, signTransaction } from '../ledger/keypair.ts'
import { systemTransfer } from '../ledger/system-instructions.ts'
import { base64, call, latestBlockhash, post, startChain } from '../testing/start-chain.ts'
import { asAddress, signer, wallet } from '../testing/umi-wallet.ts'

const INTERNAL_ERROR = -32603

test('a mangled transaction never causes an internal error or changes the chain', async () => {
  const local = await startChain()
  const umi = wallet(local)
  const from = createKeypair()
  local.airdrop(from.address, 1_000_000_000n)
  const hash = latestBlockhash(local)
  const plain = signTransaction(
    [from],
    [systemTransfer(from.address, createKeypair().address, 1_000_000n)],
    hash,
  )
  const newest = createTransaction(
    [from],
    [systemTransfer(from.address, createKeypair().address, 1_000_000n)],
    hash,
    1,
  ).wire
  const asset = signer(umi)
  const builder = createV2(umi, { asset, name: 'Fuzz', uri: 'https://a.example/1.json' })
  const core = umi.transactions.serialize(await builder.setBlockhash(hash).buildAndSign(umi))

  const mangled = fc.constantFrom(plain, newest, core).chain(bytes =>
    fc
      .oneof(
        fc
          .array(fc.tuple(fc.nat(bytes.length - 1), fc.nat(255)), { minLength: 1, maxLength: 4 })
          .map(edits => edits.reduce((copy, [at, value]) => copy.with(at, value), bytes)),
        fc.nat(bytes.length).map(length => bytes.subarray(0, length)),
        fc.uint8Array({ minLength: 1, maxLength: 64 }).map(tail => Uint8Array.from([...bytes, ...tail])),
      )
      .filter(changed => Buffer.compare(changed, bytes) !== 0),
  )
  await fc.assert(
    fc.asyncProperty(mangled, fc.boolean(), async (bytes, send) => {
      const answer = send
        ? await call(local, 'sendTransaction', base64(bytes), { encoding: 'base64' })
        : await call(local, 'simulateTransaction', base64(bytes), {
            encoding: 'base64',
            replaceRecentBlockhash: true,
          })
      expect(answer.error?.code).not.toBe(INTERNAL_ERROR)
    }),
    { numRuns: 225 },
  )
  expect(local.chain.account(asAddress(asset.publicKey))).toBeUndefined()
  expect(local.chain.account(from.address)?.lamports).toBe(1_000_000_000n)
  expect((await call(local, 'getHealth')).result).toBe('ok')
})

test('random parameters never cause an internal error', async () => {
  const local = await startChain()
  const { methods } = await import('./methods.ts')
  const value = fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.constantFrom(
      '11111111111111111111111111111111',
      '1'.repeat(64),
      'So11111111111111111111111111111111111111112',
    ),
    fc.record(
      {
        commitment: fc.oneof(
          fc.constantFrom('processed', 'confirmed', 'finalized'),
          fc.jsonValue({ maxDepth: 0 }),
        ),
        encoding: fc.oneof(
          fc.constantFrom('base64', 'base58', 'jsonParsed', 'json'),
          fc.jsonValue({ maxDepth: 0 }),
        ),
        filters: fc.jsonValue({ maxDepth: 2 }),
        dataSlice: fc.jsonValue({ maxDepth: 1 }),
        minContextSlot: fc.jsonValue({ maxDepth: 0 }),
        limit: fc.jsonValue({ maxDepth: 0 }),
        before: fc.jsonValue({ maxDepth: 0 }),
        mint: fc.jsonValue({ maxDepth: 0 }),
        accounts: fc.jsonValue({ maxDepth: 1 }),
      },
      { requiredKeys: [] },
    ),
  )
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...methods.keys()),
      fc.array(value, { maxLength: 4 }),
      async (method, params) => {
        const response = await post(local, { jsonrpc: '2.0', id: 1, method, params })
        const answer = (await response.json()) as { error?: { code: number } }
        expect(answer.error?.code).not.toBe(INTERNAL_ERROR)
      },
    ),
    { numRuns: 225 },
  )
})
