import { createSignerFromKeypair, signerIdentity } from '@metaplex-foundation/umi'
import { createUmi } from '@metaplex-foundation/umi-bundle-defaults'
import type { Keypair, LocalChain } from '@slipway/local-chain'
import { createKeypair } from '@slipway/local-chain/ledger/keypair'
import { Connection, VersionedTransaction, Keypair as WalletKey } from '@solana/web3.js'
import type { Config } from '../config.ts'

// biome-ignore lint/suspicious/noExplicitAny: the tests check the shape of the answers
export type Json = any

export const SOL = 1_000_000_000n

/** A registration document as the official client's documentation has it. */
export const METADATA = {
  type: 'agent',
  name: 'Ferrywright',
  description: 'Finds the next ferry, and the one after that.',
  services: [{ name: 'trading', endpoint: 'https://myagent.example/trade' }],
  registrations: [],
  supportedTrust: [],
}

export const mintBody = (wallet: string, change: object = {}) => ({
  wallet,
  name: 'Ferrywright',
  uri: 'https://a.example/ferrywright.json',
  agentMetadata: METADATA,
  ...change,
})

export function fundedWallet(local: LocalChain): Keypair {
  const wallet = createKeypair()
  local.airdrop(wallet.address, 10n * SOL)
  return wallet
}

/** The configuration of a node on this chain alone. */
export const configOf = ({ rpcUrl, wsUrl }: LocalChain): Partial<Config> => ({
  rpcUrls: { 'chain-mainnet': [rpcUrl], 'chain-devnet': [] },
  rpcWsUrls: { 'chain-mainnet': wsUrl, 'chain-devnet': undefined },
})

/** Umi with its default bundle, as a wallet. */
export function umiOf({ rpcUrl, wsUrl }: LocalChain, wallet: Keypair) {
  const umi = createUmi(rpcUrl, { commitment: 'confirmed', wsEndpoint: wsUrl })
  const keypair = umi.eddsa.createKeypairFromSecretKey(Uint8Array.from(wallet.secretKey))
  return umi.use(signerIdentity(createSignerFromKeypair(umi, keypair)))
}

/** Signs and sends a transaction and waits until it is confirmed. Returns its error, or `null`. */
export async function land({ rpcUrl }: LocalChain, { tx }: Json, ...signers: Keypair[]): Promise<unknown> {
  // Asks for the status instead of subscribing: a subscription would outlive the chain of the test.
  const connection = new Connection(rpcUrl, 'confirmed')
  const signed = VersionedTransaction.deserialize(Buffer.from(tx, 'base64'))
  signed.sign(signers.map(({ secretKey }) => WalletKey.fromSecretKey(Uint8Array.from(secretKey))))
  const signature = await connection.sendTransaction(signed)
  for (;;) {
    const { value } = await connection.getSignatureStatus(signature)
    if (value?.confirmationStatus && value.confirmationStatus !== 'processed') return value.err
    await new Promise(resolve => setTimeout(resolve, 50))
  }
}

export async function getJson(url: string, init?: RequestInit) {
  const response = await fetch(url, init)
  return { status: response.status, headers: response.headers, body: (await response.json()) as Json }
}
