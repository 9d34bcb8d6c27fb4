import { createCollectionV2, createV2, executeV1 } from '@metaplex-foundation/mpl-core'
import { mplToolbox, transferSol } from '@metaplex-foundation/mpl-toolbox'
import {
  createNoopSigner,
  createSignerFromKeypair,
  type KeypairSigner,
  type PublicKey,
  type Signer,
  signerIdentity,
  sol,
  type TransactionBuilder,
  type Umi,
} from '@metaplex-foundation/umi'
import { createUmi } from '@metaplex-foundation/umi-bundle-defaults'
import type { Address } from '@solana/kit'
import { CONDITIONS, rentFor } from '../conditions.ts'
import { createKeypair } from '../ledger/keypair.ts'
import { parseTransaction } from '../ledger/parse-transaction.ts'
import type { LocalChain } from '../start-local-chain.ts'
import { latestBlockhash } from './start-chain.ts'

/** A Umi whose payer has funds. The same number gives the same wallet on every chain. */
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

export const lamportsOf = (local: LocalChain, key: unknown): bigint =>
  local.chain.account(asAddress(key))?.lamports ?? 0n

/** A transfer from an address that has no key here: only programs or the message can sign for it. */
export const pay = (umi: Umi, from: PublicKey, to: PublicKey, amount: number): TransactionBuilder =>
  transferSol(umi, { source: createNoopSigner(from), destination: to, amount: sol(amount) })

/** Signs a transaction and submits it without preflight, so that a failing one lands and pays its fee. */
export async function send(local: Pick<LocalChain, 'chain'>, umi: Umi, builder: TransactionBuilder) {
  const transaction = await builder.setBlockhash(latestBlockhash(local)).buildAndSign(umi)
  return local.chain.submit(parseTransaction(umi.transactions.serialize(transaction)))
}

export async function mustSend(
  local: Pick<LocalChain, 'chain'>,
  umi: Umi,
  builder: TransactionBuilder,
): Promise<void> {
  const { err, logs } = await send(local, umi, builder)
  if (err !== null) throw new Error(`${JSON.stringify(err)}\n${logs.join('\n')}`)
}

/** What `create` and a registration leave in the asset, for Metaplex to collect. */
export const CREATE_FEE = rentFor(87) + 3_600n
/** What `execute` costs the payer. */
export const EXECUTE_FEE = 7n * CONDITIONS.rentPerByte

/** Wraps the builder's instruction in `execute`. The payer and `signers` sign; programs sign for any other signer. */
export function wrapInExecute(
  umi: Umi,
  asset: PublicKey,
  builder: TransactionBuilder,
  { signers = [], ...more }: { collection?: PublicKey; authority?: Signer; signers?: Signer[] } = {},
): TransactionBuilder {
  const [instruction] = builder.getInstructions()
  if (!instruction) throw new Error('the builder has no instruction to wrap')
  const signing = [umi.payer, ...signers].map(({ publicKey }) => publicKey)
  const wrapped = executeV1(umi, {
    asset,
    ...more,
    programId: instruction.programId,
    instructionData: instruction.data,
  }).addRemainingAccounts(
    instruction.keys.map(key => ({ ...key, isSigner: key.isSigner && signing.includes(key.pubkey) })),
  )
  return wrapped.mapInstructions(item => ({ ...item, signers: [...item.signers, ...signers] }))
}

export async function mintAsset(
  local: Pick<LocalChain, 'chain'>,
  umi: Umi,
  input: Partial<Parameters<typeof createV2>[1]> = {},
): Promise<PublicKey> {
  const asset = signer(umi)
  const builder = createV2(umi, { asset, name: 'Agent', uri: 'https://a.example/1.json', ...input })
  await mustSend(local, umi, builder)
  return asset.publicKey
}

export async function mintCollection(local: Pick<LocalChain, 'chain'>, umi: Umi): Promise<PublicKey> {
  const collection = signer(umi)
  const builder = createCollectionV2(umi, { collection, name: 'Crew', uri: 'https://a.example/c.json' })
  await mustSend(local, umi, builder)
  return collection.publicKey
}

/** The error of an instruction that fails with a program's own error code. */
export const custom = (code: number, index = 0) => ({ InstructionError: [index, { Custom: code }] })
