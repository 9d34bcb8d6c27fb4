import { cpSync, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createCollectionV2, createV2 } from '@metaplex-foundation/mpl-core'
import { mplToolbox } from '@metaplex-foundation/mpl-toolbox'
import {
  createSignerFromKeypair,
  type KeypairSigner,
  type PublicKey,
  signerIdentity,
  type TransactionBuilder,
  type Umi,
} from '@metaplex-foundation/umi'
import { createUmi } from '@metaplex-foundation/umi-bundle-defaults'
import type { Address } from '@solana/kit'
import type { LocalChain } from '../../src/index.ts'
import { createKeypair } from '../../src/ledger/keypair.ts'
import { parseTransaction } from '../../src/ledger/parse-transaction.ts'
import { startChain, temporaryFolder } from '../start-chain.ts'

const BINARIES = fileURLToPath(new URL('../../.programs/', import.meta.url))
const COMPARED = [
  'CoREENxT6tW1HoK8ypY1SxRMZTcVPm7R94rH4PZNhX7d',
  '1DREGFgysWYxLnRnKQnwrxnJQeSMk2HmGaC6whw2B2p',
]
export type Mode = 'stand-ins' | 'real programs'

/** The same tests run against the stand-ins and, where their binaries lie in `.programs`, against the real programs. */
export const modes: Mode[] = COMPARED.every(address => existsSync(join(BINARIES, `${address}.so`)))
  ? ['stand-ins', 'real programs']
  : ['stand-ins']

export async function startWith(mode: Mode): Promise<LocalChain> {
  const dataDir = temporaryFolder()
  if (mode === 'real programs') {
    mkdirSync(join(dataDir, 'programs'))
    for (const address of COMPARED)
      cpSync(join(BINARIES, `${address}.so`), join(dataDir, 'programs', `${address}.so`))
  }
  return startChain({ dataDir })
}

/** A Umi whose payer has money. A number makes the same wallet on every chain. */
export function wallet(
  local: LocalChain,
  number?: number,
  lamports = 10_000_000_000n,
): Umi & { payer: KeypairSigner } {
  const umi = createUmi(local.rpcUrl, { commitment: 'confirmed' }).use(mplToolbox())
  umi.use(signerIdentity(signer(umi, number)))
  if (lamports > 0n) local.airdrop(asAddress(umi.payer.publicKey), lamports)
  return umi as Umi & { payer: KeypairSigner }
}

export function signer(umi: Umi, number?: number): KeypairSigner {
  const { secretKey } = createKeypair(number === undefined ? undefined : new Uint8Array(32).fill(number))
  return createSignerFromKeypair(umi, umi.eddsa.createKeypairFromSecretKey(secretKey))
}

export const asAddress = (key: unknown): Address => String(Array.isArray(key) ? key[0] : key) as Address

/** Signs, sends without preflight, and tells how it ended: a failing transaction lands too, and pays. */
export async function send(local: LocalChain, umi: Umi, builder: TransactionBuilder) {
  const blockhash = local.chain.clock.blockhash(local.chain.clock.slot())
  const transaction = await builder.setBlockhash(blockhash).buildAndSign(umi)
  return local.chain.submit(parseTransaction(umi.transactions.serialize(transaction)))
}

export async function mustSend(local: LocalChain, umi: Umi, builder: TransactionBuilder): Promise<void> {
  const { err, logs } = await send(local, umi, builder)
  if (err !== null) throw new Error(`${JSON.stringify(err)}\n${logs.join('\n')}`)
}

export async function mintAsset(
  local: LocalChain,
  umi: Umi,
  input: Partial<Parameters<typeof createV2>[1]> = {},
): Promise<PublicKey> {
  const asset = signer(umi)
  const builder = createV2(umi, { asset, name: 'Agent', uri: 'https://a.example/1.json', ...input })
  await mustSend(local, umi, builder)
  return asset.publicKey
}

export async function mintCollection(local: LocalChain, umi: Umi): Promise<PublicKey> {
  const collection = signer(umi)
  const builder = createCollectionV2(umi, { collection, name: 'Crew', uri: 'https://a.example/c.json' })
  await mustSend(local, umi, builder)
  return collection.publicKey
}

/** An instruction's custom error. */
export const custom = (code: number, index = 0) => ({ InstructionError: [index, { Custom: code }] })
