import { createHash } from 'node:crypto'
import type { Keypair } from '@slipway/local-chain'
import { buildOwnerChangeText, type OwnerChange } from '@slipway/schema/owner-change'
import {
  createKeyPairFromBytes,
  createKeyPairSignerFromBytes,
  createSignableMessage,
  signBytes,
} from '@solana/kit'
import { SolanaSignMessage, type SolanaSignMessageFeature } from '@solana/wallet-standard-features'
import canonicalize from 'canonicalize'
import { expect, test } from 'vitest'
import { EXAMPLE_CARD } from '../agents/examples.ts'
import { useDemo } from '../testing/demo.ts'
import { base58, makeAgent, sendJson } from '../testing/owner-changes.ts'
import { startTestService } from '../testing/test-service.ts'

const world = useDemo()

/** A stand-in for a browser wallet: it signs the bytes of a message as they are, as the Wallet Standard has it. */
async function createWallet({ address, secretKey }: Keypair) {
  const { privateKey } = await createKeyPairFromBytes(Uint8Array.from(secretKey))
  const features: SolanaSignMessageFeature = {
    [SolanaSignMessage]: {
      version: '1.1.0',
      signMessage: (...inputs) =>
        Promise.all(
          inputs.map(async ({ message }) => ({
            signedMessage: message,
            signature: await signBytes(privateKey, message),
          })),
        ),
    },
  }
  const account = {
    address,
    publicKey: Uint8Array.from(secretKey.subarray(32)),
    chains: ['solana:mainnet'],
    features: [SolanaSignMessage],
  } as const
  return { features, account }
}

const sign: Record<string, (owner: Keypair, text: string) => Promise<Uint8Array>> = {
  async 'signMessage of the Wallet Standard'(owner, text) {
    const { features, account } = await createWallet(owner)
    const message = new TextEncoder().encode(text)
    const [output] = await features[SolanaSignMessage].signMessage({ account, message })
    expect(output?.signedMessage).toEqual(message)
    return output?.signature as Uint8Array
  },
  async 'the message signer of kit'(owner, text) {
    const signer = await createKeyPairSignerFromBytes(Uint8Array.from(owner.secretKey))
    const [signatures] = await signer.signMessages([createSignableMessage(text)])
    return (signatures as Record<string, Uint8Array>)[owner.address] as Uint8Array
  },
}

test.each(Object.keys(sign))('the service accepts exactly what %s produces', async how => {
  const { url } = await startTestService({ config: world.config() })
  const { address, owner } = await makeAgent(world)
  const card = { ...EXAMPLE_CARD, name: 'Tidewatch ⚓ “à la carte”', url: 'https://agents.example/card.json' }
  const change: OwnerChange = {
    purpose: 'replace agent card',
    deployment: 'https://slipway.example',
    network: 'chain-mainnet',
    address: address as never,
    sha256: createHash('sha256')
      .update(canonicalize(card) as string)
      .digest('hex'),
    issuedAt: new Date().toISOString(),
    nonce: 'a-nonce-of-a-wallet',
  }
  const signature = base58((await sign[how]?.(owner, buildOwnerChangeText(change))) as Uint8Array)
  const { issuedAt, nonce } = change
  const path = `/v1/agents/${address}/agent-card.json`
  const body = { card, owner: owner.address, issuedAt, nonce, signature }
  expect(await sendJson('PUT', url + path, body)).toEqual({ status: 200, body: { success: true } })
  await expect.poll(async () => (await fetch(url + path)).text()).toBe(JSON.stringify(card))
})
