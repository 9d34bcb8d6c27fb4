import { createHash, randomBytes } from 'node:crypto'
import type { Keypair } from '@slipway/local-chain'
import { createKeypair } from '@slipway/local-chain/ledger/keypair'
import { agentMaker } from '@slipway/local-chain/world/create-agent'
import type { Address } from '@slipway/schema/address'
import { getBase58Decoder } from '@solana/codecs-strings'
import canonicalize from 'canonicalize'
import type { DemoWorld } from './demo-launches.ts'

/** What a test can say differently from what is right. */
export interface ChangeWords {
  purpose: string
  address: string
  deployment?: string
  network?: string
  /** The card or the links; a removal has none. */
  value?: unknown
  issuedAt?: string
  nonce?: string
}

/** Signs a change as a wallet does: the lines of the contract, written out. */
export function signChange(owner: Pick<Keypair, 'address' | 'sign'>, words: ChangeWords) {
  const issuedAt = words.issuedAt ?? new Date().toISOString()
  const nonce = words.nonce ?? randomBytes(16).toString('base64url')
  const text = [
    `Slipway: ${words.purpose}`,
    `deployment: ${words.deployment ?? 'https://slipway.example'}`,
    `network: ${words.network ?? 'chain-mainnet'}`,
    `address: ${words.address}`,
    ...(words.value === undefined ? [] : [`sha256: ${sha256(canonicalize(words.value) ?? '')}`]),
    `issuedAt: ${issuedAt}`,
    `nonce: ${nonce}`,
  ].join('\n')
  const signature = base58(owner.sign(Buffer.from(text)))
  return { owner: owner.address as string, issuedAt, nonce, signature }
}

export const base58 = (bytes: Uint8Array) => getBase58Decoder().decode(bytes)
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

export async function sendJson(method: string, url: string, body: unknown) {
  const response = await fetch(url, {
    method,
    headers: { 'Content-Type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  // biome-ignore lint/suspicious/noExplicitAny: the tests check the shape of the answers
  return { status: response.status, body: (await response.json()) as any }
}

/** Creates an agent with its own owner on the demo's chain. Its registration document is Patchbot's. */
export async function makeAgent(world: DemoWorld) {
  const { chain, airdrop } = world.chainOf().local
  const owner = createKeypair()
  const asset = createKeypair()
  airdrop(owner.address, 10_000_000_000n)
  const maker = agentMaker(chain, owner, owner)
  await maker.create(asset, { name: 'Made', uri: 'https://nowhere.invalid/made.json', collection: undefined })
  await maker.register(asset.address, `http://${world.demo.documentsHost}/registrations/patchbot.json`)
  return {
    address: asset.address as string,
    owner,
    setToken: (genesis: Address) => maker.setToken(asset.address, genesis as never),
    async transfer(from: Keypair, to: Keypair) {
      airdrop(to.address, 10_000_000_000n)
      await agentMaker(chain, from, from).transfer(asset.address, to.address)
    },
  }
}
