import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Keypair, startLocalChain } from '@slipway/local-chain'
import { createKeypair } from '@slipway/local-chain/ledger/keypair'
import type { Address } from '@slipway/schema/address'
import { Connection, VersionedTransaction, Keypair as WalletKey } from '@solana/web3.js'
import { onTestFinished } from 'vitest'
import type { ChainAccount } from '../account-reader.ts'

/** A local chain on free ports that closes when the test ends, with the helpers of a wallet. */
export async function startTestChain() {
  const dataDir = mkdtempSync(join(tmpdir(), 'slipway-chain-'))
  let aheadMs = 0
  const now = () => Date.now() + aheadMs
  const local = await startLocalChain({ network: 'chain-mainnet', dataDir, port: 0, now })
  onTestFinished(async () => {
    await local.close()
    rmSync(dataDir, { recursive: true, force: true })
  })
  const connection = new Connection(local.rpcUrl, 'confirmed')
  return {
    ...local,
    connection,
    /** Moves the chain's clock forward. */
    skip(ms: number) {
      aheadMs += ms
      local.chain.tick()
    },
    /** A new key with funds. */
    wallet(lamports = 10_000_000_000n): Keypair {
      const key = createKeypair()
      if (lamports > 0n) local.airdrop(key.address, lamports)
      return key
    },
    lamports: (address: Address): bigint => local.chain.account(address)?.lamports ?? 0n,
    read(address: Address): ChainAccount {
      const account = local.chain.account(address)
      return account ? { exists: true, address, ...account } : { exists: false, address }
    },
    async latestBlockhash(): Promise<string> {
      return (await connection.getLatestBlockhash()).blockhash
    },
    /** Signs and sends a transaction, waits until it is confirmed, and returns its error or `null`. */
    async land(transaction: string, ...signers: Keypair[]): Promise<unknown> {
      const signed = VersionedTransaction.deserialize(Buffer.from(transaction, 'base64'))
      signed.sign(signers.map(({ secretKey }) => WalletKey.fromSecretKey(secretKey)))
      const signature = await connection.sendRawTransaction(signed.serialize(), { skipPreflight: true })
      for (;;) {
        const { value } = await connection.getSignatureStatus(signature)
        if (value?.confirmationStatus && value.confirmationStatus !== 'processed') return value.err
        await new Promise(resolve => setTimeout(resolve, 50))
      }
    },
  }
}

export type TestChain = Awaited<ReturnType<typeof startTestChain>>
