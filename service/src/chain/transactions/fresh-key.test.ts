import { execFile } from 'node:child_process'
import { createPublicKey, verify } from 'node:crypto'
import { promisify } from 'node:util'
import type { Address } from '@slipway/schema/address'
import { PublicKey, VersionedTransaction } from '@solana/web3.js'
import { build } from 'esbuild'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyAddress } from '../accounts/test-accounts.ts'
import { buildMintTransaction, buildWithdrawTransaction } from './build-agent.ts'
import { createFreshKey } from './fresh-key.ts'

const [wallet, other, blockhash] = fc.sample(anyAddress, 3) as [Address, Address, Address]

function isSignature(address: string, message: Uint8Array, signature: Uint8Array): boolean {
  const x = Buffer.from(new PublicKey(address).toBytes()).toString('base64url')
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  return verify(null, message, key, signature)
}

test('a fresh key signs its own place in a transaction and leaves the rest as it is', () => {
  const key = createFreshKey()
  const mint = { asset: key.address, wallet, name: 'a', uri: 'b', agentUri: 'c', blockhash }
  const unsigned = VersionedTransaction.deserialize(Buffer.from(buildMintTransaction(mint), 'base64'))
  const signed = VersionedTransaction.deserialize(
    Buffer.from(key.signTransaction(buildMintTransaction(mint)), 'base64'),
  )
  expect(signed.message.serialize()).toEqual(unsigned.message.serialize())
  const [ofWallet, ofAsset] = signed.signatures as [Uint8Array, Uint8Array]
  expect(ofWallet.every(byte => byte === 0)).toBe(true)
  expect(isSignature(key.address, signed.message.serialize(), ofAsset)).toBe(true)
})

test('a fresh key does not sign a transaction that does not name it as a signer', () => {
  const withdrawal = buildWithdrawTransaction({ asset: other, owner: wallet, lamports: 1n, blockhash })
  expect(() => createFreshKey().signTransaction(withdrawal)).toThrow('is no signer')
})

test('every fresh key is different', () => {
  expect(new Set(Array.from({ length: 50 }, () => createFreshKey().address)).size).toBe(50)
})

// With keys from `generateKeyPairSync`, Node 20 hangs within the first second.
test('garbage collections while keys are made do not stop the process', async () => {
  const contents = `
    import { createFreshKey } from './fresh-key.ts'
    for (let at = 0; at < 1_000; at += 1) createFreshKey()
    process.stdout.write('made')`
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: import.meta.dirname, loader: 'ts' },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
  })
  const script = outputFiles[0]?.text as string
  // The smallest young generation, so that there are many collections.
  const flags = ['--max-semi-space-size=1', '--input-type=module', '--eval', script]
  const { stdout } = await promisify(execFile)(process.execPath, flags, { timeout: 120_000 })
  expect(stdout).toBe('made')
})
