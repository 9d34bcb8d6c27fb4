import { readFileSync } from 'node:fs'
import { registrationOf, startDemo } from '@slipway/local-chain'
import { createKeypair } from '@slipway/local-chain/ledger/keypair'
import { buildTokenAccount } from '@slipway/local-chain/world/token-accounts'
import type { Network } from '@slipway/schema/network'

/** What the attacks know about the chain. */
export interface DemoChain {
  rpcUrl: string
  wsUrl: string
  socialUrl: string
  documentsHost: string
  wallets: string[]
  /** A wallet with thousands of token accounts, as anyone can make one. */
  crowdedWallet: string
  /** Bodies for `POST /v1/launches/register`, one for each launch. */
  registrations: { genesisAccount: string }[]
}

/** Runs the demo chains in a process of their own and reports their addresses to the parent. */
export async function runChainProcess(dataDir: string): Promise<void> {
  const log = { info() {}, error: (fields: unknown, message: string) => console.error(message, fields) }
  const demo = await startDemo({ dataDir, port: 0, activity: false, log })
  const [mainnet] = demo.networks
  if (!mainnet) throw new Error('the demo has no network')
  const crowdedWallet = newAddress()
  // Its mint is that of no launch.
  const tokens = buildTokenAccount(newAddress(), crowdedWallet, 1n, mainnet.local.chain.vm.rentExemptMinimum)
  mainnet.local.chain.writeAccounts(
    new Map(Array.from({ length: CROWD }, () => [newAddress(), tokens] as const)),
  )
  const { networks } = JSON.parse(readFileSync(demo.demoFile, 'utf8'))
  const chain: DemoChain = {
    rpcUrl: mainnet.local.rpcUrl,
    wsUrl: mainnet.local.wsUrl,
    socialUrl: demo.socialUrl,
    documentsHost: demo.documentsHost,
    wallets: networks['chain-mainnet'].rewards.map(({ wallet }: { wallet: string }) => wallet),
    crowdedWallet,
    registrations: mainnet.world.launches.map(launch =>
      registrationOf(launch, mainnet.local.network as Network),
    ),
  }
  process.send?.(chain)
  process.on('disconnect', () => process.exit())
}

const CROWD = 5_000
const newAddress = () => createKeypair().address
