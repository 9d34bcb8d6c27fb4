import type { Network } from '@slipway/client'
import {
  createKeyPairSignerFromBytes,
  getTransactionDecoder,
  getTransactionEncoder,
  type KeyPairSigner,
  partiallySignTransaction,
  signBytes,
} from '@solana/kit'
import type { WalletAccount } from '@wallet-standard/base'
import { decodeBase64 } from '../lib/rpc.ts'
import { chainOf, type UsableWallet } from './adapt-wallet.ts'
import { askForApproval } from './demo-approval.ts'

interface DemoKey {
  network: Network
  address: string
  /** 64 bytes in base64. */
  secretKey: string
  label: string
}

const FEATURES = ['solana:signTransaction', 'solana:signMessage'] as const
/** A slip, and the water. */
const ICON =
  'data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciIHZpZXdCb3g9IjAgMCAzMiAzMiI+PHJlY3Qgd2lkdGg9IjMyIiBoZWlnaHQ9IjMyIiByeD0iOCIgZmlsbD0iIzEyMzA0ZCIvPjxwYXRoIGQ9Ik02IDEwIDI2IDE5TTYgMjRoMjAiIHN0cm9rZT0iI2YzZjZmOCIgc3Ryb2tlLXdpZHRoPSIyLjUiIHN0cm9rZS1saW5lY2FwPSJyb3VuZCIgZmlsbD0ibm9uZSIvPjwvc3ZnPg=='

/**
 * A wallet with the demo's throw-away keys, as the Wallet Standard describes one. It asks before it signs, like any
 * other. The keys are fetched when it is created and are never stored.
 */
export async function createDemoWallet(basePath: string): Promise<UsableWallet> {
  const response = await fetch(`${basePath}/demo/keys`, { cache: 'no-store', credentials: 'omit' })
  if (!response.ok) throw new Error(`The service did not send the demo's keys (${response.status})`)
  const { accounts: keys } = (await response.json()) as { accounts: DemoKey[] }
  const signers = new Map<string, Promise<KeyPairSigner>>()
  const accounts = keys.map(
    ({ network, address, secretKey, label }): WalletAccount => ({
      address,
      label,
      publicKey: decodeBase64(secretKey).slice(32),
      chains: [chainOf(network)],
      features: FEATURES,
    }),
  )

  /** Importing a key takes a while, so only those that sign are imported. */
  function signerOf(address: string): Promise<KeyPairSigner> {
    const key = keys.find(one => one.address === address)
    if (!key) throw new Error('This account is not part of the demo')
    const signer = signers.get(address) ?? createKeyPairSignerFromBytes(decodeBase64(key.secretKey))
    signers.set(address, signer)
    return signer
  }

  async function approve(address: string, request: { transactions: number } | { text: string }) {
    const label = keys.find(key => key.address === address)?.label ?? address
    if (!(await askForApproval({ ...request, account: label }))) throw new Error('You declined to sign')
  }

  return {
    version: '1.0.0',
    name: 'Demo wallet',
    icon: ICON,
    chains: [...new Set(accounts.flatMap(({ chains }) => chains))],
    accounts,
    features: {
      'standard:connect': { version: '1.0.0', connect: async () => ({ accounts }) },
      'solana:signTransaction': {
        version: '1.0.0',
        supportedTransactionVersions: ['legacy', 0],
        async signTransaction(...inputs) {
          const [first] = inputs
          if (!first) return []
          await approve(first.account.address, { transactions: inputs.length })
          return Promise.all(
            inputs.map(async ({ account, transaction }) => {
              const { keyPair } = await signerOf(account.address)
              const signed = await partiallySignTransaction(
                [keyPair],
                getTransactionDecoder().decode(transaction) as never,
              )
              return { signedTransaction: new Uint8Array(getTransactionEncoder().encode(signed)) }
            }),
          )
        },
      },
      'solana:signMessage': {
        version: '1.1.0',
        async signMessage(...inputs) {
          const signed = []
          for (const { account, message } of inputs) {
            await approve(account.address, { text: new TextDecoder().decode(message) })
            const { keyPair } = await signerOf(account.address)
            const signature = new Uint8Array(await signBytes(keyPair.privateKey, message))
            signed.push({ signedMessage: message, signature })
          }
          return signed
        },
      },
    },
  }
}
